#include "import/markdown/frontmatter.h"

#include <string.h>
#include <yaml.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/utf8.h"

/* ---- values */

struct front_value *
frontmatter_add(struct ctx *c, struct front_value *parent, const char *name, unsigned line)
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

struct front_value *
frontmatter_find(const struct front_value *table, const char *name)
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
			*frontmatter_add(r->c, out, NULL, line) = item;
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
		if (frontmatter_find(out, name) != NULL)
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
		*frontmatter_add(r->c, out, name, line) = item;
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
		item = frontmatter_add(c, root, "galley", line);
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
	return toml ? frontmatter_toml(c, head, (size_t)(to - from), 2, root)
		    : read_yaml(c, head, (size_t)(to - from), 2, root);
}
