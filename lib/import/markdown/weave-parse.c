#include "import/markdown/weave.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"

/* The mark of the paragraph that is added at the end. It cites all footnotes, so
 * that the parser keeps those that nothing else cites. */
#define LAST_MARK "\xEF\xB7\x91" /* U+FDD1 */

#define WORD_MAX 100 /* signs in a word that make a bare address slow */

enum { OPTIONS = CMARK_OPT_FOOTNOTES | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE };

/* Returns the label of the footnote that the line at `p` defines, or NULL. */
static const char *
footnote_label(struct ctx *c, const char *p)
{
	size_t len;

	p += strspn(p, " \t>-*+0123456789.)");
	if (p[0] != '[' || p[1] != '^')
		return NULL;
	len = strcspn(p + 2, "] \t\n");
	if (len == 0 || p[2 + len] != ']' || p[3 + len] != ':')
		return NULL;
	return arena_text_n(c->arena, p + 2, len);
}

static const char *
next_line(const char *p)
{
	const char *newline = strchr(p, '\n');

	return newline == NULL ? p + strlen(p) : newline + 1;
}

/* The library's own functions abort where there is no memory; these end the process as Galley
 * ends it, with an answer. */
_Noreturn static void
none(size_t size)
{
	die("memory: the system has none for %zu bytes of Markdown", size);
}

static void *
take(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (p == NULL)
		none(count * size);
	return p;
}

static void *
grow(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (p == NULL)
		none(size);
	return p;
}

/* The library asks for a pointer to what it never writes. */
static cmark_mem memory = { take, grow, free };

/* The parser reads a bare address as often as it ends with parentheses that it does not open, and
 * the rest of a word at each @: of many in a word it makes minutes of work. Returns whether a word
 * has so many. */
static bool
is_slow(const char *text, size_t len)
{
	bool address = false;
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		if (isspace((unsigned char)text[i])) {
			address = false;
			count = 0;
		} else if (text[i] == '/' || text[i] == '.') {
			address = address || (i >= 2 && strncmp(text + i - 2, "://", 3) == 0) ||
				  (i >= 3 && strncmp(text + i - 3, "www.", 4) == 0);
		} else if ((text[i] == '@' || (text[i] == ')' && address)) && ++count > WORD_MAX) {
			return true;
		}
	}
	return false;
}

/* Parses a text with the tables, the struck-out text and the bare addresses of GFM. */
static cmark_node *
parse(const char *text, size_t len)
{
	cmark_parser *parser = cmark_parser_new_with_mem(OPTIONS, &memory);
	cmark_node *root;

	cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
	cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("strikethrough"));
	if (!is_slow(text, len))
		cmark_parser_attach_syntax_extension(
		    parser, cmark_find_syntax_extension("autolink"));
	cmark_parser_feed(parser, text, len);
	root = cmark_parser_finish(parser);
	cmark_parser_free(parser);
	cmark_consolidate_text_nodes(root);
	return root;
}

/* Removes the paragraph that cites all footnotes. Returns false if an unclosed
 * element contains it. */
static bool
drop_last(cmark_node *root)
{
	cmark_node *last = cmark_node_last_child(root), *text;

	while (last != NULL && cmark_node_get_type(last) == CMARK_NODE_FOOTNOTE_DEFINITION)
		last = cmark_node_previous(last);
	text = last == NULL ? NULL : cmark_node_first_child(last);
	if (text == NULL || cmark_node_get_type(text) != CMARK_NODE_TEXT ||
	    strncmp(cmark_node_get_literal(text), LAST_MARK, 3) != 0)
		return false;
	cmark_node_free(last);
	return true;
}

cmark_node *
weave_parse(struct ctx *c, const struct source *source)
{
	const char *label, *p;
	cmark_node *root;
	struct buf text;

	cmark_gfm_core_extensions_ensure_registered();
	buf_init(&text, c->arena, 3 * source->len + 64);
	buf_add(&text, source->text, source->len);
	buf_lit(&text, "\n\n" LAST_MARK);
	for (p = source->text; *p != '\0'; p = next_line(p)) {
		label = footnote_label(c, p);
		if (label != NULL)
			buf_printf(&text, "[^%s]", label);
	}
	buf_add_char(&text, '\n');
	root = parse(text.data, text.len);
	if (drop_last(root))
		return root;
	cmark_node_free(root);
	return parse(source->text, source->len);
}

void
weave_label_notes(struct weave *w)
{
	struct woven *out = w->woven;
	const char *p = w->source->text, *label;
	size_t i;

	for (size_t at = 0; at < w->source->line_count; at++) {
		unsigned line = w->source->lines[at];
		label = footnote_label(w->c, p);
		p = next_line(p);
		if (label == NULL)
			continue;
		for (i = 0; i < out->note_count; i++) {
			if (out->notes[i].line == line)
				break;
		}
		if (i < out->note_count)
			out->notes[i].label = label;
	}
}
