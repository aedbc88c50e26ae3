#include "import/markdown/from-markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/content.h"

/* ---- the HTML and its lines */

static void
end_line(struct from_markdown *w)
{
	struct lined_html *out = w->html;

	if (out->line_count == w->cap) {
		size_t cap = w->cap == 0 ? 256 : w->cap * 2;
		out->lines = arena_grow(w->c->arena, out->lines, w->cap * sizeof(*out->lines),
		    cap * sizeof(*out->lines));
		w->cap = cap;
	}
	out->lines[out->line_count++] = w->line;
	buf_add_char(&w->out, '\n');
}

unsigned
from_markdown_line(const struct lined_html *html, unsigned at)
{
	size_t last = html->line_count;

	return html->lines[(at < last ? at : last) - 1];
}

void
from_markdown_add(struct from_markdown *w, const char *text, size_t len, bool escape)
{
	const char *end = text + len;

	while (text < end) {
		size_t n = strcspn(text, "\n&<>\"\xEF");
		n = n < (size_t)(end - text) ? n : (size_t)(end - text);
		buf_add(&w->out, text, n);
		text += n;
		if (text == end)
			break;
		if (*text == '\n') {
			end_line(w);
			w->line++;
		} else if (strncmp(text, SOURCE_MARK, 3) == 0) {
			text += 2;
		} else if (!escape || *text == '\xEF') {
			buf_add_char(&w->out, *text);
		} else {
			buf_add_text(&w->out, *text == '&'   ? "&amp;"
					      : *text == '<' ? "&lt;"
					      : *text == '>' ? "&gt;"
							     : "&quot;");
		}
		text++;
	}
}

static void
attribute(struct from_markdown *w, const char *name, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	buf_printf(&w->out, " %s=\"", name);
	from_markdown_add(w, value, strlen(value), true);
	buf_add_char(&w->out, '"');
}

/* ---- headings, code, leaves */

static void
add_literal(struct from_markdown *w, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node);

	from_markdown_add(w, text, strlen(text), true);
}

/* Begins a new line of the html, for the line where the node begins. */
static void
begin_line(struct from_markdown *w, cmark_node *node)
{
	end_line(w);
	w->line = source_line(w->source, cmark_node_get_start_line(node));
}

/* Returns where the anchor of "Title {#anchor}" begins in the last text of a
 * heading, and its length; NULL if there is none. An empty anchor only says that
 * there is none. */
static const char *
find_anchor(const char *text, size_t *len)
{
	const char *open = strrchr(text, '{'), *close;

	if (open == NULL || open[1] != '#')
		return NULL;
	close = strchr(open, '}');
	if (close == NULL || close[1 + strspn(close + 1, " ")] != '\0')
		return NULL;
	*len = strcspn(open + 2, " }");
	return open + 2;
}

/* Opens a heading, with its anchor. */
static void
heading(struct from_markdown *w, cmark_node *node)
{
	cmark_node *last = cmark_node_last_child(node);
	const char *text = NULL, *anchor = NULL;
	size_t len = 0;

	begin_line(w, node);
	if (last != NULL && cmark_node_get_type(last) == CMARK_NODE_TEXT) {
		text = arena_text(w->c->arena, cmark_node_get_literal(last));
		anchor = find_anchor(text, &len);
	}
	buf_printf(&w->out, "<h%d", cmark_node_get_heading_level(node));
	if (anchor != NULL) {
		if (len > 0)
			attribute(w, "id", arena_text_n(w->c->arena, anchor, len));
		cmark_node_set_literal(
		    last, arena_text_n(w->c->arena, text, (size_t)(anchor - 2 - text)));
	}
	buf_add_char(&w->out, '>');
}

/* Writes a code block as <pre>. The first word after its fence is the language;
 * the rest is a loss. */
static void
code_block(struct from_markdown *w, cmark_node *node)
{
	const char *info = cmark_node_get_fence_info(node);

	begin_line(w, node);
	buf_lit(&w->out, "<pre");
	if (info != NULL && info[0] != '\0') {
		size_t len = strcspn(info, " \t");
		attribute(w, "data-language", arena_text_n(w->c->arena, info, len));
		if (info[len + strspn(info + len, " \t")] != '\0')
			losses_add(w->losses, w->line,
			    tr_mark("of \"%s\", what follows the language was dropped"),
			    losses_excerpt(w->c, info, 60));
	}
	/* The parser of HTML drops a newline at the beginning. */
	buf_add_char(&w->out, '>');
	end_line(w);
	add_literal(w, node);
	buf_lit(&w->out, "</pre>");
}

/* Leaves out "<script>" in a text and all up to its closing tag. Returns false if
 * that tag is not in the same text. */
static bool
drop_script(struct from_markdown *w, cmark_node *node)
{
	bool style = strncasecmp(cmark_node_get_literal(node), "<style", 6) == 0;
	const char *name = style ? "style" : "script";
	cmark_node *last, *next, *parent = cmark_node_parent(node);
	const char *text;

	if (w->unclosed[style] == parent)
		return false;
	for (last = node; last != NULL; last = cmark_node_next(last)) {
		text = cmark_node_get_literal(last);
		if (cmark_node_get_type(last) == CMARK_NODE_HTML_INLINE && text[1] == '/' &&
		    strncasecmp(text + 2, name, strlen(name)) == 0)
			break;
	}
	if (last == NULL) {
		w->unclosed[style] = parent;
		return false;
	}
	losses_add(w->losses, w->line, tr_mark("<%s> was dropped with its content"), name);
	do {
		next = cmark_node_next(node);
		text = next == last ? NULL : "";
		cmark_node_free(next);
	} while (text != NULL);
	return true;
}

/* Writes a tag in a text. <script> and <style> are left out with their content. */
static void
html_inline(struct from_markdown *w, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node);

	if ((strncasecmp(text, "<script", 7) != 0 && strncasecmp(text, "<style", 6) != 0) ||
	    !drop_script(w, node))
		from_markdown_raw(w, text, false);
}

/* Adds what has no opening and closing tag. */
static void
leaf(struct from_markdown *w, cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
		add_literal(w, node);
		break;
	case CMARK_NODE_CODE:
		buf_lit(&w->out, "<code>");
		add_literal(w, node);
		buf_lit(&w->out, "</code>");
		break;
	case CMARK_NODE_LINEBREAK:
		buf_lit(&w->out, "<br>");
		/* fall through */
	case CMARK_NODE_SOFTBREAK:
		end_line(w);
		w->line++;
		break;
	case CMARK_NODE_HTML_INLINE:
		html_inline(w, node);
		break;
	case CMARK_NODE_FOOTNOTE_REFERENCE:
		buf_printf(
		    &w->out, "<x-cite data-id=\"%s\"></x-cite>", cmark_node_get_literal(node));
		break;
	case CMARK_NODE_HTML_BLOCK:
		begin_line(w, node);
		from_markdown_raw(w, cmark_node_get_literal(node), true);
		break;
	case CMARK_NODE_THEMATIC_BREAK:
		begin_line(w, node);
		buf_lit(&w->out, "<hr>");
		break;
	case CMARK_NODE_CODE_BLOCK:
		code_block(w, node);
		break;
	default:
		break;
	}
}

/* Looks at a table's row for cells that the parser has dropped. */
/* Notes a loss: GFM drops the cells of a row after the last column. */
static void
check_row(struct from_markdown *w, cmark_node *row)
{
	const char *p = source_text(w->source, cmark_node_get_start_line(row));
	size_t columns = cmark_gfm_extensions_get_table_columns(cmark_node_parent(row));
	size_t cells = 1;
	bool bar = true; /* nothing followed the last bar yet */

	p += strspn(p, " \t>");
	p += *p == '|';
	for (; *p != '\0' && *p != '\n'; p++) {
		if (*p == '\\' && p[1] != '\n' && p[1] != '\0')
			p++;
		else if (*p == '|')
			cells++;
		bar = *p == '|' || (bar && (*p == ' ' || *p == '\t'));
	}
	if (cells - bar > columns)
		losses_add(w->losses, w->line,
		    tr_mark(
			"a row has more cells than its table has columns; the rest was dropped (write \\| for a bar in a cell)"));
}

/* ---- the tree */

/* The position of the walk in the tree. */
struct walk {
	struct from_markdown *w;
	int strong, emphasis, deleted; /* how many of them are open */
	int images;
	struct buf alt; /* of the open image */
	size_t *marks; /* how many raw elements were open where each block began */
	size_t depth, cap; /* of marks */
	bool cell_head; /* it is in the first row of a table */
};

static bool
is(cmark_node *node, const char *type)
{
	return strcmp(cmark_node_get_type_string(node), type) == 0;
}

/* Returns the HTML element for a node that is only a pair of tags; NULL for other nodes. */
static const char *
simple_name(struct walk *walk, cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_BLOCK_QUOTE:
		return "blockquote";
	case CMARK_NODE_ITEM:
		return "li";
	case CMARK_NODE_PARAGRAPH:
		return "p";
	case CMARK_NODE_LIST:
		return cmark_node_get_list_type(node) == CMARK_ORDERED_LIST ? "ol" : "ul";
	default:
		break;
	}
	if (is(node, "table"))
		return "table";
	if (is(node, "table_header") || is(node, "table_row"))
		return "tr";
	if (is(node, "table_cell"))
		return walk->cell_head ? "th" : "td";
	return NULL;
}

/* Writes an image when its last bracket closes. An image inside another one only
 * adds to its text. */
static void
image(struct walk *walk, cmark_node *node, bool entering)
{
	struct from_markdown *w = walk->w;

	if (entering && walk->images++ == 0) {
		buf_reset(&walk->alt);
		return;
	}
	if (entering || --walk->images > 0)
		return;
	buf_lit(&w->out, "<img");
	attribute(w, "src", cmark_node_get_url(node));
	attribute(w, "alt", walk->alt.data);
	attribute(w, "title", cmark_node_get_title(node));
	buf_add_char(&w->out, '>');
}

/* Collects text inside an image's brackets as its alternative text. */
static void
image_text(struct walk *walk, cmark_node *node, bool entering)
{
	const char *text = cmark_node_get_literal(node);

	if (!entering)
		return;
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
	case CMARK_NODE_CODE:
		buf_add_text(&walk->alt, text);
		break;
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
		buf_add_char(&walk->alt, ' ');
		walk->w->line++;
		break;
	default:
		break;
	}
}

/* Writes a mark. Inside itself, the same mark means nothing more. */
static void
mark(struct from_markdown *w, int *open, const char *name, bool entering)
{
	if (entering && ++*open == 1)
		buf_printf(&w->out, "<%s>", name);
	if (!entering && --*open == 0)
		buf_printf(&w->out, "</%s>", name);
}

/* Handles strong, emphasised and deleted text, images, and nodes inside an image.
 * Returns false for other nodes. */
static bool
is_mark(struct walk *walk, cmark_node *node, bool entering)
{
	if (cmark_node_get_type(node) == CMARK_NODE_IMAGE)
		image(walk, node, entering);
	else if (walk->images > 0)
		image_text(walk, node, entering);
	else if (cmark_node_get_type(node) == CMARK_NODE_STRONG)
		mark(walk->w, &walk->strong, "strong", entering);
	else if (cmark_node_get_type(node) == CMARK_NODE_EMPH)
		mark(walk->w, &walk->emphasis, "em", entering);
	else if (is(node, "strikethrough"))
		mark(walk->w, &walk->deleted, "del", entering);
	else
		return false;
	return true;
}

/* Begins a footnote as <x-note> with its number, which htmlmap.h reads. */
static void
note_begin(struct from_markdown *w, cmark_node *node)
{
	struct lined_html *out = w->html;

	begin_line(w, node);
	if (out->note_count == w->note_cap) {
		size_t cap = w->note_cap == 0 ? 16 : w->note_cap * 2;
		out->notes = arena_grow(w->c->arena, out->notes, w->note_cap * sizeof(*out->notes),
		    cap * sizeof(*out->notes));
		w->note_cap = cap;
	}
	out->notes[out->note_count].label = NULL;
	out->notes[out->note_count].line = w->line;
	out->note_count++;
	buf_printf(&w->out, "<x-note data-id=\"%zu\">", out->note_count);
}

/* Tells that a list has no boxes to tick. */
static void
tell_box(struct from_markdown *w, cmark_node *item)
{
	cmark_node *text = cmark_node_first_child(item);
	const char *box = NULL;

	if (cmark_node_get_type(item) != CMARK_NODE_ITEM || text == NULL)
		return;
	text = cmark_node_first_child(text);
	if (text != NULL && cmark_node_get_type(text) == CMARK_NODE_TEXT)
		box = cmark_node_get_literal(text);
	if (box != NULL && box[0] == '[' && box[1] != '\0' && strchr(" xX", box[1]) != NULL &&
	    box[2] == ']' && box[3] == ' ')
		losses_add(w->losses, w->line,
		    tr_mark("a list has no boxes to tick: [ ] and [x] stay as text"));
}

/* Writes the alignment of a cell's column. */
static void
cell_align(struct from_markdown *w, cmark_node *cell)
{
	cmark_node *table = cmark_node_parent(cmark_node_parent(cell));
	const uint8_t *align = cmark_gfm_extensions_get_table_alignments(table);
	unsigned column = 0;

	while ((cell = cmark_node_previous(cell)) != NULL)
		column++;
	if (align != NULL && column < cmark_gfm_extensions_get_table_columns(table))
		attribute(w, "align", content_align_name((char)align[column]));
}

/* Returns the text of a link that the parser made of a bare address, with brackets around
 * nothing; else NULL. The text of every other link begins after its bracket. */
static const char *
bare_text(cmark_node *node)
{
	cmark_node *text = cmark_node_first_child(node);

	return cmark_node_get_type(node) == CMARK_NODE_LINK && text != NULL &&
		       cmark_node_get_type(text) == CMARK_NODE_TEXT &&
		       cmark_node_get_start_column(text) == cmark_node_get_start_column(node)
		   ? cmark_node_get_literal(text)
		   : NULL;
}

const char *
from_markdown_bare(struct ctx *c, struct cmark_node *node, const char **href)
{
	const char *typed = bare_text(node);
	char *text, *to;

	*href = NULL;
	if (typed == NULL)
		return NULL;
	/* The parser takes an address as it is typed, with the backslashes that mean nothing to a
	 * reader. */
	text = to = arena_text(c->arena, typed);
	for (const char *p = typed; *p != '\0'; p++) {
		if (*p == '\\' && p[1] != '\0' && ispunct((unsigned char)p[1]))
			p++;
		*to++ = *p;
		if (*p == '&' && strncmp(p, "&amp;", 5) == 0)
			p += 4;
	}
	*to = '\0';
	if (strncmp(typed, "www.", 4) == 0)
		*href = arena_printf(c->arena, "http://%s", text);
	else if (strncasecmp(typed, "http", 4) == 0)
		*href = text;
	return text;
}

/* Writes a bare address as a link, or as text where it is not of the web: the parser has no way
 * to write such a text without a link. */
static void
bare_address(struct from_markdown *w, cmark_node *node)
{
	const char *href, *text = from_markdown_bare(w->c, node, &href);

	if (href != NULL) {
		buf_lit(&w->out, "<a");
		attribute(w, "href", href);
		buf_add_char(&w->out, '>');
	}
	from_markdown_add(w, text, strlen(text), true);
	if (href != NULL)
		buf_lit(&w->out, "</a>");
}

static void
enter(struct walk *walk, cmark_node *node)
{
	struct from_markdown *w = walk->w;
	const char *name;

	if (is(node, "table_header") || is(node, "table_row"))
		walk->cell_head = is(node, "table_header");
	name = simple_name(walk, node);
	if (name != NULL) {
		begin_line(w, node);
		tell_box(w, node);
		buf_printf(&w->out, "<%s", name);
		if (strcmp(name, "th") == 0)
			cell_align(w, node);
		if (cmark_node_get_list_start(node) != 1 && strcmp(name, "ol") == 0)
			buf_printf(&w->out, " start=\"%d\"", cmark_node_get_list_start(node));
		buf_add_char(&w->out, '>');
		if (is(node, "table_row"))
			check_row(w, node);
	} else if (cmark_node_get_type(node) == CMARK_NODE_HEADING) {
		heading(w, node);
	} else if (cmark_node_get_type(node) == CMARK_NODE_FOOTNOTE_DEFINITION) {
		note_begin(w, node);
	} else if (bare_text(node) != NULL) {
		bare_address(w, node);
	} else if (cmark_node_get_type(node) == CMARK_NODE_LINK) {
		buf_lit(&w->out, "<a");
		attribute(w, "href", cmark_node_get_url(node));
		attribute(w, "title", cmark_node_get_title(node));
		buf_add_char(&w->out, '>');
	} else {
		leaf(w, node);
	}
}

static void
leave(struct walk *walk, cmark_node *node)
{
	const char *name = simple_name(walk, node);
	struct from_markdown *w = walk->w;

	if (name != NULL)
		buf_printf(&w->out, "</%s>", name);
	else if (cmark_node_get_type(node) == CMARK_NODE_HEADING)
		buf_printf(&w->out, "</h%d>", cmark_node_get_heading_level(node));
	else if (cmark_node_get_type(node) == CMARK_NODE_FOOTNOTE_DEFINITION)
		buf_lit(&w->out, "</x-note>");
	else if (cmark_node_get_type(node) == CMARK_NODE_LINK && bare_text(node) == NULL)
		buf_lit(&w->out, "</a>");
}

/* Elements that raw HTML opened in a block end before the block does. */
static void
keep_open_count(struct walk *walk, bool entering)
{
	struct from_markdown *w = walk->w;

	if (!entering) {
		from_markdown_raw_close(w, walk->marks[--walk->depth]);
		return;
	}
	if (walk->depth == walk->cap) {
		size_t cap = walk->cap == 0 ? 32 : walk->cap * 2;
		walk->marks = arena_grow(
		    w->c->arena, walk->marks, walk->cap * sizeof(size_t), cap * sizeof(size_t));
		walk->cap = cap;
	}
	walk->marks[walk->depth++] = w->open_count;
	/* A list and its item count two; the document and a paragraph are two
	 * more. */
	if (walk->depth > 2 * SOURCE_NESTING_MAX + 2 && w->err == NULL)
		w->err = refuse(w->c, ERR_INVALID,
		    tr_mark("line %u: lists or quotes are nested more than %d deep."), w->line,
		    SOURCE_NESTING_MAX);
}

static void
visit(struct walk *walk, cmark_node *node, bool entering)
{
	cmark_node_type type = cmark_node_get_type(node);
	bool block =
	    (type & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK && type != CMARK_NODE_HTML_BLOCK;

	if (block && !entering)
		keep_open_count(walk, false);
	if (!is_mark(walk, node, entering)) {
		if (entering)
			enter(walk, node);
		else
			leave(walk, node);
	}
	if (block && entering)
		keep_open_count(walk, true);
}

/* Visits every node twice, before and after its children, without recursion: a
 * stranger decides how deep the tree is. */
static void
walk_tree(struct walk *walk, cmark_node *root)
{
	cmark_node *node = root, *next;
	bool entering = true;

	for (;;) {
		if (entering) {
			visit(walk, node, true);
			next = walk->images == 0 && bare_text(node) != NULL
				   ? NULL
				   : cmark_node_first_child(node);
			if (next != NULL) {
				node = next;
				continue;
			}
		}
		visit(walk, node, false);
		if (node == root || walk->w->err != NULL)
			return;
		next = cmark_node_next(node);
		entering = next != NULL;
		node = entering ? next : cmark_node_parent(node);
	}
}

/* Finds the labels of the footnotes, by their lines. */
static void
label_notes(struct from_markdown *w)
{
	struct lined_html *out = w->html;
	const char *label;
	size_t i;

	for (size_t at = 0; at < w->source->line_count; at++) {
		label = source_note(w->c, w->source, (int)at + 1);
		if (label == NULL)
			continue;
		for (i = 0; i < out->note_count; i++) {
			if (out->notes[i].line == w->source->lines[at])
				break;
		}
		if (i < out->note_count)
			out->notes[i].label = label;
	}
}

struct err *
from_markdown(
    struct ctx *c, const struct source *source, struct losses *losses, struct lined_html *out)
{
	struct from_markdown w = { .c = c, .losses = losses, .source = source, .html = out };
	struct walk walk = { .w = &w };
	cmark_node *root;

	memset(out, 0, sizeof(*out));
	/* An escape makes at most six bytes of one. */
	buf_init(&w.out, c->arena, 16 * source->len + 4096);
	buf_init(&walk.alt, c->arena, source->len);
	root = source_parse(c, source);
	walk_tree(&walk, root);
	cmark_node_free(root);
	label_notes(&w);
	end_line(&w);
	out->text = buf_done(&w.out);
	out->len = w.out.len;
	return w.err;
}

struct err *
from_markdown_html(
    struct ctx *c, const char *html, unsigned line, struct losses *losses, struct lined_html *out)
{
	struct from_markdown w = { .c = c, .losses = losses, .html = out, .line = line };

	memset(out, 0, sizeof(*out));
	/* An escape makes at most six bytes of one. */
	buf_init(&w.out, c->arena, 16 * strlen(html) + 4096);
	from_markdown_raw(&w, html, true);
	from_markdown_raw_close(&w, 0);
	from_markdown_add(&w, "\n", 1, false);
	out->text = buf_done(&w.out);
	out->len = w.out.len;
	return w.err;
}
