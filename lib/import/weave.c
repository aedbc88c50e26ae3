#include "import/weave.h"

#include <string.h>
#include <strings.h>

#include <cmark-gfm.h>

#include "base/arena.h"
#include "base/ctx.h"

/* Where the walk through the tree stands. */
struct walk {
	struct weave *w;
	int strong, emphasis, deleted; /* how many are open */
	int images;
	struct buf alt;    /* of the image that is open */
	size_t *marks;     /* raw elements open where each block began */
	size_t depth, cap; /* of marks */
	bool cell_head;    /* in the first row of a table */
};

static void
end_line(struct weave *w)
{
	struct woven *out = w->woven;

	if (out->line_count == w->cap) {
		size_t cap = w->cap == 0 ? 256 : w->cap * 2;
		out->lines = arena_grow(w->c->arena, out->lines,
		    w->cap * sizeof(*out->lines), cap * sizeof(*out->lines));
		w->cap = cap;
	}
	out->lines[out->line_count++] = w->line;
	buf_add_char(&w->out, '\n');
}

unsigned
weave_line(const struct woven *woven, unsigned at)
{
	if (at == 0 || woven->line_count == 0)
		return 0;
	return woven->lines[at <= woven->line_count ? at - 1 :
	    woven->line_count - 1];
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
			end_line(w);
			w->line++;
		} else if (strncmp(text, SOURCE_MARK, 3) == 0) {
			text += 2;
		} else if (!escape || *text == '\xEF') {
			buf_add_char(&w->out, *text);
		} else {
			buf_add_text(&w->out, *text == '&' ? "&amp;" :
			    *text == '<' ? "&lt;" :
			    *text == '>' ? "&gt;" : "&quot;");
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

static void
add_literal(struct weave *w, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node);

	weave_add(w, text, strlen(text), true);
}

static bool
is(cmark_node *node, const char *type)
{
	return strcmp(cmark_node_get_type_string(node), type) == 0;
}

/* What stands for a block or inline element; NULL: it is not as simple. */
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
		return cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
			   ? "ol" : "ul";
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

/* A new line of the html, for the line where the node begins. */
static void
begin_block(struct weave *w, cmark_node *node)
{
	end_line(w);
	w->line = source_line(w->source, cmark_node_get_start_line(node));
}

/* "Title {#anchor}": where the anchor begins in the last text of a heading, and
 * its length; NULL when there is none. An empty one only says so. */
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

static void
heading(struct weave *w, cmark_node *node)
{
	cmark_node *last = cmark_node_last_child(node);
	const char *text = NULL, *anchor = NULL;
	size_t len = 0;

	begin_block(w, node);
	if (last != NULL && cmark_node_get_type(last) == CMARK_NODE_TEXT) {
		text = arena_text(w->c->arena, cmark_node_get_literal(last));
		anchor = find_anchor(text, &len);
	}
	buf_printf(&w->out, "<h%d", cmark_node_get_heading_level(node));
	if (anchor != NULL) {
		if (len > 0)
			weave_attribute(w, "id",
			    arena_text_n(w->c->arena, anchor, len));
		cmark_node_set_literal(last, arena_text_n(w->c->arena, text,
		    (size_t)(anchor - 2 - text)));
	}
	buf_add_char(&w->out, '>');
}

static void
code_block(struct weave *w, cmark_node *node)
{
	const char *info = cmark_node_get_fence_info(node);

	begin_block(w, node);
	buf_lit(&w->out, "<pre");
	if (info != NULL && info[0] != '\0') {
		size_t len = strcspn(info, " \t");
		weave_attribute(w, "data-language",
		    arena_text_n(w->c->arena, info, len));
		if (info[len + strspn(info + len, " \t")] != '\0')
			losses_add(w->losses, w->line, "of \"%s\", what follows"
			    " the language was dropped",
			    losses_excerpt(w->c, info, 60));
	}
	/* The parser of HTML drops a newline that comes first. */
	buf_add_char(&w->out, '>');
	end_line(w);
	add_literal(w, node);
	buf_lit(&w->out, "</pre>");
}

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

/* Text inside an image's brackets: its alternative text. */
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

/* Marks that nest in themselves mean nothing more. */
static void
mark(struct weave *w, int *open, const char *name, bool entering)
{
	if (entering && ++*open == 1)
		buf_printf(&w->out, "<%s>", name);
	if (!entering && --*open == 0)
		buf_printf(&w->out, "</%s>", name);
}

/* "<script>" in a text: all up to its closing tag is left out; false when that
 * is not in the same text. */
static bool
drop_script(struct weave *w, cmark_node *node)
{
	const char *name = arena_text(w->c->arena,
	    strncasecmp(cmark_node_get_literal(node), "<script", 7) == 0 ?
	    "script" : "style");
	cmark_node *last, *next;
	const char *text;

	for (last = node; last != NULL; last = cmark_node_next(last)) {
		text = cmark_node_get_literal(last);
		if (cmark_node_get_type(last) == CMARK_NODE_HTML_INLINE &&
		    text[1] == '/' &&
		    strncasecmp(text + 2, name, strlen(name)) == 0)
			break;
	}
	if (last == NULL)
		return false;
	losses_add(w->losses, w->line, "<%s> was dropped with its content",
	    name);
	do {
		next = cmark_node_next(node);
		text = next == last ? NULL : "";
		cmark_node_free(next);
	} while (text != NULL);
	return true;
}

static void
html_inline(struct weave *w, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node);

	if ((strncasecmp(text, "<script", 7) != 0 &&
	    strncasecmp(text, "<style", 6) != 0) || !drop_script(w, node))
		weave_raw(w, text, false);
}

static void
leaf(struct weave *w, cmark_node *node)
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
		buf_printf(&w->out, "<x-cite data-id=\"%s\"></x-cite>",
		    cmark_node_get_literal(node));
		break;
	case CMARK_NODE_HTML_BLOCK:
		begin_block(w, node);
		weave_raw(w, cmark_node_get_literal(node), true);
		break;
	case CMARK_NODE_THEMATIC_BREAK:
		begin_block(w, node);
		buf_lit(&w->out, "<hr>");
		break;
	case CMARK_NODE_CODE_BLOCK:
		code_block(w, node);
		break;
	default:
		break;
	}
}

/* Strong, emphasised and deleted text, images, and what is in an image. */
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

static void
note_begin(struct weave *w, cmark_node *node)
{
	struct woven *out = w->woven;

	begin_block(w, node);
	if (out->note_count == w->note_cap) {
		size_t cap = w->note_cap == 0 ? 16 : w->note_cap * 2;
		out->notes = arena_grow(w->c->arena, out->notes,
		    w->note_cap * sizeof(*out->notes),
		    cap * sizeof(*out->notes));
		w->note_cap = cap;
	}
	out->notes[out->note_count].label = NULL;
	out->notes[out->note_count].line = w->line;
	out->note_count++;
	buf_printf(&w->out, "<x-note data-id=\"%zu\">", out->note_count);
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
		begin_block(w, node);
		buf_printf(&w->out, "<%s", name);
		if (cmark_node_get_list_start(node) != 1 &&
		    strcmp(name, "ol") == 0)
			buf_printf(&w->out, " start=\"%d\"",
			    cmark_node_get_list_start(node));
		buf_add_char(&w->out, '>');
	} else if (cmark_node_get_type(node) == CMARK_NODE_HEADING) {
		heading(w, node);
	} else if (cmark_node_get_type(node) ==
	    CMARK_NODE_FOOTNOTE_DEFINITION) {
		note_begin(w, node);
	} else if (cmark_node_get_type(node) == CMARK_NODE_LINK) {
		buf_lit(&w->out, "<a");
		weave_attribute(w, "href", cmark_node_get_url(node));
		weave_attribute(w, "title", cmark_node_get_title(node));
		buf_add_char(&w->out, '>');
	} else {
		leaf(w, node);
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
		buf_printf(&w->out, "</h%d>",
		    cmark_node_get_heading_level(node));
	else if (cmark_node_get_type(node) == CMARK_NODE_FOOTNOTE_DEFINITION)
		buf_lit(&w->out, "</x-note>");
	else if (cmark_node_get_type(node) == CMARK_NODE_LINK)
		buf_lit(&w->out, "</a>");
}

/* What raw HTML opened in a block ends before the block does. */
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
		walk->marks = arena_grow(w->c->arena, walk->marks,
		    walk->cap * sizeof(size_t), cap * sizeof(size_t));
		walk->cap = cap;
	}
	walk->marks[walk->depth++] = w->open_count;
	if (walk->depth > 2 * SOURCE_NESTING_MAX && w->err == NULL)
		w->err = refuse(w->c, ERR_INVALID,
		    "line %u: lists or quotes are nested more than %d deep.",
		    w->line, SOURCE_NESTING_MAX);
}

static void
visit(struct walk *walk, cmark_node *node, bool entering)
{
	cmark_node_type type = cmark_node_get_type(node);
	bool block = (type & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK &&
	    type != CMARK_NODE_HTML_BLOCK;

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

static void
walk_tree(struct walk *walk, cmark_node *root)
{
	cmark_node *node = root, *next;
	bool entering = true;

	for (;;) {
		if (entering) {
			visit(walk, node, true);
			next = cmark_node_first_child(node);
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

struct err *
weave_markdown(struct ctx *c, const struct source *source,
    struct losses *losses, struct woven *out)
{
	struct weave w = { .c = c, .losses = losses, .source = source,
		.woven = out };
	struct walk walk = { .w = &w };
	cmark_node *root;

	memset(out, 0, sizeof(*out));
	/* Escapes make at most six bytes of one. */
	buf_init(&w.out, c->arena, 16 * source->len + 4096);
	buf_init(&walk.alt, c->arena, source->len);
	root = weave_parse(c, source);
	walk_tree(&walk, root);
	cmark_node_free(root);
	weave_label_notes(&w);
	out->html = buf_done(&w.out);
	out->len = w.out.len;
	return w.err;
}
