#include "import/markdown/weave.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/content.h"

void
weave_end_line(struct weave *w)
{
	struct woven *out = w->woven;

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
weave_line(const struct woven *woven, unsigned at)
{
	size_t last = woven->line_count;

	return woven->lines[(at < last ? at : last) - 1];
}

void
weave_add(struct weave *w, const char *text, size_t len, bool escape)
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
			weave_end_line(w);
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

void
weave_attribute(struct weave *w, const char *name, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	buf_printf(&w->out, " %s=\"", name);
	weave_add(w, value, strlen(value), true);
	buf_add_char(&w->out, '"');
}

/* The position of the walk in the tree. */
struct walk {
	struct weave *w;
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
	struct weave *w = walk->w;

	if (entering && walk->images++ == 0) {
		buf_reset(&walk->alt);
		return;
	}
	if (entering || --walk->images > 0)
		return;
	buf_lit(&w->out, "<img");
	weave_attribute(w, "src", cmark_node_get_url(node));
	weave_attribute(w, "alt", walk->alt.data);
	weave_attribute(w, "title", cmark_node_get_title(node));
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
mark(struct weave *w, int *open, const char *name, bool entering)
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
note_begin(struct weave *w, cmark_node *node)
{
	struct woven *out = w->woven;

	weave_begin(w, node);
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
tell_box(struct weave *w, cmark_node *item)
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
cell_align(struct weave *w, cmark_node *cell)
{
	cmark_node *table = cmark_node_parent(cmark_node_parent(cell));
	const uint8_t *align = cmark_gfm_extensions_get_table_alignments(table);
	unsigned column = 0;

	while ((cell = cmark_node_previous(cell)) != NULL)
		column++;
	if (align != NULL && column < cmark_gfm_extensions_get_table_columns(table))
		weave_attribute(w, "align", content_align_name((char)align[column]));
}

/* Returns the text of a link that the parser made of a bare address, with brackets around
 * nothing; else NULL. The text of every other link begins behind its bracket. */
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

/* Writes a bare address as a link, or as text where it is none of the web: not every @ means
 * somebody's mail, and the parser has no way to write such a text without a link. It takes an
 * address as it is typed, with the backslashes that mean nothing to a reader. */
static void
bare_address(struct weave *w, const char *typed)
{
	char *text = arena_text(w->c->arena, typed), *to = text;
	bool www = strncmp(typed, "www.", 4) == 0;

	for (const char *p = typed; *p != '\0'; p++) {
		if (*p == '\\' && p[1] != '\0' && ispunct((unsigned char)p[1]))
			p++;
		*to++ = *p;
		if (*p == '&' && strncmp(p, "&amp;", 5) == 0)
			p += 4;
	}
	*to = '\0';
	if (!www && strncasecmp(typed, "http", 4) != 0) {
		weave_add(w, text, strlen(text), true);
		return;
	}
	buf_lit(&w->out, "<a");
	weave_attribute(w, "href", www ? arena_printf(w->c->arena, "http://%s", text) : text);
	buf_add_char(&w->out, '>');
	weave_add(w, text, strlen(text), true);
	buf_lit(&w->out, "</a>");
}

static void
enter(struct walk *walk, cmark_node *node)
{
	struct weave *w = walk->w;
	const char *name;

	if (is(node, "table_header") || is(node, "table_row"))
		walk->cell_head = is(node, "table_header");
	name = simple_name(walk, node);
	if (name != NULL) {
		weave_begin(w, node);
		tell_box(w, node);
		buf_printf(&w->out, "<%s", name);
		if (strcmp(name, "th") == 0)
			cell_align(w, node);
		if (cmark_node_get_list_start(node) != 1 && strcmp(name, "ol") == 0)
			buf_printf(&w->out, " start=\"%d\"", cmark_node_get_list_start(node));
		buf_add_char(&w->out, '>');
		if (is(node, "table_row"))
			weave_row(w, node);
	} else if (cmark_node_get_type(node) == CMARK_NODE_HEADING) {
		weave_heading(w, node);
	} else if (cmark_node_get_type(node) == CMARK_NODE_FOOTNOTE_DEFINITION) {
		note_begin(w, node);
	} else if (bare_text(node) != NULL) {
		bare_address(w, bare_text(node));
	} else if (cmark_node_get_type(node) == CMARK_NODE_LINK) {
		buf_lit(&w->out, "<a");
		weave_attribute(w, "href", cmark_node_get_url(node));
		weave_attribute(w, "title", cmark_node_get_title(node));
		buf_add_char(&w->out, '>');
	} else {
		weave_leaf(w, node);
	}
}

static void
leave(struct walk *walk, cmark_node *node)
{
	const char *name = simple_name(walk, node);
	struct weave *w = walk->w;

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
	struct weave *w = walk->w;

	if (!entering) {
		weave_raw_close(w, walk->marks[--walk->depth]);
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
label_notes(struct weave *w)
{
	struct woven *out = w->woven;
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
weave_markdown(struct ctx *c, const struct source *source, struct losses *losses, struct woven *out)
{
	struct weave w = { .c = c, .losses = losses, .source = source, .woven = out };
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
	weave_end_line(&w);
	out->html = buf_done(&w.out);
	out->len = w.out.len;
	return w.err;
}

struct err *
weave_html(struct ctx *c, const char *html, unsigned line, struct losses *losses, struct woven *out)
{
	struct weave w = { .c = c, .losses = losses, .woven = out, .line = line };

	memset(out, 0, sizeof(*out));
	/* An escape makes at most six bytes of one. */
	buf_init(&w.out, c->arena, 16 * strlen(html) + 4096);
	weave_raw(&w, html, true);
	weave_raw_close(&w, 0);
	weave_add(&w, "\n", 1, false);
	out->html = buf_done(&w.out);
	out->len = w.out.len;
	return w.err;
}
