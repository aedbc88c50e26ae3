/* Compares a database's schema with the one that the migrations make (migrate.h). */
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/sqlite/db-fault.h"
#include "store/sqlite/db-handle.h"
#include "store/migrate.h"
#include "store/schemas.h"

/* One object of a schema. */
struct object {
	const char *kind; /* "table", "index", "trigger", "view" */
	const char *name;
	const char *text; /* without comments; "" for SQLite's own indexes */
};

struct objects {
	struct ctx *c;
	struct object *list;
	size_t count;
};

/* Returns the end of a quoted word or a comment that begins at `p`, or `p`. */
static const char *
skip_quoted(const char *p)
{
	char end = *p == '[' ? ']' : *p;

	if (end != '\'' && end != '"' && end != '`' && end != ']')
		return p;
	for (p++; *p != '\0' && *p != end; p++)
		;
	return *p == '\0' ? p : p + 1;
}

static const char *
skip_comment(const char *p)
{
	const char *end;

	if (p[0] == '-' && p[1] == '-')
		return p + strcspn(p, "\n");
	if (p[0] != '/' || p[1] != '*')
		return p;
	end = strstr(p + 2, "*/");
	return end == NULL ? p + strlen(p) : end + 2;
}

/* Returns the text with one space for each row of spaces and comments. */
static const char *
plain(struct arena *a, const char *text)
{
	char *out = arena_text(a, text), *to = out;
	const char *p = text, *next;

	while (*p != '\0') {
		next = skip_comment(p);
		if (next != p || isspace((unsigned char)*p)) {
			if (to > out && to[-1] != ' ')
				*to++ = ' ';
			p = next != p ? next : p + 1;
			continue;
		}
		next = skip_quoted(p);
		next = next != p ? next : p + 1;
		memmove(to, p, (size_t)(next - p));
		to += next - p;
		p = next;
	}
	*to = '\0';
	return out;
}

static int
by_name(const void *a, const void *b)
{
	const struct object *x = a, *y = b;
	int order = strcmp(x->kind, y->kind);

	return order != 0 ? order : strcmp(x->name, y->name);
}

static const char *
column(struct arena *a, sqlite3_stmt *q, int n)
{
	const char *text = (const char *)sqlite3_column_text(q, n);

	return arena_text(a, text != NULL ? text : "");
}

/* Reads all objects but the tables of SQLite's statistics, ordered by kind and name. */
static void
read_schema(sqlite3 *handle, struct objects *out)
{
	struct arena *a = out->c->arena;
	size_t size = sizeof(*out->list);
	sqlite3_stmt *q;

	if (sqlite3_prepare_v2(handle,
		"SELECT type, name, sql FROM sqlite_master"
		" WHERE type <> 'table' OR name NOT IN ('sqlite_stat1',"
		" 'sqlite_stat4')",
		-1, &q, NULL) != SQLITE_OK)
		db_fault(handle, "the schema");
	while (sqlite3_step(q) == SQLITE_ROW) {
		out->list = arena_grow(a, out->list, out->count * size, (out->count + 1) * size);
		out->list[out->count++] =
		    (struct object) { column(a, q, 0), column(a, q, 1), plain(a, column(a, q, 2)) };
	}
	sqlite3_finalize(q);
	if (out->count > 0)
		qsort(out->list, out->count, size, by_name);
}

/* Returns the whole schema of that number, or NULL: only its steps are known. */
static const char *
find_text(const struct schemas *s, int64_t number)
{
	if (number == s->number)
		return s->text;
	for (const struct migration *m = s->released; m->number != 0; m++) {
		if (m->number == number)
			return m->sql;
	}
	return NULL;
}

static void
execute(sqlite3 *handle, const char *sql, const char *name)
{
	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		db_fault(handle, name);
}

/* Makes the schema of that number in memory: a release's, or the one that the steps make of
 * an empty database. */
static void
make_schema(const struct schemas *s, int64_t number, struct objects *out)
{
	const char *text = find_text(s, number);
	sqlite3 *handle = NULL;

	if (sqlite3_open_v2(
		":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
		db_fault(handle, "a database in memory");
	if (text != NULL)
		execute(handle, text, "the schema");
	for (const struct migration *m = s->steps; text == NULL && m->number != 0; m++) {
		if (m->number <= number)
			execute(handle, m->sql, m->name);
	}
	read_schema(handle, out);
	sqlite3_close(handle);
}

static struct err *
differs(struct ctx *c, const char *what, const struct object *o, const char *how)
{
	return refuse(c, ERR_INVALID, "The database in %s is not as Galley made it: the %s %s %s.",
	    what, o->kind, o->name, how);
}

/* Compares the objects that were found with those that Galley makes. */
static struct err *
compare(struct ctx *c, const char *what, const struct objects *found, const struct objects *made)
{
	size_t i = 0, j = 0;

	while (i < found->count || j < made->count) {
		const struct object *x = found->list + i, *y = made->list + j;
		int order = i == found->count ? 1 : j == made->count ? -1 : by_name(x, y);
		if (order < 0)
			return differs(c, what, x, "is not Galley's");
		if (order > 0)
			return differs(c, what, y, "is missing");
		if (strcmp(x->text, y->text) != 0)
			return differs(c, what, x, "has another text");
		i++;
		j++;
	}
	return NULL;
}

struct err *
migrate_compare(struct ctx *c, const char *what, int64_t number)
{
	struct objects found = { .c = c }, made = { .c = c };

	read_schema(db_handle(c), &found);
	make_schema(schemas_of(DB_CONTENT), number, &made);
	return compare(c, what, &found, &made);
}

struct err *
migrate_compare_console(struct ctx *c, const char *what)
{
	const struct schemas *s = schemas_of(DB_CONSOLE);
	struct objects found = { .c = c }, made = { .c = c };
	int64_t number;

	db_choose(c, DB_CONSOLE);
	number = db_version(c);
	if (!db_is_ours(c) || number < 1 || number > s->number)
		return refuse(c, ERR_INVALID,
		    "The people in %s are of another"
		    " release, or not Galley's: this one has their schema %" PRId64 ".",
		    what, s->number);
	read_schema(db_handle(c), &found);
	make_schema(s, number, &made);
	return compare(c, what, &found, &made);
}
