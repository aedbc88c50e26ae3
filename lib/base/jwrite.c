#include "base/jwrite.h"

#include <string.h>

#include "base/clock.h"

void
jwrite_init(struct jwrite *w, struct buf *out)
{
	w->out = out;
	w->html_safe = false;
	w->comma = false;
}

static void
separate(struct jwrite *w)
{
	if (w->comma)
		buf_add_char(w->out, ',');
	w->comma = true;
}

static void
begin(struct jwrite *w, char bracket)
{
	separate(w);
	buf_add_char(w->out, bracket);
	w->comma = false;
}

static void
end(struct jwrite *w, char bracket)
{
	buf_add_char(w->out, bracket);
	w->comma = true;
}

void
jwrite_object(struct jwrite *w)
{
	begin(w, '{');
}

void
jwrite_object_end(struct jwrite *w)
{
	end(w, '}');
}

void
jwrite_array(struct jwrite *w)
{
	begin(w, '[');
}

void
jwrite_array_end(struct jwrite *w)
{
	end(w, ']');
}

static void
escape_code_unit(struct jwrite *w, unsigned value)
{
	static const char digits[] = "0123456789abcdef";
	char text[6] = { '\\', 'u', digits[value >> 12 & 15], digits[value >> 8 & 15],
		digits[value >> 4 & 15], digits[value & 15] };

	buf_add(w->out, text, sizeof(text));
}

static void
escape(struct jwrite *w, unsigned char byte)
{
	switch (byte) {
	case '"':
		buf_lit(w->out, "\\\"");
		break;
	case '\\':
		buf_lit(w->out, "\\\\");
		break;
	case '\n':
		buf_lit(w->out, "\\n");
		break;
	case '\t':
		buf_lit(w->out, "\\t");
		break;
	case '\r':
		buf_lit(w->out, "\\r");
		break;
	default:
		escape_code_unit(w, byte);
	}
}

/* Returns whether the bytes are a line separator: U+2028 and U+2029 are E2 80 A8
 * and E2 80 A9. */
static bool
is_line_separator(const char *p)
{
	return (unsigned char)p[0] == 0xE2 && (unsigned char)p[1] == 0x80 &&
	       ((unsigned char)p[2] == 0xA8 || (unsigned char)p[2] == 0xA9);
}

static bool
must_escape(const struct jwrite *w, unsigned char byte)
{
	if (byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F)
		return true;
	return w->html_safe && (byte == '<' || byte == '>' || byte == '&');
}

/* Bytes that are never escaped: they are most of any text, and the writer passes
 * over them in runs. The NUL at the end and the first byte of line separators are
 * not among them. */
static const bool plain[256] = { [' '] = true,
	['!'] = true,
	['#' ... '%'] = true,
	['\'' ... ';'] = true,
	['='] = true,
	['?' ... '['] = true,
	[']' ... '~'] = true,
	[0x80 ... 0xE1] = true,
	[0xE3 ... 0xFF] = true };

static void
quoted(struct jwrite *w, const char *text)
{
	const char *from = text, *p = text;

	buf_add_char(w->out, '"');
	for (;; p++) {
		while (plain[(unsigned char)*p])
			p++;
		if (*p == '\0')
			break;
		if (is_line_separator(p)) {
			buf_add(w->out, from, (size_t)(p - from));
			escape_code_unit(w, (unsigned char)p[2] == 0xA8 ? 0x2028 : 0x2029);
			p += 2;
			from = p + 1;
		} else if (must_escape(w, (unsigned char)*p)) {
			buf_add(w->out, from, (size_t)(p - from));
			escape(w, (unsigned char)*p);
			from = p + 1;
		}
	}
	buf_add(w->out, from, (size_t)(p - from));
	buf_add_char(w->out, '"');
}

void
jwrite_name(struct jwrite *w, const char *name)
{
	separate(w);
	quoted(w, name);
	buf_add_char(w->out, ':');
	w->comma = false;
}

void
jwrite_text(struct jwrite *w, const char *text)
{
	if (text == NULL) {
		jwrite_null(w);
		return;
	}
	separate(w);
	quoted(w, text);
}

void
jwrite_int(struct jwrite *w, int64_t value)
{
	separate(w);
	buf_add_int(w->out, value);
}

void
jwrite_bool(struct jwrite *w, bool value)
{
	separate(w);
	buf_add_text(w->out, value ? "true" : "false");
}

void
jwrite_null(struct jwrite *w)
{
	separate(w);
	buf_lit(w->out, "null");
}

void
jwrite_time(struct jwrite *w, int64_t at)
{
	char text[CLOCK_TEXT];

	clock_format(text, at);
	jwrite_text(w, text);
}

void
jwrite_raw(struct jwrite *w, const char *json, size_t len)
{
	separate(w);
	buf_add(w->out, json, len);
}

void
jwrite_member_text(struct jwrite *w, const char *name, const char *text)
{
	jwrite_name(w, name);
	jwrite_text(w, text);
}

void
jwrite_member_text_if(struct jwrite *w, const char *name, const char *text)
{
	if (text != NULL && text[0] != '\0')
		jwrite_member_text(w, name, text);
}

void
jwrite_member_int(struct jwrite *w, const char *name, int64_t value)
{
	jwrite_name(w, name);
	jwrite_int(w, value);
}

void
jwrite_member_bool(struct jwrite *w, const char *name, bool value)
{
	jwrite_name(w, name);
	jwrite_bool(w, value);
}

void
jwrite_member_null(struct jwrite *w, const char *name)
{
	jwrite_name(w, name);
	jwrite_null(w);
}

void
jwrite_member_time(struct jwrite *w, const char *name, int64_t at)
{
	jwrite_name(w, name);
	jwrite_time(w, at);
}

void
jwrite_member_object(struct jwrite *w, const char *name)
{
	jwrite_name(w, name);
	jwrite_object(w);
}

void
jwrite_member_array(struct jwrite *w, const char *name)
{
	jwrite_name(w, name);
	jwrite_array(w);
}
