#include "import/markdown/frontmatter.h"

#include <string.h>
#include <yaml.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/utf8.h"

/* ---- values */

/* Adds an item that is all zero but its line. Pointers to other items of
 * `parent` do not survive. */
static struct front_value *
add_item(struct ctx *c, struct front_value *parent, const char *name, unsigned line)
{
	struct front_value *item;

	if (parent->count == parent->cap) {
		size_t cap = parent->cap == 0 ? 8 : parent->cap * 2;
		parent->items = arena_grow(
		    c->arena, parent->items, parent->cap * sizeof(*item), cap * sizeof(*item));
		parent->cap = cap;
	}
	item = &parent->items[parent->count++];
	memset(item, 0, sizeof(*item));
	item->name = name;
	item->line = line;
	return item;
}

/* Returns the member, or NULL. */
static struct front_value *
find_member(const struct front_value *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->items[i].name, name) == 0)
			return &table->items[i];
	}
	return NULL;
}

/* Returns whether the text is a number as JSON writes it (RFC 8259 §6). */
static bool
is_json_number(const char *p)
{
	if (*p == '-')
		p++;
	if (*p == '0')
		p++;
	else if (*p >= '1' && *p <= '9')
		p += strspn(p, "0123456789");
	else
		return false;
	if (*p == '.') {
		if (strspn(++p, "0123456789") == 0)
			return false;
		p += strspn(p, "0123456789");
	}
	if (*p == 'e' || *p == 'E') {
		p++;
		if (*p == '+' || *p == '-')
			p++;
		if (strspn(p, "0123456789") == 0)
			return false;
		p += strspn(p, "0123456789");
	}
	return *p == '\0';
}

/* Writes a scalar as JSON: true, false and numbers without quotes as such,
 * everything else as a text. */
static void
json_scalar(struct jwrite *w, const struct front_value *value)
{
	bool word = strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0;

	if (!value->quoted && (word || is_json_number(value->text)))
		jwrite_raw(w, value->text, strlen(value->text));
	else
		jwrite_text(w, value->text);
}

static void
json_value(struct jwrite *w, const struct front_value *value)
{
	switch (value->kind) {
	case FRONT_NULL:
		jwrite_null(w);
		break;
	case FRONT_SCALAR:
		json_scalar(w, value);
		break;
	case FRONT_LIST:
		jwrite_array(w);
		for (size_t i = 0; i < value->count; i++)
			json_value(w, &value->items[i]);
		jwrite_array_end(w);
		break;
	case FRONT_TABLE:
		jwrite_object(w);
		for (size_t i = 0; i < value->count; i++) {
			jwrite_name(w, value->items[i].name);
			json_value(w, &value->items[i]);
		}
		jwrite_object_end(w);
		break;
	}
}

void
frontmatter_json(struct buf *out, const struct front_value *value)
{
	struct jwrite w;

	jwrite_init(&w, out);
	json_value(&w, value);
}

/* ---- YAML */

enum { NODES_MAX = 10000 };

struct reader {
	struct ctx *c;
	yaml_parser_t parser;
	unsigned line; /* of the text's first line, in the document */
	size_t nodes;
	struct err *err; /* the first refusal, or NULL */
};

static unsigned
line_of(const struct reader *r, const yaml_mark_t *mark)
{
	return r->line + (unsigned)mark->line;
}

static void
refuse_at(struct reader *r, const yaml_mark_t *mark, const char *why)
{
	if (r->err == NULL)
		r->err = refuse(r->c, ERR_INVALID, tr_mark("line %u: %s."), line_of(r, mark), why);
}

/* Reads the next event. Returns false after a refusal. The caller must delete the
 * event. */
static bool
next(struct reader *r, yaml_event_t *event)
{
	const char *problem;

	if (yaml_parser_parse(&r->parser, event))
		return true;
	problem = r->parser.problem != NULL ? r->parser.problem : "it stops";
	refuse_at(r, &r->parser.problem_mark,
	    arena_printf(r->c->arena,
		"the front matter is not YAML: %s (a text that holds a colon needs quotes)",
		problem));
	return false;
}

/* Returns whether the value is null: null, ~, or an empty scalar without quotes. */
static bool
is_null(const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0 ||
		   strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0);
}

/* Returns a copy of the text of a value or a name. Refuses a text with a NUL
 * ("\0"). */
static const char *
text_of(struct reader *r, const yaml_event_t *event, const char *what)
{
	const char *text = (const char *)event->data.scalar.value;

	if (!utf8_valid(text, event->data.scalar.length))
		refuse_at(
		    r, &event->start_mark, arena_printf(r->c->arena, "a %s holds a NUL", what));
	return arena_text(r->c->arena, text);
}

/* Reads a scalar. It counts as quoted if it has quotes, is a block, or has the
 * tag !!str: then it is always a text, and never null. */
static void
scalar(struct reader *r, const yaml_event_t *event, struct front_value *out)
{
	const char *tag = (const char *)event->data.scalar.tag;

	out->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
		      (tag != NULL && strcmp(tag, YAML_STR_TAG) == 0);
	out->kind = !out->quoted && is_null(event) ? FRONT_NULL : FRONT_SCALAR;
	out->text = text_of(r, event, "value");
}

static void value(struct reader *r, const yaml_event_t *event, struct front_value *out, int depth);

static void
list(struct reader *r, struct front_value *out, int depth)
{
	yaml_event_t event;
	struct front_value item;

	out->kind = FRONT_LIST;
	while (r->err == NULL && next(r, &event)) {
		bool over = event.type == YAML_SEQUENCE_END_EVENT;
		if (!over) {
			unsigned line = line_of(r, &event.start_mark);
			memset(&item, 0, sizeof(item));
			item.line = line;
			value(r, &event, &item, depth + 1);
			*add_item(r->c, out, NULL, line) = item;
		}
		yaml_event_delete(&event);
		if (over)
			return;
	}
}

/* Returns the name of the next member of `out`, or NULL at its end or after a
 * refusal. */
static const char *
member_name(struct reader *r, const struct front_value *out, unsigned *line)
{
	const char *name = NULL;
	yaml_event_t event;

	if (!next(r, &event))
		return NULL;
	*line = line_of(r, &event.start_mark);
	if (event.type == YAML_SCALAR_EVENT) {
		name = text_of(r, &event, "name");
		if (find_member(out, name) != NULL)
			refuse_at(r, &event.start_mark,
			    arena_printf(r->c->arena, "%s is given twice", name));
	} else if (event.type != YAML_MAPPING_END_EVENT) {
		refuse_at(r, &event.start_mark, "a name must be a text");
	}
	yaml_event_delete(&event);
	return r->err == NULL ? name : NULL;
}

static void
table(struct reader *r, struct front_value *out, int depth)
{
	struct front_value item;
	yaml_event_t event;
	const char *name;
	unsigned line;

	out->kind = FRONT_TABLE;
	while ((name = member_name(r, out, &line)) != NULL && next(r, &event)) {
		memset(&item, 0, sizeof(item));
		value(r, &event, &item, depth + 1);
		item.name = name;
		item.line = line;
		*add_item(r->c, out, name, line) = item;
		yaml_event_delete(&event);
	}
}

/* Reads the value that begins with `event`. The caller deletes the event. */
static void
value(struct reader *r, const yaml_event_t *event, struct front_value *out, int depth)
{
	if (depth > FRONT_DEPTH_MAX)
		refuse_at(r, &event->start_mark, "the front matter is nested too deeply");
	else if (++r->nodes > NODES_MAX)
		refuse_at(r, &event->start_mark, "the front matter holds too many values");
	else if (event->type == YAML_SCALAR_EVENT)
		scalar(r, event, out);
	else if (event->type == YAML_SEQUENCE_START_EVENT)
		list(r, out, depth);
	else if (event->type == YAML_MAPPING_START_EVENT)
		table(r, out, depth);
	else
		refuse_at(
		    r, &event->start_mark, "aliases (*name) are not read; write the value out");
}

/* Reads the root: a mapping, or nothing at all. */
static void
document(struct reader *r, struct front_value *root)
{
	yaml_event_t event;
	bool over = false;

	while (r->err == NULL && !over && next(r, &event)) {
		switch (event.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_STREAM_END_EVENT:
			over = true;
			break;
		case YAML_MAPPING_START_EVENT:
			if (r->nodes == 0) {
				r->nodes = 1;
				table(r, root, 1);
				break;
			}
			/* fall through */
		default:
			if (event.type != YAML_SCALAR_EVENT || !is_null(&event))
				refuse_at(r, &event.start_mark,
				    "the front matter must be lines of the form \"name: value\"");
		}
		yaml_event_delete(&event);
	}
}

/* Reads YAML. `line` is that of the first byte of `text`. */
static struct err *
read_yaml(struct ctx *c, const char *text, size_t len, unsigned line, struct front_value *root)
{
	struct reader r = { .c = c, .line = line };

	if (!yaml_parser_initialize(&r.parser))
		die("memory: libyaml has none");
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	document(&r, root);
	yaml_parser_delete(&r.parser);
	return r.err;
}

/* ---- TOML */

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

/* ---- TOML: values */

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
		*add_item(t->c, out, NULL, item.line) = item;
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

/* ---- TOML: tables and keys */

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

/* Returns whether the key continues after a dot. Skips the dot. */
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
	struct front_value *found = find_member(parent, name);

	if (found == NULL) {
		found = add_item(t->c, parent, name, t->line);
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
	if (find_member(table, name) != NULL) {
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
	*add_item(t->c, table, name, value.line) = value;
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
	struct front_value *list = find_member(parent, name), *item;

	if (list == NULL) {
		list = add_item(t->c, parent, name, t->line);
		list->kind = FRONT_LIST;
	}
	if (list->kind != FRONT_LIST || list->closed) {
		toml_refuse(t, arena_printf(t->c->arena, "%s is given twice", name));
		return NULL;
	}
	item = add_item(t->c, list, NULL, t->line);
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
	if (!list && find_member(table, name) != NULL && find_member(table, name)->headed) {
		toml_refuse(t, arena_printf(t->c->arena, "[%s] is given twice", name));
		return NULL;
	}
	expect(t, list ? "]]" : "]");
	table = list ? list_table(t, table, name) : table_of(t, table, name);
	if (table != NULL)
		table->headed = true;
	return table;
}

/* Reads TOML. `line` is that of the first byte of `text`. */
static struct err *
read_toml(struct ctx *c, const char *text, size_t len, unsigned line, struct front_value *root)
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

/* ---- the head */

/* Returns whether the line at `p` contains `mark` and otherwise only spaces. */
static bool
is_fence(const char *p, const char *end, const char *mark)
{
	size_t len = strlen(mark);

	if ((size_t)(end - p) < len || memcmp(p, mark, len) != 0)
		return false;
	for (p += len; p < end && *p != '\n'; p++) {
		if (*p != ' ' && *p != '\t')
			return false;
	}
	return true;
}

static const char *
next_line(const char *p, const char *end)
{
	const char *newline = memchr(p, '\n', (size_t)(end - p));

	return newline == NULL ? end : newline + 1;
}

/* Returns the line that ends a head, or NULL. `...` also ends YAML. */
static const char *
find_end(const char *p, const char *end, bool toml, unsigned *line)
{
	for (; p < end; p = next_line(p, end)) {
		if (is_fence(p, end, toml ? "+++" : "---") || (!toml && is_fence(p, end, "...")))
			return p;
		++*line;
	}
	return NULL;
}

/* Takes `galley: {…}` out of the YAML at `text`. The line becomes empty. */
static void
take_galley(struct ctx *c, char *text, size_t len, struct front_value *root)
{
	static const char key[] = "galley:";
	char *end = text + len, *next, *value, *last;
	struct front_value *item;
	unsigned line = 2;

	for (char *p = text; p < end; p = next, line++) {
		next = text + (next_line(p, end) - text);
		value = p + sizeof(key) - 1;
		if ((size_t)(end - p) < sizeof(key) || memcmp(p, key, sizeof(key) - 1) != 0)
			continue;
		for (last = next; last > value && strchr(" \t\n", last[-1]) != NULL;)
			last--;
		while (value < last && (*value == ' ' || *value == '\t'))
			value++;
		if (last - value < 2 || value[0] != '{' || last[-1] != '}')
			return;
		item = add_item(c, root, "galley", line);
		item->kind = FRONT_SCALAR;
		item->quoted = true;
		item->text = arena_text_n(c->arena, value, (size_t)(last - value));
		memset(p, ' ', (size_t)(last - p));
		return;
	}
}

/* Returns the number of bytes without the empty lines that take_galley() leaves. */
static size_t
size_of(const char *text, size_t len)
{
	size_t size = 0;

	for (size_t i = 0; i < len; i++)
		size += text[i] != ' ';
	return size;
}

struct err *
frontmatter_read(struct ctx *c, const char *text, size_t len, struct front_value *root,
    size_t *body, unsigned *body_line)
{
	const char *end = text + len, *from, *to;
	bool toml = is_fence(text, end, "+++");
	char *head;

	memset(root, 0, sizeof(*root));
	root->kind = FRONT_TABLE;
	root->line = 1;
	*body = 0;
	*body_line = 1;
	if (!toml && !is_fence(text, end, "---"))
		return NULL;
	from = next_line(text, end);
	*body_line = 2;
	to = find_end(from, end, toml, body_line);
	if (to == NULL)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"line 1: front matter begins here, but the line %s that ends it is missing."),
		    toml ? "+++" : "---");
	++*body_line;
	*body = (size_t)(next_line(to, end) - text);
	head = arena_text_n(c->arena, from, (size_t)(to - from));
	if (!toml)
		take_galley(c, head, (size_t)(to - from), root);
	if (size_of(head, (size_t)(to - from)) > FRONT_BYTES_MAX)
		return refuse(c, ERR_INVALID,
		    tr_mark("line 1: the front matter is longer than %d KiB."),
		    FRONT_BYTES_MAX / 1024);
	return toml ? read_toml(c, head, (size_t)(to - from), 2, root)
		    : read_yaml(c, head, (size_t)(to - from), 2, root);
}
