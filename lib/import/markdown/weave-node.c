#include "import/markdown/weave.h"

#include <string.h>
#include <strings.h>

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>

#include "base/arena.h"
#include "base/ctx.h"

static void
add_literal(struct weave *w, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node);

	weave_add(w, text, strlen(text), true);
}

/* Begins a new line of the html, for the line where the node begins. */
void
weave_begin(struct weave *w, cmark_node *node)
{
	weave_end_line(w);
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

void
weave_heading(struct weave *w, cmark_node *node)
{
	cmark_node *last = cmark_node_last_child(node);
	const char *text = NULL, *anchor = NULL;
	size_t len = 0;

	weave_begin(w, node);
	if (last != NULL && cmark_node_get_type(last) == CMARK_NODE_TEXT) {
		text = arena_text(w->c->arena, cmark_node_get_literal(last));
		anchor = find_anchor(text, &len);
	}
	buf_printf(&w->out, "<h%d", cmark_node_get_heading_level(node));
	if (anchor != NULL) {
		if (len > 0)
			weave_attribute(w, "id", arena_text_n(w->c->arena, anchor, len));
		cmark_node_set_literal(
		    last, arena_text_n(w->c->arena, text, (size_t)(anchor - 2 - text)));
	}
	buf_add_char(&w->out, '>');
}

/* Writes a code block as <pre>. The first word behind its fence is the language;
 * the rest is a loss. */
static void
code_block(struct weave *w, cmark_node *node)
{
	const char *info = cmark_node_get_fence_info(node);

	weave_begin(w, node);
	buf_lit(&w->out, "<pre");
	if (info != NULL && info[0] != '\0') {
		size_t len = strcspn(info, " \t");
		weave_attribute(w, "data-language", arena_text_n(w->c->arena, info, len));
		if (info[len + strspn(info + len, " \t")] != '\0')
			losses_add(w->losses, w->line,
			    tr_mark("of \"%s\", what follows the language was dropped"),
			    losses_excerpt(w->c, info, 60));
	}
	/* The parser of HTML drops a newline at the beginning. */
	buf_add_char(&w->out, '>');
	weave_end_line(w);
	add_literal(w, node);
	buf_lit(&w->out, "</pre>");
}

/* Leaves out "<script>" in a text and all up to its closing tag. Returns false if
 * that tag is not in the same text. */
static bool
drop_script(struct weave *w, cmark_node *node)
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
html_inline(struct weave *w, cmark_node *node)
{
	const char *text = cmark_node_get_literal(node);

	if ((strncasecmp(text, "<script", 7) != 0 && strncasecmp(text, "<style", 6) != 0) ||
	    !drop_script(w, node))
		weave_raw(w, text, false);
}

void
weave_leaf(struct weave *w, cmark_node *node)
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
		weave_end_line(w);
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
		weave_begin(w, node);
		weave_raw(w, cmark_node_get_literal(node), true);
		break;
	case CMARK_NODE_THEMATIC_BREAK:
		weave_begin(w, node);
		buf_lit(&w->out, "<hr>");
		break;
	case CMARK_NODE_CODE_BLOCK:
		code_block(w, node);
		break;
	default:
		break;
	}
}

/* Notes a loss: GFM drops the cells of a row behind the last column. */
void
weave_row(struct weave *w, cmark_node *row)
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
