#include "import/markdown/blocks.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "import/markdown/body.h"
#include "import/markdown/from-markdown.h"
#include "import/markdown/markdown-source.h"
#include "import/markdown/sections.h"

/* ---- the blocks at the top */

struct top {
	int first, last; /* lines of the source's text */
	cmark_node *node; /* NULL: it has no form */
};

struct walk {
	struct ctx *c;
	const struct blocks_asked *asked;
	const struct source *source;
	const char *text; /* as it was given */
	const char **lines; /* where each of its lines begins */
	size_t line_count;
	struct top *tops;
	size_t count;
	const char **labels; /* of footnotes, by number; NULL: not known */
	size_t label_count;
	const struct places *places;
	struct places_spots spots;
	struct jwrite w;
	unsigned line; /* of the present block at the top; 0 inside of another one */
	int first; /* line of the source's text in which the block at the top begins */
	const cmark_node *begun; /* the first text of a callout, or NULL */
	size_t skip; /* bytes of it that are its mark */
};

static bool
is(cmark_node *node, const char *type)
{
	return strcmp(cmark_node_get_type_string(node), type) == 0;
}

static void
find_lines(struct walk *k)
{
	size_t n = 2;
	const char *p;

	for (p = k->text; *p != '\0'; p++)
		n += *p == '\n';
	k->lines = arena_array(k->c->arena, n, sizeof(*k->lines));
	for (p = k->text; *p != '\0'; p += *p == '\n') {
		k->lines[k->line_count++] = p;
		p += strcspn(p, "\n");
	}
}

/* Whether the lines of the source are those of the text, one by one. They are not in an element
 * that holds Markdown. */
static bool
is_to_the_letter(const struct walk *k, int first, int last)
{
	unsigned line = source_line(k->source, first);

	for (int at = first; at <= last; at++, line++) {
		const char *from = source_text(k->source, at);
		size_t len = strcspn(from, "\n");
		if (source_line(k->source, at) != line || line > k->line_count ||
		    strncmp(k->lines[line - 1], from, len) != 0 ||
		    (k->lines[line - 1][len] != '\n' && k->lines[line - 1][len] != '\0'))
			return false;
	}
	return true;
}

/* Returns the label of the footnote that is cited, or NULL. The parser knows its number only. */
static const char *
label_of(const struct walk *k, cmark_node *cite)
{
	size_t n = strtoul(cmark_node_get_literal(cite), NULL, 10);

	return n > 0 && n <= k->label_count ? k->labels[n - 1] : NULL;
}

/* Whether the view has a form for this node itself. */
static bool
has_form(const struct walk *k, cmark_node *node)
{
	cmark_node *child;

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_HTML_BLOCK:
	case CMARK_NODE_CUSTOM_BLOCK:
	case CMARK_NODE_CUSTOM_INLINE:
		return false;
	case CMARK_NODE_ITEM:
		child = cmark_node_first_child(node);
		return child == NULL || cmark_node_get_type(child) == CMARK_NODE_PARAGRAPH;
	case CMARK_NODE_FOOTNOTE_REFERENCE:
		return label_of(k, node) != NULL;
	case CMARK_NODE_FOOTNOTE_DEFINITION:
		return cmark_node_get_type(cmark_node_parent(node)) == CMARK_NODE_DOCUMENT &&
		       source_note(k->c, k->source, cmark_node_get_start_line(node)) != NULL;
	default:
		return true;
	}
}

/* Whether the view has a form for a block and all in it. */
static bool
all_has_form(const struct walk *k, cmark_node *block)
{
	cmark_iter *iter = cmark_iter_new(block);
	bool has = true;

	while (has && cmark_iter_next(iter) != CMARK_EVENT_DONE)
		has = has_form(k, cmark_iter_get_node(iter));
	cmark_iter_free(iter);
	return has;
}

static int
by_first(const void *x, const void *y)
{
	const struct top *a = x, *b = y;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->last > b->last) - (a->last < b->last);
}

/* Makes one of blocks that share a line of the text. */
static void
join_tops(struct walk *k)
{
	size_t n = 0;

	if (k->count > 1)
		qsort(k->tops, k->count, sizeof(*k->tops), by_first);
	for (size_t i = 0; i < k->count; i++) {
		struct top *last = n > 0 ? &k->tops[n - 1] : NULL;
		if (last == NULL ||
		    source_line(k->source, k->tops[i].first) > source_line(k->source, last->last)) {
			k->tops[n++] = k->tops[i];
			continue;
		}
		last->node = NULL;
		if (k->tops[i].last > last->last)
			last->last = k->tops[i].last;
	}
	k->count = n;
}

static void
find_tops(struct walk *k, cmark_node *root)
{
	cmark_node *node;
	size_t count = 0, notes = 0;

	for (node = cmark_node_first_child(root); node != NULL; node = cmark_node_next(node)) {
		notes += cmark_node_get_type(node) == CMARK_NODE_FOOTNOTE_DEFINITION;
		count++;
	}
	k->tops = arena_array(k->c->arena, count, sizeof(*k->tops));
	k->labels = arena_array(k->c->arena, notes, sizeof(*k->labels));
	for (node = cmark_node_first_child(root); node != NULL; node = cmark_node_next(node)) {
		if (cmark_node_get_type(node) == CMARK_NODE_FOOTNOTE_DEFINITION)
			k->labels[k->label_count++] =
			    source_note(k->c, k->source, cmark_node_get_start_line(node));
	}
	for (node = cmark_node_first_child(root); node != NULL; node = cmark_node_next(node)) {
		struct top *top = &k->tops[k->count];
		if (!places_lines(k->source, node, &top->first, &top->last))
			continue;
		k->count++;
		if (all_has_form(k, node) && is_to_the_letter(k, top->first, top->last))
			top->node = node;
	}
	join_tops(k);
}

/* ---- nodes in JSON */

static void
begin_node(struct walk *k, const char *type)
{
	jwrite_object(&k->w);
	jwrite_member_text(&k->w, "type", type);
}

static void
attr_text(struct walk *k, const char *name, const char *text)
{
	jwrite_member_text(&k->w, name, text == NULL || text[0] == '\0' ? NULL : text);
}

/* Begins a node without content, whose only attribute is a text, if it has one. */
static void
begin_leaf(struct walk *k, const char *type, const char *name, const char *text)
{
	begin_node(k, type);
	if (name != NULL) {
		jwrite_member_object(&k->w, "attrs");
		jwrite_member_text(&k->w, name, text);
		jwrite_object_end(&k->w);
	}
}

/* ---- what is in a line */

struct marks {
	cmark_node *link;
	const char *href; /* of a bare address */
	int strong, emphasis, strike;
};

static void
write_mark(struct walk *k, const char *type)
{
	jwrite_object(&k->w);
	jwrite_member_text(&k->w, "type", type);
	jwrite_object_end(&k->w);
}

/* Writes the marks in the order of the schema. */
static void
write_marks(struct walk *k, const struct marks *m, bool code)
{
	if (m->link == NULL && m->strong + m->emphasis + m->strike == 0 && !code)
		return;
	jwrite_member_array(&k->w, "marks");
	if (m->link != NULL) {
		begin_node(k, "link");
		jwrite_member_object(&k->w, "attrs");
		jwrite_member_text(
		    &k->w, "href", m->href != NULL ? m->href : cmark_node_get_url(m->link));
		attr_text(k, "title", cmark_node_get_title(m->link));
		jwrite_object_end(&k->w);
		jwrite_object_end(&k->w);
	}
	if (m->strong > 0)
		write_mark(k, "strong");
	if (m->emphasis > 0)
		write_mark(k, "em");
	if (m->strike > 0)
		write_mark(k, "strike");
	if (code)
		write_mark(k, "code");
	jwrite_array_end(&k->w);
}

static void
write_text(struct walk *k, const struct marks *m, const char *text, bool code)
{
	if (text[0] == '\0')
		return;
	begin_node(k, "text");
	write_marks(k, m, code);
	jwrite_member_text(&k->w, "text", text);
	jwrite_object_end(&k->w);
}

/* Returns an image's alternative text: all words in its brackets. */
static const char *
image_text(struct walk *k, cmark_node *image)
{
	cmark_iter *iter = cmark_iter_new(image);
	struct buf out;

	buf_init(&out, k->c->arena, k->source->len + 16);
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);
		switch (cmark_node_get_type(node)) {
		case CMARK_NODE_TEXT:
		case CMARK_NODE_CODE:
			buf_add_text(&out, cmark_node_get_literal(node));
			break;
		case CMARK_NODE_SOFTBREAK:
		case CMARK_NODE_LINEBREAK:
			buf_add_char(&out, ' ');
			break;
		default:
			break;
		}
	}
	cmark_iter_free(iter);
	return buf_done(&out);
}

/* Writes an image; alone in its paragraph it is a picture. */
static void
write_image(struct walk *k, cmark_node *image, const char *type, const struct marks *m)
{
	const struct blocks_asked *asked = k->asked;
	const char *src = cmark_node_get_url(image);

	begin_node(k, type);
	jwrite_member_object(&k->w, "attrs");
	jwrite_member_text(&k->w, "src", src);
	jwrite_member_text(&k->w, "url",
	    asked->address != NULL ? asked->address(k->c, asked->address_arg, src) : NULL);
	jwrite_member_text(&k->w, "alt", image_text(k, image));
	attr_text(k, "title", cmark_node_get_title(image));
	jwrite_object_end(&k->w);
	if (m != NULL)
		write_marks(k, m, false);
	jwrite_object_end(&k->w);
}

/* Writes a tag. <br> is a break; an empty comment only keeps stars apart. */
static void
write_tag(struct walk *k, const struct marks *m, const char *tag)
{
	const char *rest = tag + 3;

	if (strcmp(tag, "<!-- -->") == 0)
		return;
	if (strncasecmp(tag, "<br", 3) == 0 &&
	    (rest += strspn(rest, " \t/"), strcmp(rest, ">") == 0))
		begin_leaf(k, "hard_break", NULL, NULL);
	else
		begin_leaf(k, "raw", "text", tag);
	write_marks(k, m, false);
	jwrite_object_end(&k->w);
}

/* Writes a leaf of the tree. */
static void
write_inline(struct walk *k, cmark_node *node, const struct marks *m)
{
	const char *text = cmark_node_get_literal(node);

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
		write_text(k, m, node == k->begun ? text + k->skip : text, false);
		break;
	case CMARK_NODE_CODE:
		write_text(k, m, text, true);
		break;
	case CMARK_NODE_SOFTBREAK:
		if (cmark_node_previous(node) != k->begun || k->begun == NULL)
			write_text(k, m, " ", false);
		break;
	case CMARK_NODE_LINEBREAK:
		begin_leaf(k, "hard_break", NULL, NULL);
		write_marks(k, m, false);
		jwrite_object_end(&k->w);
		break;
	case CMARK_NODE_HTML_INLINE:
		write_tag(k, m, text);
		break;
	case CMARK_NODE_FOOTNOTE_REFERENCE:
		begin_leaf(k, "cite", "label", label_of(k, node));
		write_marks(k, m, false);
		jwrite_object_end(&k->w);
		break;
	default:
		break;
	}
}

/* Takes a mark that begins (1) or ends (-1). Returns false for any other node. */
static bool
take_mark(struct marks *m, cmark_node *node, int by)
{
	if (cmark_node_get_type(node) == CMARK_NODE_STRONG)
		m->strong += by;
	else if (cmark_node_get_type(node) == CMARK_NODE_EMPH)
		m->emphasis += by;
	else if (is(node, "strikethrough"))
		m->strike += by;
	else if (cmark_node_get_type(node) == CMARK_NODE_LINK)
		m->link = by > 0 ? node : NULL;
	else
		return false;
	return true;
}

/* Writes a link that the parser made of a bare address, as the reader takes it: one that is not
 * of the web is text. Returns false for every other node. */
static bool
write_bare(struct walk *k, struct marks *m, cmark_node *node)
{
	const char *href, *text = from_markdown_bare(k->c, node, &href);

	if (text == NULL)
		return false;
	m->href = href;
	m->link = href != NULL ? node : NULL;
	write_text(k, m, text, false);
	m->link = NULL;
	m->href = NULL;
	return true;
}

/* Begins a node. Returns true for a mark: what is in it comes next. */
static bool
enter(struct walk *k, struct marks *m, cmark_node *node)
{
	if (cmark_node_get_type(node) == CMARK_NODE_IMAGE) {
		write_image(k, node, "image", m);
		return false;
	}
	if (write_bare(k, m, node))
		return false;
	if (take_mark(m, node, 1))
		return true;
	write_inline(k, node, m);
	return false;
}

/* Writes what is in a line, as the member "content", without recursion: a stranger decides how
 * deep the marks are. */
static void
write_line(struct walk *k, cmark_node *parent)
{
	cmark_node *node = cmark_node_first_child(parent), *child;
	struct marks m = { 0 };

	jwrite_member_array(&k->w, "content");
	while (node != NULL) {
		bool mark = enter(k, &m, node);
		child = mark ? cmark_node_first_child(node) : NULL;
		if (child != NULL) {
			node = child;
			continue;
		}
		if (mark)
			(void)take_mark(&m, node, -1);
		while (node != parent && cmark_node_next(node) == NULL) {
			node = cmark_node_parent(node);
			if (node != parent)
				(void)take_mark(&m, node, -1);
		}
		node = node == parent ? NULL : cmark_node_next(node);
	}
	jwrite_array_end(&k->w);
}

/* ---- blocks */

/* Blocks are in blocks: it calls itself. The reader has refused what is nested too deep. */
static void write_block(struct walk *k, cmark_node *node);

/* Writes an empty paragraph, where something must be. */
static void
write_empty(struct walk *k)
{
	begin_node(k, "paragraph");
	jwrite_object_end(&k->w);
}

/* Writes the blocks in a block, as the member "content": all of them, or those after `after`. */
static void
write_blocks(struct walk *k, cmark_node *parent, cmark_node *after)
{
	cmark_node *node = after != NULL ? cmark_node_next(after) : cmark_node_first_child(parent);
	unsigned line = k->line;

	k->line = 0;
	jwrite_member_array(&k->w, "content");
	if (node == NULL)
		write_empty(k);
	for (; node != NULL; node = cmark_node_next(node))
		write_block(k, node);
	jwrite_array_end(&k->w);
	k->line = line;
}

static void
write_paragraph(struct walk *k, cmark_node *node)
{
	cmark_node *only = cmark_node_first_child(node);
	cmark_node *parent = cmark_node_parent(node);

	if (only != NULL && cmark_node_next(only) == NULL &&
	    cmark_node_get_type(only) == CMARK_NODE_IMAGE &&
	    (cmark_node_get_type(parent) != CMARK_NODE_ITEM || cmark_node_previous(node) != NULL)) {
		write_image(k, only, "picture", NULL);
		return;
	}
	begin_node(k, "paragraph");
	write_line(k, node);
	jwrite_object_end(&k->w);
}

/* Returns the name of the part that the present heading begins, or NULL. */
static const char *
part_at(const struct walk *k)
{
	static const char *const names[] = { [PART_TAKEAWAYS] = "takeaways",
		[PART_FAQS] = "faqs",
		[PART_REFERENCES] = "references" };

	for (size_t i = PART_TAKEAWAYS; i <= PART_REFERENCES; i++) {
		if (k->line > 0 && k->places->parts[i] == k->line)
			return names[i];
	}
	return NULL;
}

static void
write_heading(struct walk *k, cmark_node *node)
{
	const char *part = part_at(k);

	begin_node(k, "heading");
	jwrite_member_object(&k->w, "attrs");
	jwrite_member_int(&k->w, "level", cmark_node_get_heading_level(node));
	jwrite_member_text(&k->w, "part", part);
	jwrite_object_end(&k->w);
	write_line(k, node);
	jwrite_object_end(&k->w);
}

static void
write_code(struct walk *k, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node);
	size_t len = strlen(text);

	begin_node(k, "code_block");
	jwrite_member_object(&k->w, "attrs");
	attr_text(k, "info", cmark_node_get_fence_info(node));
	jwrite_object_end(&k->w);
	if (len > 0 && text[len - 1] == '\n')
		len--;
	jwrite_member_array(&k->w, "content");
	write_text(k, &(struct marks) { 0 }, arena_text_n(k->c->arena, text, len), false);
	jwrite_array_end(&k->w);
	jwrite_object_end(&k->w);
}

/* Returns the sign with which an item of a list begins in its line. */
static const char *
bullet_of(const struct walk *k, cmark_node *list)
{
	cmark_node *item = cmark_node_first_child(list);
	const char *line = source_text(k->source, cmark_node_get_start_line(item));
	int column = cmark_node_get_start_column(item);
	char sign = column > 0 && (size_t)column <= strcspn(line, "\n") ? line[column - 1] : '-';

	return sign == '*' ? "*" : sign == '+' ? "+" : "-";
}

static void
write_item(struct walk *k, cmark_node *item)
{
	int first, last;

	begin_node(k, "list_item");
	jwrite_member_object(&k->w, "attrs");
	if (places_lines(k->source, item, &first, &last)) {
		jwrite_member_int(&k->w, "first", first - k->first);
		jwrite_member_int(&k->w, "last", last - k->first);
	}
	jwrite_object_end(&k->w);
	write_blocks(k, item, NULL);
	jwrite_object_end(&k->w);
}

static void
write_list(struct walk *k, cmark_node *node)
{
	bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
	const struct places_spot *spot = places_spot(&k->spots, k->line, SPOT_LIST);

	begin_node(k, ordered ? "ordered_list" : "bullet_list");
	jwrite_member_object(&k->w, "attrs");
	jwrite_member_bool(&k->w, "tight", cmark_node_get_list_tight(node));
	if (ordered) {
		jwrite_member_int(&k->w, "start", cmark_node_get_list_start(node));
		jwrite_member_text(&k->w, "delim",
		    cmark_node_get_list_delim(node) == CMARK_PAREN_DELIM ? ")" : ".");
		jwrite_member_bool(&k->w, "steps",
		    spot != NULL && (spot->block == NULL || spot->block->type == BLOCK_STEPS));
	} else {
		jwrite_member_text(&k->w, "bullet", bullet_of(k, node));
	}
	jwrite_object_end(&k->w);
	jwrite_member_array(&k->w, "content");
	for (cmark_node *item = cmark_node_first_child(node); item != NULL;
	     item = cmark_node_next(item))
		write_item(k, item);
	jwrite_array_end(&k->w);
	jwrite_object_end(&k->w);
}

/* A quote that begins with "[!TIP]" is a callout, as the reader of the HTML decides it
 * (htmlmap.h). What follows the mark in its line is the title, unless it has marks. */
struct mark_of_callout {
	enum callout_kind kind;
	cmark_node *text; /* which begins with it */
	size_t len;
	const char *title; /* or NULL */
	bool alone; /* nothing else is in the paragraph */
};

static bool
find_callout(const struct walk *k, cmark_node *quote, struct mark_of_callout *out)
{
	cmark_node *first = cmark_node_first_child(quote), *next;
	const char *text, *p, *close;

	first = first != NULL && cmark_node_get_type(first) == CMARK_NODE_PARAGRAPH
		    ? cmark_node_first_child(first)
		    : NULL;
	if (first == NULL || cmark_node_get_type(first) != CMARK_NODE_TEXT)
		return false;
	text = cmark_node_get_literal(first);
	p = text + strspn(text, " ");
	close = strchr(p, ']');
	if (p[0] != '[' || p[1] != '!' || close == NULL ||
	    !content_callout_kind(
		arena_text_n(k->c->arena, p + 2, (size_t)(close - p) - 2), &out->kind))
		return false;
	p = close + 1;
	p += *p == '-' || *p == '+';
	next = cmark_node_next(first);
	out->text = first;
	out->title = NULL;
	if (next == NULL || cmark_node_get_type(next) == CMARK_NODE_SOFTBREAK) {
		out->title = p + strspn(p, " ");
		p += strlen(p);
	}
	out->len = (size_t)(p - text);
	out->alone = next == NULL;
	return true;
}

static void
write_callout(struct walk *k, cmark_node *node, const struct mark_of_callout *mark)
{
	const struct places_spot *known = places_spot(&k->spots, k->line, SPOT_CALLOUT);
	const cmark_node *begun = k->begun;
	size_t skip = k->skip;
	bool titled = mark->title != NULL && mark->title[0] != '\0';

	begin_node(k, "callout");
	jwrite_member_object(&k->w, "attrs");
	jwrite_member_text(&k->w, "kind", content_callout_name(mark->kind));
	attr_text(k, "title", titled ? mark->title : known != NULL ? known->callout->title : NULL);
	jwrite_member_bool(&k->w, "titled", titled);
	jwrite_object_end(&k->w);
	k->begun = mark->text;
	k->skip = mark->len;
	write_blocks(k, node, mark->alone ? cmark_node_first_child(node) : NULL);
	k->begun = begun;
	k->skip = skip;
	jwrite_object_end(&k->w);
}

static void
write_quote(struct walk *k, cmark_node *node)
{
	const struct places_spot *known = places_spot(&k->spots, k->line, SPOT_QUOTE);
	struct mark_of_callout mark;

	if (find_callout(k, node, &mark)) {
		write_callout(k, node, &mark);
		return;
	}
	begin_node(k, "blockquote");
	jwrite_member_object(&k->w, "attrs");
	attr_text(k, "cite", known != NULL ? known->block->cite : NULL);
	jwrite_object_end(&k->w);
	write_blocks(k, node, NULL);
	jwrite_object_end(&k->w);
}

static void
write_row(struct walk *k, cmark_node *row)
{
	cmark_node *table = cmark_node_parent(row);
	const uint8_t *align = cmark_gfm_extensions_get_table_alignments(table);
	size_t columns = cmark_gfm_extensions_get_table_columns(table), n = 0;

	begin_node(k, "table_row");
	jwrite_member_object(&k->w, "attrs");
	jwrite_member_int(&k->w, "line", cmark_node_get_start_line(row) - k->first);
	jwrite_object_end(&k->w);
	jwrite_member_array(&k->w, "content");
	for (cmark_node *cell = cmark_node_first_child(row); cell != NULL;
	     cell = cmark_node_next(cell), n++) {
		begin_node(k, is(row, "table_header") ? "table_header" : "table_cell");
		jwrite_member_object(&k->w, "attrs");
		jwrite_member_text(&k->w, "align",
		    align != NULL && n < columns ? content_align_name((char)align[n]) : NULL);
		jwrite_object_end(&k->w);
		write_line(k, cell);
		jwrite_object_end(&k->w);
	}
	jwrite_array_end(&k->w);
	jwrite_object_end(&k->w);
}

static void
write_table(struct walk *k, cmark_node *node)
{
	const struct places_spot *known = places_spot(&k->spots, k->line, SPOT_TABLE);

	begin_node(k, "table");
	jwrite_member_object(&k->w, "attrs");
	attr_text(k, "caption", known != NULL ? known->table->caption : NULL);
	jwrite_member_bool(&k->w, "rowHeader", known != NULL && known->table->row_header);
	jwrite_object_end(&k->w);
	jwrite_member_array(&k->w, "content");
	for (cmark_node *row = cmark_node_first_child(node); row != NULL;
	     row = cmark_node_next(row))
		write_row(k, row);
	jwrite_array_end(&k->w);
	jwrite_object_end(&k->w);
}

static void
write_note(struct walk *k, cmark_node *node)
{
	const struct places_spot *known = places_spot(&k->spots, k->line, SPOT_SOURCE);

	begin_node(k, "note");
	jwrite_member_object(&k->w, "attrs");
	jwrite_member_text(
	    &k->w, "label", source_note(k->c, k->source, cmark_node_get_start_line(node)));
	attr_text(k, "accessed", known != NULL ? known->reference->accessed : NULL);
	jwrite_object_end(&k->w);
	write_blocks(k, node, NULL);
	jwrite_object_end(&k->w);
}

static void
write_block(struct walk *k, cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_PARAGRAPH:
		write_paragraph(k, node);
		break;
	case CMARK_NODE_HEADING:
		write_heading(k, node);
		break;
	case CMARK_NODE_LIST:
		write_list(k, node);
		break;
	case CMARK_NODE_BLOCK_QUOTE:
		write_quote(k, node);
		break;
	case CMARK_NODE_CODE_BLOCK:
		write_code(k, node);
		break;
	case CMARK_NODE_FOOTNOTE_DEFINITION:
		write_note(k, node);
		break;
	case CMARK_NODE_THEMATIC_BREAK:
		begin_node(k, "rule");
		jwrite_object_end(&k->w);
		break;
	default:
		write_table(k, node);
		break;
	}
}

static void
write_tops(struct walk *k)
{
	jwrite_object(&k->w);
	jwrite_member_array(&k->w, "blocks");
	for (size_t i = 0; i < k->count; i++) {
		const struct top *top = &k->tops[i];
		k->first = top->first;
		k->line = source_line(k->source, top->first);
		jwrite_object(&k->w);
		jwrite_member_int(&k->w, "first", k->line);
		jwrite_member_int(&k->w, "last", source_line(k->source, top->last));
		jwrite_name(&k->w, "node");
		if (top->node != NULL)
			write_block(k, top->node);
		else
			jwrite_null(&k->w);
		jwrite_object_end(&k->w);
	}
	jwrite_array_end(&k->w);
	jwrite_object_end(&k->w);
}

struct err *
blocks_write(struct ctx *c, const struct blocks_asked *asked, const char *text, struct buf *out)
{
	struct walk k = { .c = c, .asked = asked, .text = text };
	struct places places = { 0 };
	struct content content;
	struct source source;
	cmark_node *root;
	struct err *err =
	    body_places(c, asked->settings, asked->base, asked->title, text, &content, &places);

	if (err == NULL)
		err = source_open(c, text, strlen(text), 1, &source);
	if (err != NULL)
		return err;
	k.source = &source;
	k.places = &places;
	places_find_spots(c, &content, &places, &k.spots);
	find_lines(&k);
	root = source_parse(c, &source);
	find_tops(&k, root);
	jwrite_init(&k.w, out);
	write_tops(&k);
	cmark_node_free(root);
	return NULL;
}
