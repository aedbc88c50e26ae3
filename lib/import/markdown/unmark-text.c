#include "import/markdown/unmark.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "import/pieces.h"

struct writer {
	struct ctx *c;
	struct buf out;
	enum unmark_place place;
	bool line_start;
	bool cite_first; /* the last token was a citation at the beginning of its line */
	bool cite_last; /* the last token was a citation */
	bool link_next; /* a link or a citation follows this text */
	int marks; /* open marks */
	bool in_link; /* one of them is a link */
};

const char *
unmark_normal(struct ctx *c, const char *text)
{
	struct losses losses = { .c = c };
	size_t count;
	struct inline_token *tokens = inline_parse(c->arena, text, &count);
	struct pieces pieces;

	pieces_init(&pieces, c, &losses);
	for (size_t i = 0; i < count; i++) {
		char *copy = arena_text_n(c->arena, tokens[i].text, tokens[i].len), *line = copy,
		     *newline;
		switch (tokens[i].event) {
		case INLINE_TEXT:
			while ((newline = strchr(line, '\n')) != NULL) {
				*newline = '\0';
				pieces_text(&pieces, line);
				pieces_break(&pieces);
				line = newline + 1;
			}
			pieces_text(&pieces, line);
			break;
		case INLINE_CODE:
			pieces_code(&pieces, copy);
			break;
		case INLINE_CITE:
			pieces_cite(&pieces, copy);
			break;
		case INLINE_STRONG:
		case INLINE_EMPHASIS:
		case INLINE_LINK:
			pieces_open(&pieces, tokens[i].event, copy);
			break;
		default:
			pieces_close(&pieces, tokens[i].event);
		}
	}
	return pieces_end(&pieces);
}

static bool
is_word(char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z');
}

/* Returns whether the byte needs a backslash wherever it is. `before` and `after`
 * are its neighbours in the same text, or NUL at its ends. */
static bool
is_special(const struct writer *w, char ch, char before, char after)
{
	switch (ch) {
	case '\\':
	case '`':
	case '*':
	case '[':
	case ']':
	case '<':
		return true;
	case '_':
		return !is_word(before) || !is_word(after);
	case '~':
		return before == '~' || after == '~';
	case '&':
		return after == '#' || is_word(after);
	case '!':
		return after == '\0' && w->link_next;
	case ':':
		return before == '\0' && w->cite_first;
	case '(':
		return before == '\0' && w->cite_last;
	case '|':
		return w->place == UNMARK_CELL;
	case '#':
		return after == '\0' && w->place == UNMARK_LINE;
	default:
		return false;
	}
}

/* Returns whether the byte would begin a block at the beginning of a line. */
static bool
begins_block(char ch, char after)
{
	bool alone = after == ' ' || after == '\n' || after == '\0';

	switch (ch) {
	case '#':
	case '-':
		return after == ch || alone;
	case '+':
		return alone;
	case '=':
	case '>':
	case '|':
	case ':':
		return true;
	default:
		return false;
	}
}

/* Returns how many digits begin a list, as in "12.", if they are at the beginning
 * of a line; else 0. */
static size_t
list_digits(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && p[n] >= '0' && p[n] <= '9')
		n++;
	return n > 0 && p + n < end && (p[n] == '.' || p[n] == ')') ? n : 0;
}

/* Writes the end of a line. */
static void
line_end(struct writer *w)
{
	buf_add_text(&w->out, w->place == UNMARK_CELL	? "<br>"
			      : w->place == UNMARK_LINE ? " "
							: "\\\n");
	w->line_start = w->place != UNMARK_CELL;
}

/* Writes newlines: the end of a paragraph if there are two or more and no mark is
 * open, else hard line breaks. */
static const char *
newlines(struct writer *w, const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && p[n] == '\n')
		n++;
	if (n == 2 && w->marks == 0 && w->place == UNMARK_PARAGRAPHS) {
		buf_lit(&w->out, "\n\n");
		w->line_start = true;
	} else {
		for (size_t i = 0; i < n; i++)
			line_end(w);
	}
	return p + n;
}

/* Returns whether what was written ends with these letters, in any case, and no letter is
 * before them. */
static bool
ends_with(const struct buf *out, const char *letters)
{
	size_t len = strlen(letters);

	return out->len >= len && strncasecmp(out->data + out->len - len, letters, len) == 0 &&
	       (out->len == len || !isalpha((unsigned char)out->data[out->len - len - 1]));
}

/* Returns whether the byte at `p` would make a link of a bare address. Within the brackets of
 * a link none is made. */
static bool
begins_address(const struct writer *w, const char *p, const char *end)
{
	if (w->in_link)
		return false;
	if (*p == '.')
		return ends_with(&w->out, "www");
	return *p == ':' && end - p >= 3 && p[1] == '/' && p[2] == '/' &&
	       (ends_with(&w->out, "http") || ends_with(&w->out, "https") ||
		   ends_with(&w->out, "ftp"));
}

/* Writes literal text. A backslash precedes every character that Markdown would
 * read as a mark or, at the beginning of a line, as a block. */
static void
write_text(struct writer *w, const char *text, size_t len)
{
	const char *end = text + len, *p = text;

	while (p < end) {
		char before = p > text ? p[-1] : '\0';
		char after = p + 1 < end ? p[1] : '\0';
		size_t digits = w->line_start ? list_digits(p, end) : 0;
		if (*p == '\n') {
			p = newlines(w, p, end);
			continue;
		}
		if (digits > 0) {
			buf_add(&w->out, p, digits);
			p += digits;
			buf_add_char(&w->out, '\\');
		} else if (is_special(w, *p, before, after) || begins_address(w, p, end) ||
			   (w->line_start && begins_block(*p, after))) {
			buf_add_char(&w->out, '\\');
		}
		buf_add_char(&w->out, *p++);
		w->line_start = w->cite_first = w->cite_last = false;
	}
}

/* Writes code. In a cell, a bar needs an odd number of backslashes before it, so
 * that it does not end the cell. */
static void
write_code(struct writer *w, const char *code, size_t len)
{
	size_t from = w->out.len, slashes = 0;
	const char *written;

	inline_escape_code(&w->out, code, len);
	if (w->place != UNMARK_CELL || memchr(code, '|', len) == NULL)
		return;
	written = arena_text(w->c->arena, w->out.data + from);
	w->out.len = from;
	for (; *written != '\0'; written++) {
		if (*written == '|')
			buf_add_text(&w->out, slashes % 2 == 0 ? "\\" : "\\\\");
		slashes = *written == '\\' ? slashes + 1 : 0;
		buf_add_char(&w->out, *written);
	}
}

void
unmark_escape(struct buf *out, const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		/* The parser decodes references before it looks for backslashes. */
		if (*text == '&') {
			buf_lit(out, "&amp;");
			continue;
		}
		if (*text == '\\' || strchr(special, *text) != NULL)
			buf_add_char(out, '\\');
		buf_add_char(out, *text);
	}
}

/* Writes one token as Markdown. *address keeps the address of the open link. */
static void
write_token(struct writer *w, const struct inline_token *token, const char **address)
{
	switch (token->event) {
	case INLINE_TEXT:
		write_text(w, token->text, token->len);
		return;
	case INLINE_CODE:
		write_code(w, token->text, token->len);
		break;
	case INLINE_CITE:
		buf_printf(&w->out, "[^%.*s]", (int)token->len, token->text);
		w->cite_first = w->line_start;
		w->cite_last = true;
		w->line_start = false;
		return;
	case INLINE_STRONG:
	case INLINE_STRONG_END:
		buf_lit(&w->out, "**");
		w->marks += token->event == INLINE_STRONG ? 1 : -1;
		break;
	case INLINE_EMPHASIS:
	case INLINE_EMPHASIS_END:
		buf_lit(&w->out, "*");
		w->marks += token->event == INLINE_EMPHASIS ? 1 : -1;
		break;
	case INLINE_LINK:
		buf_lit(&w->out, "[");
		*address = arena_text_n(w->c->arena, token->text, token->len);
		w->marks++;
		w->in_link = true;
		break;
	case INLINE_LINK_END:
		buf_lit(&w->out, "](");
		unmark_escape(&w->out, *address, "()<>");
		buf_lit(&w->out, ")");
		w->marks--;
		w->in_link = false;
		break;
	}
	w->line_start = w->cite_first = w->cite_last = false;
}

static void
writer_init(struct writer *w, struct ctx *c, enum unmark_place place, size_t len)
{
	*w = (struct writer) { .c = c, .place = place, .line_start = true };
	/* In a cell a newline takes four bytes. Code grows by its backticks. */
	buf_init(&w->out, c->arena, 8 * len + 64);
}

const char *
unmark_text(struct ctx *c, const char *text, enum unmark_place place)
{
	const char *normal = unmark_normal(c, text), *address = "";
	struct inline_token *tokens;
	struct writer w;
	size_t count;

	if (normal == NULL)
		return "";
	tokens = inline_parse(c->arena, normal, &count);
	writer_init(&w, c, place, strlen(normal));
	for (size_t i = 0; i < count; i++) {
		w.link_next = i + 1 < count && (tokens[i + 1].event == INLINE_LINK ||
						   tokens[i + 1].event == INLINE_CITE);
		write_token(&w, &tokens[i], &address);
	}
	return buf_done(&w.out);
}

const char *
unmark_literal(struct ctx *c, const char *text)
{
	struct writer w;

	writer_init(&w, c, UNMARK_LINE, strlen(text));
	write_text(&w, text, strlen(text));
	return buf_done(&w.out);
}
