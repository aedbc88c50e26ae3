#include "import/markdown/frontmatter.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/percent.h"

enum { ITEMS_MAX = 10000 };

/* Reads \uXXXX or \UXXXXXXXX; t->p is at the first digit. */
static void
escape_number(struct toml *t, struct buf *out, int digits)
{
	uint32_t cp = 0;

	for (; digits > 0; digits--, t->p++) {
		int value = percent_digit(*t->p);
		if (value < 0) {
			frontmatter_toml_refuse(t, "an escape is wrong");
			return;
		}
		cp = cp << 4 | (uint32_t)value;
	}
	if (cp == 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		frontmatter_toml_refuse(t, "an escape names no character");
	else
		buf_add_code_point(out, cp);
}

/* Reads what follows a backslash. In a text of many lines, a backslash at the end
 * of a line skips all spaces and ends of lines after it. */
static void
escape(struct toml *t, struct buf *out, bool lines)
{
	static const char names[] = "btnfre\"\\";
	static const char values[] = "\b\t\n\f\r\x1B\"\\";
	const char *found = *t->p != '\0' ? strchr(names, *t->p) : NULL;
	const char *p;

	if (found != NULL) {
		buf_add_char(out, values[found - names]);
		t->p++;
		return;
	}
	if (*t->p == 'u' || *t->p == 'U') {
		t->p++;
		escape_number(t, out, t->p[-1] == 'u' ? 4 : 8);
		return;
	}
	p = t->p + strspn(t->p, " \t");
	if (!lines || *p != '\n') {
		frontmatter_toml_refuse(t, "an escape is wrong");
		return;
	}
	for (; *p == '\n' || *p == ' ' || *p == '\t'; p++)
		t->line += *p == '\n';
	t->p = p;
}

/* Counts the quotes at t->p, up to five. */
static size_t
quotes(const struct toml *t, char quote)
{
	size_t n = 0;

	while (n < 5 && t->p[n] == quote)
		n++;
	return n;
}

/* Reads the rest of a text of many lines. Up to two quotes may precede the three
 * that end it. */
static const char *
long_text(struct toml *t, char quote)
{
	struct buf out;
	size_t n;

	buf_init(&out, t->c->arena, FRONT_BYTES_MAX);
	if (*t->p == '\n') {
		t->p++;
		t->line++;
	}
	while (t->err == NULL && t->p < t->end) {
		n = quotes(t, quote);
		buf_add(&out, t->p, n >= 3 ? n - 3 : n);
		t->p += n;
		if (n >= 3)
			return out.data;
		if (n > 0)
			continue;
		t->line += *t->p == '\n';
		t->p++;
		if (t->p[-1] == '\\' && quote == '"')
			escape(t, &out, true);
		else
			buf_add_char(&out, t->p[-1]);
	}
	frontmatter_toml_refuse(t, "a text is not closed");
	return NULL;
}

const char *
frontmatter_toml_string(struct toml *t)
{
	char quote = *t->p++;
	struct buf out;

	buf_init(&out, t->c->arena, FRONT_BYTES_MAX);
	while (t->err == NULL && t->p < t->end && *t->p != '\n') {
		char ch = *t->p++;
		if (ch == quote)
			return out.data;
		if (ch == '\\' && quote == '"')
			escape(t, &out, false);
		else
			buf_add_char(&out, ch);
	}
	frontmatter_toml_refuse(t, "a text is not closed");
	return NULL;
}

static void
text(struct toml *t, struct front_value *out)
{
	char quote = *t->p;

	out->kind = FRONT_SCALAR;
	out->quoted = true;
	if (quotes(t, quote) >= 3) {
		t->p += 3;
		out->text = long_text(t, quote);
	} else {
		out->text = frontmatter_toml_string(t);
	}
}

static void
array(struct toml *t, struct front_value *out, int depth)
{
	struct front_value item;

	out->kind = FRONT_LIST;
	out->closed = true;
	t->p++;
	for (;;) {
		frontmatter_toml_blanks(t, true);
		if (*t->p == ']' || t->err != NULL)
			break;
		if (out->count == ITEMS_MAX)
			frontmatter_toml_refuse(t, "a list is too long");
		memset(&item, 0, sizeof(item));
		item.line = t->line;
		frontmatter_toml_value(t, &item, depth + 1);
		*frontmatter_add(t->c, out, NULL, item.line) = item;
		frontmatter_toml_blanks(t, true);
		if (*t->p == ',')
			t->p++;
		else if (*t->p != ']')
			frontmatter_toml_refuse(t, "a list is not closed");
	}
	if (t->err == NULL)
		t->p++;
}

static void
inline_table(struct toml *t, struct front_value *out, int depth)
{
	out->kind = FRONT_TABLE;
	t->p++;
	frontmatter_toml_blanks(t, false);
	while (*t->p != '}' && t->err == NULL) {
		frontmatter_toml_pair(t, out, depth + 1);
		frontmatter_toml_blanks(t, false);
		if (*t->p == ',')
			t->p++;
		else if (*t->p != '}')
			frontmatter_toml_refuse(t, "a table is not closed");
		frontmatter_toml_blanks(t, false);
	}
	if (t->err == NULL)
		t->p++;
	out->closed = true;
}

/* Returns a number without its underscores. */
static const char *
without_underscores(struct toml *t, const char *from, size_t len)
{
	char *to = arena_alloc(t->c->arena, len + 1), *p = to;

	for (size_t i = 0; i < len; i++) {
		if (from[i] != '_')
			*p++ = from[i];
	}
	return to;
}

/* Returns whether the bytes are allowed digits. An underscore must be between two
 * digits. */
static bool
digits_fit(const char *p, const char *allowed, size_t len)
{
	bool digit = false;

	for (size_t i = 0; i < len; i++) {
		if (p[i] == '_') {
			if (!digit || i + 1 == len)
				return false;
			digit = false;
		} else if (strchr(allowed, p[i]) == NULL) {
			return false;
		} else {
			digit = true;
		}
	}
	return digit;
}

/* Returns whether the value is an integer or a float (TOML 1.0). */
static bool
is_number(const char *p, size_t len)
{
	size_t whole;

	if (len > 2 && p[0] == '0' && strchr("xob", p[1]) != NULL)
		return digits_fit(p + 2,
		    p[1] == 'x'	  ? "0123456789abcdefABCDEF"
		    : p[1] == 'o' ? "01234567"
				  : "01",
		    len - 2);
	if (len > 0 && (*p == '+' || *p == '-')) {
		p++;
		len--;
	}
	if (len == 3 && (strncmp(p, "inf", 3) == 0 || strncmp(p, "nan", 3) == 0))
		return true;
	whole = strspn(p, "0123456789_");
	if (whole > len || !digits_fit(p, "0123456789", whole) || (p[0] == '0' && whole > 1))
		return false;
	if (whole < len && p[whole] == '.') {
		p += whole + 1;
		len -= whole + 1;
		whole = strspn(p, "0123456789_");
		if (whole > len || !digits_fit(p, "0123456789", whole))
			return false;
	}
	if (whole == len)
		return true;
	if (p[whole] != 'e' && p[whole] != 'E')
		return false;
	p += whole + 1;
	len -= whole + 1;
	if (len > 0 && (*p == '+' || *p == '-')) {
		p++;
		len--;
	}
	return digits_fit(p, "0123456789", len);
}

/* Returns whether the value is a date, a time, or both. Their form is checked
 * where the value is used. */
static bool
is_date(const char *p, size_t len)
{
	size_t digits = strspn(p, "0123456789");

	return (digits == 4 && p[4] == '-' && len >= 10) ||
	       (digits == 2 && p[2] == ':' && len >= 5);
}

/* Reads a value without quotes: a date, a number, true or false. Refuses all
 * others. */
static void
bare(struct toml *t, struct front_value *out)
{
	const char *from = t->p;
	size_t len = strcspn(from, ",]}# \t\n");

	out->kind = FRONT_SCALAR;
	if (is_date(from, len)) {
		/* "2026-09-01 08:00:00" */
		if (len == 10 && from[10] == ' ' && from[11] >= '0' && from[11] <= '9')
			len += 1 + strcspn(from + 11, ",]}# \t\n");
		out->text = arena_text_n(t->c->arena, from, len);
	} else if (is_number(from, len)) {
		out->text = without_underscores(t, from, len);
	} else if ((len == 4 && strncmp(from, "true", 4) == 0) ||
		   (len == 5 && strncmp(from, "false", 5) == 0)) {
		out->text = arena_text_n(t->c->arena, from, len);
	} else {
		out->text = "";
		frontmatter_toml_refuse(t, len == 0
					       ? "a value is missing"
					       : "a value is none of TOML's (a text needs quotes)");
	}
	t->p += len;
}

void
frontmatter_toml_value(struct toml *t, struct front_value *out, int depth)
{
	out->kind = FRONT_NULL;
	if (depth > FRONT_DEPTH_MAX)
		frontmatter_toml_refuse(t, "it is nested too deeply");
	else if (*t->p == '"' || *t->p == '\'')
		text(t, out);
	else if (*t->p == '[')
		array(t, out, depth);
	else if (*t->p == '{')
		inline_table(t, out, depth);
	else
		bare(t, out);
}
