#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "import/markdown/frontmatter.h"

enum { ITEMS_MAX = 10000 };

struct toml {
	struct ctx *c;
	const char *p, *end; /* NUL-terminated */
	unsigned line;
	struct err *err; /* the first refusal, or NULL */
};

static void
toml_refuse(struct toml *t, const char *why)
{
	if (t->err == NULL)
		t->err = refuse(t->c, ERR_INVALID,
		    tr_mark("line %u: the front matter is not TOML: %s."), t->line, why);
}

/* Skips spaces and a comment; with `lines` also ends of lines. */
static void
toml_blanks(struct toml *t, bool lines)
{
	for (;;) {
		t->p += strspn(t->p, " \t");
		if (*t->p == '#')
			t->p += strcspn(t->p, "\n");
		if (!lines || *t->p != '\n')
			return;
		t->p++;
		t->line++;
	}
}

/* ---- values */

static void toml_value(struct toml *t, struct front_value *out, int depth);
static void toml_pair(struct toml *t, struct front_value *table, int depth);

/* Reads \uXXXX or \UXXXXXXXX; t->p is at the first digit. */
static void
escape_number(struct toml *t, struct buf *out, int digits)
{
	uint32_t cp = 0;

	for (; digits > 0; digits--, t->p++) {
		int value = percent_digit(*t->p);
		if (value < 0) {
			toml_refuse(t, "an escape is wrong");
			return;
		}
		cp = cp << 4 | (uint32_t)value;
	}
	if (cp == 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		toml_refuse(t, "an escape names no character");
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
		toml_refuse(t, "an escape is wrong");
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
	toml_refuse(t, "a text is not closed");
	return NULL;
}

/* Returns a string of one line, quoted with `'` or `"`; NULL after a refusal. */
static const char *
toml_string(struct toml *t)
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
	toml_refuse(t, "a text is not closed");
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
		out->text = toml_string(t);
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
		toml_blanks(t, true);
		if (*t->p == ']' || t->err != NULL)
			break;
		if (out->count == ITEMS_MAX)
			toml_refuse(t, "a list is too long");
		memset(&item, 0, sizeof(item));
		item.line = t->line;
		toml_value(t, &item, depth + 1);
		*frontmatter_add(t->c, out, NULL, item.line) = item;
		toml_blanks(t, true);
		if (*t->p == ',')
			t->p++;
		else if (*t->p != ']')
			toml_refuse(t, "a list is not closed");
	}
	if (t->err == NULL)
		t->p++;
}

static void
inline_table(struct toml *t, struct front_value *out, int depth)
{
	out->kind = FRONT_TABLE;
	t->p++;
	toml_blanks(t, false);
	while (*t->p != '}' && t->err == NULL) {
		toml_pair(t, out, depth + 1);
		toml_blanks(t, false);
		if (*t->p == ',')
			t->p++;
		else if (*t->p != '}')
			toml_refuse(t, "a table is not closed");
		toml_blanks(t, false);
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
		toml_refuse(t, len == 0 ? "a value is missing"
					: "a value is none of TOML's (a text needs quotes)");
	}
	t->p += len;
}

static void
toml_value(struct toml *t, struct front_value *out, int depth)
{
	out->kind = FRONT_NULL;
	if (depth > FRONT_DEPTH_MAX)
		toml_refuse(t, "it is nested too deeply");
	else if (*t->p == '"' || *t->p == '\'')
		text(t, out);
	else if (*t->p == '[')
		array(t, out, depth);
	else if (*t->p == '{')
		inline_table(t, out, depth);
	else
		bare(t, out);
}

/* ---- tables and keys */

/* Returns whether a name without quotes may contain the character: a letter, a
 * digit, "_" or "-". */
static bool
is_bare(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
	       ch == '_' || ch == '-';
}

/* Returns one part of a key, or NULL after a refusal. */
static const char *
key_part(struct toml *t)
{
	const char *from = t->p;

	if (*t->p == '"' || *t->p == '\'')
		return toml_string(t);
	while (is_bare(*t->p))
		t->p++;
	if (t->p == from) {
		toml_refuse(t, "a name is missing");
		return NULL;
	}
	return arena_text_n(t->c->arena, from, (size_t)(t->p - from));
}

/* Returns whether the key continues behind a dot. Skips the dot. */
static bool
key_more(struct toml *t)
{
	toml_blanks(t, false);
	if (*t->p != '.')
		return false;
	t->p++;
	toml_blanks(t, false);
	return true;
}

/* Returns the table `name` of `parent`, and makes it if it is missing. Of a list
 * of tables it returns the last one. Returns NULL after a refusal. */
static struct front_value *
table_of(struct toml *t, struct front_value *parent, const char *name)
{
	struct front_value *found = frontmatter_find(parent, name);

	if (found == NULL) {
		found = frontmatter_add(t->c, parent, name, t->line);
		found->kind = FRONT_TABLE;
		return found;
	}
	if (found->kind == FRONT_LIST && !found->closed && found->count > 0)
		found = &found->items[found->count - 1];
	if (found->kind != FRONT_TABLE || found->closed) {
		toml_refuse(t, arena_printf(t->c->arena, "%s is given twice", name));
		return NULL;
	}
	return found;
}

static void
toml_pair(struct toml *t, struct front_value *table, int depth)
{
	struct front_value value = { .line = t->line };
	const char *name = key_part(t);

	while (name != NULL && table != NULL && key_more(t)) {
		if (++depth > FRONT_DEPTH_MAX) {
			toml_refuse(t, "it is nested too deeply");
			return;
		}
		table = table_of(t, table, name);
		name = key_part(t);
	}
	if (name == NULL || table == NULL)
		return;
	if (frontmatter_find(table, name) != NULL) {
		toml_refuse(t, arena_printf(t->c->arena, "%s is given twice", name));
		return;
	}
	if (*t->p != '=') {
		toml_refuse(t, "\"=\" is missing");
		return;
	}
	t->p++;
	toml_blanks(t, false);
	toml_value(t, &value, depth + 1);
	value.name = name;
	*frontmatter_add(t->c, table, name, value.line) = value;
}

static void
expect(struct toml *t, const char *mark)
{
	size_t len = strlen(mark);

	if (strncmp(t->p, mark, len) == 0)
		t->p += len;
	else
		toml_refuse(t, arena_printf(t->c->arena, "\"%s\" is missing", mark));
}

/* Adds a table at the end of the list `name`. */
static struct front_value *
list_table(struct toml *t, struct front_value *parent, const char *name)
{
	struct front_value *list = frontmatter_find(parent, name), *item;

	if (list == NULL) {
		list = frontmatter_add(t->c, parent, name, t->line);
		list->kind = FRONT_LIST;
	}
	if (list->kind != FRONT_LIST || list->closed) {
		toml_refuse(t, arena_printf(t->c->arena, "%s is given twice", name));
		return NULL;
	}
	item = frontmatter_add(t->c, list, NULL, t->line);
	item->kind = FRONT_TABLE;
	return item;
}

/* Reads "[a.b]" or "[[a.b]]". Returns the table that the following lines fill, or
 * NULL after a refusal. */
static struct front_value *
header(struct toml *t, struct front_value *root)
{
	struct front_value *table = root;
	bool list = t->p[1] == '[';
	const char *name;
	int depth = 0;

	t->p += list ? 2 : 1;
	toml_blanks(t, false);
	name = key_part(t);
	while (name != NULL && table != NULL && key_more(t)) {
		if (++depth > FRONT_DEPTH_MAX) {
			toml_refuse(t, "it is nested too deeply");
			return NULL;
		}
		table = table_of(t, table, name);
		name = key_part(t);
	}
	if (name == NULL || table == NULL)
		return NULL;
	if (!list && frontmatter_find(table, name) != NULL &&
	    frontmatter_find(table, name)->headed) {
		toml_refuse(t, arena_printf(t->c->arena, "[%s] is given twice", name));
		return NULL;
	}
	expect(t, list ? "]]" : "]");
	table = list ? list_table(t, table, name) : table_of(t, table, name);
	if (table != NULL)
		table->headed = true;
	return table;
}

struct err *
frontmatter_toml(
    struct ctx *c, const char *text, size_t len, unsigned line, struct front_value *root)
{
	struct toml t = { .c = c, .p = text, .end = text + len, .line = line };
	struct front_value *table = root;

	for (;;) {
		toml_blanks(&t, true);
		if (t.p >= t.end || t.err != NULL)
			return t.err;
		if (*t.p == '[')
			table = header(&t, root);
		else
			toml_pair(&t, table, 1);
		toml_blanks(&t, false);
		if (t.err == NULL && t.p < t.end && *t.p != '\n')
			toml_refuse(&t, "there is something after the value");
	}
}
