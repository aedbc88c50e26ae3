#include "base/jread.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"

#define NESTING_MAX 64
#define SHOWN_MAX 100 /* code points of an unknown name that a sentence shows */

/* jansson's allocator has no context argument. Every jread_parse() sets this, so
 * that nothing of one request reaches the next. */
static struct arena *tree_arena;

static void *
tree_alloc(size_t size)
{
	return arena_alloc(tree_arena, size);
}

static void
tree_free(void *p)
{
	(void)p;
}

/* Returns whether the nesting is too deep, before jansson recurses into it. */
static bool
too_deep(const char *text, size_t len)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < len; i++) {
		char ch = text[i];
		if (quoted && ch == '\\')
			i++;
		else if (ch == '"')
			quoted = !quoted;
		else if (!quoted && (ch == '[' || ch == '{') && ++depth > NESTING_MAX)
			return true;
		else if (!quoted && (ch == ']' || ch == '}'))
			depth--;
	}
	return false;
}

struct err *
jread_parse(struct ctx *c, const char *what, const char *text, size_t len, json_t **out)
{
	json_error_t error;

	tree_arena = c->arena;
	json_set_alloc_funcs(tree_alloc, tree_free);
	if (too_deep(text, len))
		return err_param(c, what, "The JSON is nested more than %d deep.", NESTING_MAX);
	*out = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (*out == NULL)
		return err_param(c, what, "This is not JSON: line %d, column %d: %s.", error.line,
		    error.column, error.text);
	return NULL;
}

void
jread_begin(struct jread *r, struct ctx *c, const char *root)
{
	memset(r, 0, sizeof(*r));
	r->c = c;
	if (root[0] != '\0')
		jread_enter(r, root);
}

struct err *
jread_end(struct jread *r)
{
	return r->err;
}

static void
enter(struct jread *r, const char *name, size_t index)
{
	if (r->depth == JREAD_DEPTH)
		BUG("jread_enter() more than %d deep", JREAD_DEPTH);
	r->path[r->depth].name = name;
	r->path[r->depth].index = index;
	r->depth++;
}

void
jread_enter(struct jread *r, const char *name)
{
	enter(r, name, 0);
}

void
jread_enter_element(struct jread *r, size_t index)
{
	enter(r, NULL, index);
}

void
jread_leave(struct jread *r)
{
	if (r->depth == 0)
		BUG("jread_leave() without jread_enter()");
	r->depth--;
}

static const char *
place(struct jread *r, const char *name)
{
	struct buf b;

	buf_init(&b, r->c->arena, 4096);
	for (size_t i = 0; i < r->depth; i++) {
		if (r->path[i].name == NULL)
			buf_printf(&b, "[%zu]", r->path[i].index);
		else
			buf_printf(&b, "%s%s", b.len > 0 ? "." : "", r->path[i].name);
	}
	if (name != NULL)
		buf_printf(&b, "%s%s", b.len > 0 ? "." : "", name);
	if (b.len == 0)
		buf_lit(&b, "The JSON");
	return b.data;
}

void
jread_refuse(struct jread *r, const char *name, const char *format, ...)
{
	const char *param = "body";
	va_list args;
	char *text;

	if (r->err != NULL)
		return;
	va_start(args, format);
	text = arena_vprintf(r->c->arena, format, args);
	va_end(args);
	if (r->depth > 0 && r->path[0].name != NULL)
		param = r->path[0].name;
	else if (name != NULL)
		param = name;
	r->err = err_param(r->c, param, "%s %s", place(r, name), text);
}

/* Returns the member, or NULL if it is absent, null or refused. */
static json_t *
member(struct jread *r, json_t *object, const char *name, enum jread_need need)
{
	json_t *value = json_object_get(object, name);

	if (value == NULL && (need == JREAD_NEEDED || need == JREAD_NULLABLE))
		jread_refuse(r, name, "is missing.");
	if (!json_is_null(value))
		return value;
	if (need == JREAD_NEEDED || need == JREAD_OPTIONAL)
		jread_refuse(r, name, "must not be null.");
	return NULL;
}

static const char *
checked_text(struct jread *r, json_t *value, const char *name, size_t max, bool one_line)
{
	const char *text = json_string_value(value);
	const char *bad;

	if (text == NULL) {
		jread_refuse(r, name, "must be a string.");
		return NULL;
	}
	if (utf8_length(text) > max) {
		jread_refuse(r, name, "must have at most %zu characters.", max);
		return NULL;
	}
	bad = utf8_forbidden(text, one_line);
	if (bad != NULL) {
		jread_refuse(r, name, "holds the character U+%04X, which is not allowed.",
		    (unsigned)utf8_next(&bad));
		return NULL;
	}
	return text;
}

const char *
jread_text(struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max)
{
	json_t *value = member(r, object, name, need);

	return value == NULL ? NULL : checked_text(r, value, name, max, false);
}

const char *
jread_line(struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max)
{
	json_t *value = member(r, object, name, need);

	return value == NULL ? NULL : checked_text(r, value, name, max, true);
}

int64_t
jread_int(struct jread *r, json_t *object, const char *name, enum jread_need need, int64_t min,
    int64_t max, int64_t absent)
{
	json_t *value = member(r, object, name, need);
	int64_t number;

	if (value == NULL)
		return absent;
	number = json_integer_value(value);
	if (!json_is_integer(value) || number < min || number > max) {
		jread_refuse(r, name, "must be an integer between %lld and %lld.", (long long)min,
		    (long long)max);
		return absent;
	}
	return number;
}

bool
jread_bool(struct jread *r, json_t *object, const char *name, enum jread_need need, bool absent)
{
	json_t *value = member(r, object, name, need);

	if (value == NULL)
		return absent;
	if (!json_is_boolean(value))
		jread_refuse(r, name, "must be true or false.");
	return json_is_true(value);
}

json_t *
jread_array(struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max)
{
	json_t *value = member(r, object, name, need);

	if (value == NULL)
		return NULL;
	if (!json_is_array(value)) {
		jread_refuse(r, name, "must be an array.");
		return NULL;
	}
	if (json_array_size(value) > max) {
		jread_refuse(r, name, "must have at most %zu elements.", max);
		return NULL;
	}
	return value;
}

json_t *
jread_object(struct jread *r, json_t *object, const char *name, enum jread_need need)
{
	json_t *value = member(r, object, name, need);

	if (value == NULL)
		return NULL;
	if (!json_is_object(value)) {
		jread_refuse(r, name, "must be an object.");
		return NULL;
	}
	return value;
}

const char *
jread_element_text(struct jread *r, json_t *element, size_t max)
{
	return checked_text(r, element, NULL, max, false);
}

json_t *
jread_element_object(struct jread *r, json_t *element)
{
	if (json_is_object(element))
		return element;
	jread_refuse(r, NULL, "must be an object.");
	return NULL;
}

/* Returns whether `name` is one of the words of `names`. */
static bool
listed(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = names; *p != '\0'; p += *p != '\0') {
		size_t word = strcspn(p, " ");
		if (word == len && memcmp(p, name, len) == 0)
			return true;
		p += word;
	}
	return false;
}

/* Returns whether a sentence may repeat a stranger's name. */
static bool
can_be_shown(const char *name)
{
	bool seen = false;
	uint32_t cp;

	if (utf8_forbidden(name, true) != NULL || utf8_length(name) > SHOWN_MAX)
		return false;
	for (const char *p = name; (cp = utf8_next(&p)) != 0; seen |= cp != ' ') {
		if (utf8_is_obeyed(cp))
			return false;
	}
	return seen;
}

void
jread_only(struct jread *r, json_t *object, const char *names)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		if (listed(names, name))
			continue;
		if (can_be_shown(name))
			jread_refuse(r, name, "is not known here; known are: %s.", names);
		else
			jread_refuse(r, NULL,
			    "has a member that is not known here, and whose name is empty, too long or of characters that cannot be shown; known are: %s.",
			    names);
	}
}
