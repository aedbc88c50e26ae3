#include "import/markdown/markdown-source.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "import/tagsoup.h"

enum {
	ELEMENTS_MAX = 16, /* elements inside each other that contain Markdown */
	TAG_MAX = 1024 /* bytes of a tag */
};

struct writer {
	struct ctx *c;
	struct buf out;
	struct source *source;
	size_t cap; /* of source->lines */
	unsigned line;
	size_t line_start; /* in out */
	char fence; /* '`' or '~' inside fenced code, else NUL */
	size_t fence_len;
	int depth; /* of elements that contain Markdown */
};

unsigned
source_line(const struct source *source, int at)
{
	size_t n = at < 1 ? 1 : (size_t)at, last = source->line_count;

	return last == 0 ? 0 : source->lines[(n < last ? n : last) - 1];
}

const char *
source_text(const struct source *source, int at)
{
	return at < 1 || (size_t)at > source->line_count ? ""
							 : source->text + source->starts[at - 1];
}

/* Ends a line of the text, and notes which line of the document it was. */
static void
end_line(struct writer *w)
{
	struct source *s = w->source;

	if (s->line_count == w->cap) {
		size_t cap = w->cap == 0 ? 256 : w->cap * 2;
		s->lines = arena_grow(
		    w->c->arena, s->lines, w->cap * sizeof(*s->lines), cap * sizeof(*s->lines));
		s->starts = arena_grow(
		    w->c->arena, s->starts, w->cap * sizeof(*s->starts), cap * sizeof(*s->starts));
		w->cap = cap;
	}
	s->lines[s->line_count] = w->line;
	s->starts[s->line_count++] = w->line_start;
	buf_add_char(&w->out, '\n');
	w->line_start = w->out.len;
}

static const char *
line_end(const char *p, const char *end)
{
	const char *newline = NULL;

	if (p < end)
		newline = memchr(p, '\n', (size_t)(end - p));
	return newline == NULL ? end : newline;
}

static size_t
indentation(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && p[n] == ' ')
		n++;
	return n;
}

/* Notices fences. Returns true for lines of fenced code and for the fences
 * themselves. Marks of lists and quotes may precede a fence. */
static bool
is_fenced(struct writer *w, const char *p, const char *end)
{
	size_t n = 0;

	while (p < end && strchr(w->fence == '\0' ? " \t>-*+" : " \t>", *p) != NULL)
		p++;
	while (p + n < end && (*p == '`' || *p == '~') && p[n] == *p)
		n++;
	if (w->fence == '\0') {
		if (n < 3 || (*p == '`' && memchr(p + n, '`', (size_t)(end - p) - n) != NULL))
			return false;
		w->fence = *p;
		w->fence_len = n;
		return true;
	}
	if (n >= w->fence_len && *p == w->fence && indentation(p + n, end) == (size_t)(end - p) - n)
		w->fence = '\0';
	return true;
}

/* Returns whether the tag opens an element whose content is Markdown. */
static bool
holds_markdown(const struct tag *tag)
{
	struct tag_attribute attribute;
	const char *p = tag->attributes;

	if (tag->closing || tag->self_closing || !tag_is_in(tag, tag_blocks))
		return false;
	while (tag_attribute(tag, &p, &attribute)) {
		if (attribute.name_len == 8 && memcmp(attribute.name, "markdown", 8) == 0)
			return attribute.value_len != 1 || *attribute.value != '0';
	}
	return false;
}

/* Returns where the closing tag of `open` begins; *after becomes its end. Both
 * are `end` if there is none. Only names are compared, so that the time is
 * linear. */
static const char *
find_closing(const struct tag *open, const char *end, const char **after)
{
	const char *p = open->end, *name;
	int depth = 1;

	while ((p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		bool closing = p + 1 < end && p[1] == '/';
		name = p + (closing ? 2 : 1);
		p++;
		if ((size_t)(end - name) <= open->name_len ||
		    strncasecmp(name, open->name, open->name_len) != 0 ||
		    strchr(" \t\n/>", name[open->name_len]) == NULL)
			continue;
		depth += closing ? -1 : 1;
		if (depth > 0)
			continue;
		*after = memchr(name, '>', (size_t)(end - name));
		*after = *after == NULL ? end : *after + 1;
		return p - 1;
	}
	*after = end;
	return end;
}

static void
write_text(struct writer *w, const char *p, const char *end)
{
	for (; p < end; p++) {
		if (*p == '\n') {
			end_line(w);
			w->line++;
		} else {
			buf_add_char(&w->out, *p);
		}
	}
}

/* Writes a tag alone, between empty lines. */
static void
write_apart(struct writer *w, size_t indent, const char *p, const char *end)
{
	end_line(w);
	for (size_t i = 0; i < indent; i++)
		buf_add_char(&w->out, ' ');
	write_text(w, p, end);
	end_line(w);
	end_line(w);
}

/* Returns the indentation that all lines but empty ones have. Lines in elements
 * that contain Markdown themselves do not count. */
static size_t
common_indentation(const char *p, const char *end)
{
	size_t common = 100, n;
	struct tag tag;

	while (p < end) {
		const char *text, *to = line_end(p, end);
		n = indentation(p, to);
		text = p + n;
		if (text < to && n < common)
			common = n;
		if (text < to && *text == '<' && tag_read(text, to, &tag) && holds_markdown(&tag)) {
			find_closing(&tag, end, &to);
			to = line_end(to, end);
		}
		p = to + 1;
	}
	return common;
}

static void write_range(
    struct writer *w, const char *p, const char *end, size_t indent, size_t less, bool inside);

/* Writes the element that begins at `p`. Returns where it ends. */
static const char *
write_element(
    struct writer *w, const char *p, const char *end, size_t indent, const struct tag *open)
{
	const char *from = open->end, *after;
	const char *to = find_closing(open, end, &after);

	write_apart(w, indent, p, open->end);
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	if (from < to && *from == '\n') {
		from++;
		w->line++;
	}
	w->depth++;
	write_range(w, from, to, indent, common_indentation(from, to), true);
	w->depth--;
	if (to < end)
		write_apart(w, indent, to, after);
	return after;
}

/* Writes lines outside fenced code: an element, or a line of text. */
static const char *
write_line(struct writer *w, const char *p, const char *end, size_t indent, bool inside)
{
	size_t own = indentation(p, end);
	const char *text = p + own, *to = line_end(p, end);
	const char *limit = end - text > TAG_MAX ? text + TAG_MAX : end;
	struct tag tag;

	if (own < 4 && text < to && *text == '<' && tag_read(text, limit, &tag)) {
		if (w->depth < ELEMENTS_MAX && holds_markdown(&tag))
			return write_element(w, text, end, inside ? indent : own, &tag);
		if (inside && !tag_is_in(&tag, tag_blocks)) {
			buf_add(&w->out, p, own);
			buf_add_text(&w->out, SOURCE_MARK);
			p = text;
		}
	}
	buf_add(&w->out, p, (size_t)(to - p));
	return to;
}

/* Writes the lines from `p` to `end`. Replaces `less` spaces at their beginnings
 * by `indent` spaces. `inside`: they are in an element that contains Markdown. */
static void
write_range(
    struct writer *w, const char *p, const char *end, size_t indent, size_t less, bool inside)
{
	while (p < end) {
		const char *to = line_end(p, end);
		size_t n = indentation(p, to);
		p += n < less ? n : less;
		for (size_t i = 0; i < indent && p < to; i++)
			buf_add_char(&w->out, ' ');
		if (is_fenced(w, p, to))
			buf_add(&w->out, p, (size_t)(to - p));
		else
			to = write_line(w, p, end, indent, inside);
		end_line(w);
		p = to;
		if (p < end && *p == '\n') {
			p++;
			w->line++;
		}
	}
}

/* Returns how many quotes and lists the marks at the beginning of a line nest. */
static size_t
nesting(const char *p, const char *end)
{
	size_t n = 0;

	for (; p < end; p++) {
		if (*p == '>' || ((*p == '-' || *p == '*' || *p == '+') && p + 1 < end &&
				     (p[1] == ' ' || p[1] == '\t')))
			n++;
		else if (*p >= '0' && *p <= '9' && p + 2 < end && (p[1] == '.' || p[1] == ')'))
			n++, p++;
		else if (*p != ' ' && *p != '\t')
			break;
	}
	return n;
}

/* Returns the number of columns of the table whose second line this is, or 0 if
 * it is not one. */
static size_t
columns(const char *p, const char *end)
{
	size_t bars = 0;
	bool dash = false;

	for (; p < end; p++) {
		if (strchr("|-: \t>", *p) == NULL)
			return 0;
		bars += *p == '|';
		dash = dash || *p == '-';
	}
	return dash && bars > 0 ? bars + 1 : 0;
}

/* Returns how many pictures seem to begin in a line. For each of them, the parser
 * of Markdown may look at all others of the paragraph. */
static size_t
pictures(const char *p, const char *end)
{
	size_t n = 0;

	while ((p = memmem(p, (size_t)(end - p), "![", 2)) != NULL) {
		p += 2;
		n++;
	}
	return n;
}

/* Refuses text that would keep the parsers busy: marks nested too deep, wide or
 * long tables, too many pictures in a paragraph. */
static struct err *
check(struct ctx *c, const char *p, const char *end, unsigned line)
{
	size_t cells = 0, width = 0, images = 0;

	for (; p < end; p = line_end(p, end) + 1, line++) {
		const char *to = line_end(p, end);
		size_t found = columns(p, to);
		if (nesting(p, to) > SOURCE_NESTING_MAX)
			return refuse(c, ERR_INVALID,
			    tr_mark("line %u: lists or quotes are nested more than %d deep."), line,
			    SOURCE_NESTING_MAX);
		if (found > 0) {
			width = found;
			cells = 0;
		}
		if (to == p)
			width = images = 0;
		cells += width;
		images += pictures(p, to);
		if (images > SOURCE_IMAGES_MAX)
			return refuse(c, ERR_INVALID,
			    tr_mark(
				"line %u: there are more than %d pictures without a blank line."),
			    line, SOURCE_IMAGES_MAX);
		if (width > SOURCE_NESTING_MAX || cells > SOURCE_CELLS_MAX)
			return refuse(c, ERR_INVALID,
			    tr_mark(
				"line %u: a table has more than %d columns, or too many cells."),
			    line, SOURCE_NESTING_MAX);
	}
	return NULL;
}

struct err *
source_open(struct ctx *c, const char *text, size_t len, unsigned line, struct source *out)
{
	struct writer w = { .c = c, .source = out, .line = line };

	memset(out, 0, sizeof(*out));
	TRY(check(c, text, text + len, line));
	/* A line gets at most three spaces, a mark and an end more. A tag of its
	 * own, which has at least the length of "</p>", also gets two ends of
	 * lines. */
	buf_init(&w.out, c->arena, 8 * len + 4096);
	write_range(&w, text, text + len, 0, 0, false);
	if (buf_full(&w.out))
		BUG("%zu bytes of a document became %zu", len, w.out.len);
	out->text = w.out.data;
	out->len = w.out.len;
	return NULL;
}

/* ---- the parser */

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
source_parse(struct ctx *c, const struct source *source)
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

const char *
source_note(struct ctx *c, const struct source *source, int at)
{
	return footnote_label(c, source_text(source, at));
}
