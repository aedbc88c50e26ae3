#include "import/markdown/frontmatter.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

void
frontmatter_toml_refuse(struct toml *t, const char *why)
{
	if (t->err == NULL)
		t->err = refuse(t->c, ERR_INVALID,
		    tr_mark("line %u: the front matter is not TOML: %s."), t->line, why);
}

/* Skips spaces and a comment; with `lines` also ends of lines. */
void
frontmatter_toml_blanks(struct toml *t, bool lines)
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
		return frontmatter_toml_string(t);
	while (is_bare(*t->p))
		t->p++;
	if (t->p == from) {
		frontmatter_toml_refuse(t, "a name is missing");
		return NULL;
	}
	return arena_text_n(t->c->arena, from, (size_t)(t->p - from));
}

/* Returns whether the key continues behind a dot. Skips the dot. */
static bool
key_more(struct toml *t)
{
	frontmatter_toml_blanks(t, false);
	if (*t->p != '.')
		return false;
	t->p++;
	frontmatter_toml_blanks(t, false);
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
		frontmatter_toml_refuse(t, arena_printf(t->c->arena, "%s is given twice", name));
		return NULL;
	}
	return found;
}

void
frontmatter_toml_pair(struct toml *t, struct front_value *table, int depth)
{
	struct front_value value = { .line = t->line };
	const char *name = key_part(t);

	while (name != NULL && table != NULL && key_more(t)) {
		if (++depth > FRONT_DEPTH_MAX) {
			frontmatter_toml_refuse(t, "it is nested too deeply");
			return;
		}
		table = table_of(t, table, name);
		name = key_part(t);
	}
	if (name == NULL || table == NULL)
		return;
	if (frontmatter_find(table, name) != NULL) {
		frontmatter_toml_refuse(t, arena_printf(t->c->arena, "%s is given twice", name));
		return;
	}
	if (*t->p != '=') {
		frontmatter_toml_refuse(t, "\"=\" is missing");
		return;
	}
	t->p++;
	frontmatter_toml_blanks(t, false);
	frontmatter_toml_value(t, &value, depth + 1);
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
		frontmatter_toml_refuse(t, arena_printf(t->c->arena, "\"%s\" is missing", mark));
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
		frontmatter_toml_refuse(t, arena_printf(t->c->arena, "%s is given twice", name));
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
	frontmatter_toml_blanks(t, false);
	name = key_part(t);
	while (name != NULL && table != NULL && key_more(t)) {
		if (++depth > FRONT_DEPTH_MAX) {
			frontmatter_toml_refuse(t, "it is nested too deeply");
			return NULL;
		}
		table = table_of(t, table, name);
		name = key_part(t);
	}
	if (name == NULL || table == NULL)
		return NULL;
	if (!list && frontmatter_find(table, name) != NULL &&
	    frontmatter_find(table, name)->headed) {
		frontmatter_toml_refuse(t, arena_printf(t->c->arena, "[%s] is given twice", name));
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
		frontmatter_toml_blanks(&t, true);
		if (t.p >= t.end || t.err != NULL)
			return t.err;
		if (*t.p == '[')
			table = header(&t, root);
		else
			frontmatter_toml_pair(&t, table, 1);
		frontmatter_toml_blanks(&t, false);
		if (t.err == NULL && t.p < t.end && *t.p != '\n')
			frontmatter_toml_refuse(&t, "there is something after the value");
	}
}
