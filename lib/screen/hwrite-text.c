#include "screen/hwrite-text.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

/* Writes valid text without forbidden characters, escaped for a double-quoted attribute and
 * for content alike. */
static void
escape(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		size_t safe = 0;
		while (text + safe < end && text[safe] != '&' && text[safe] != '<' &&
		       text[safe] != '>' && text[safe] != '"')
			safe++;
		buf_add(out, text, safe);
		text += safe;
		if (text == end)
			break;
		switch (*text++) {
		case '&':
			buf_lit(out, "&amp;");
			break;
		case '<':
			buf_lit(out, "&lt;");
			break;
		case '>':
			buf_lit(out, "&gt;");
			break;
		default:
			buf_lit(out, "&quot;");
		}
	}
}

#define REPLACEMENT "\xEF\xBF\xBD"

const char *
hwrite_valid(struct arena *arena, const char *bytes, size_t len)
{
	const char *text = arena_text_n(arena, bytes, len);
	struct buf valid;

	if (utf8_valid(text, len))
		return text;
	buf_init(&valid, arena, 3 * len);
	for (size_t i = 0; i < len;) {
		size_t sequence = text[i] == '\0' ? 0 : utf8_sequence(text + i);
		if (sequence == 0)
			buf_lit(&valid, REPLACEMENT);
		else
			buf_add(&valid, text + i, sequence);
		i += sequence > 0 ? sequence : 1;
	}
	return buf_done(&valid);
}

/* Writes a valid text. */
static void
write_valid(struct buf *out, const char *text)
{
	const char *bad;

	while ((bad = utf8_forbidden(text, false)) != NULL) {
		escape(out, text, (size_t)(bad - text));
		if (*bad == '\r')
			buf_lit(out, "&#13;");
		else
			buf_lit(out, REPLACEMENT);
		text = bad;
		(void)utf8_next(&text);
	}
	escape(out, text, strlen(text));
}

/* Bytes that are written as they are, wherever they are: most of any text. */
static const bool plain[256] = { ['\n'] = true,
	['\t'] = true,
	[' '] = true,
	['!'] = true,
	['#' ... '%'] = true,
	['\'' ... ';'] = true,
	['='] = true,
	['?' ... '~'] = true };

void
hwrite_escaped(struct buf *out, const char *text)
{
	const char *rest = text;
	size_t len;

	while (plain[(unsigned char)*rest])
		rest++;
	buf_add(out, text, (size_t)(rest - text));
	if (*rest == '\0')
		return;
	len = strlen(rest);
	write_valid(out, utf8_valid(rest, len) ? rest : hwrite_valid(out->arena, rest, len));
}
