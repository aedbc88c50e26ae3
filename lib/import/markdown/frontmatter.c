#include "import/markdown/frontmatter.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"

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
	struct err *err;
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
	err = toml ? frontmatter_toml(c, head, (size_t)(to - from), 2, root)
		   : frontmatter_yaml(c, head, (size_t)(to - from), 2, root);
	return err;
}
