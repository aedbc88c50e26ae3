/* Makes the schemas of SQLite, and brings them up (migrate.h). */
#include <ctype.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "store/generation.h"
#include "store/migrate.h"
#include "store/schemas.h"
#include "store/sqlite/db-connection.h"
#include "system/fault.h"

/* The most objects of a database that is upgraded: enough for all earlier schemas. */
#define OBJECTS_MAX 100
#define COLUMNS_MAX ((size_t)4096)

/* Prepares the connection for tables that are renamed and rows that are copied in any
 * order: no reference follows a name, none is checked before the end, and no trigger
 * refuses the rows. Call it outside a transaction. */
static void
prepare_connection(struct ctx *c, bool begin)
{
	sqlite3_db_config(db_handle(c), SQLITE_DBCONFIG_ENABLE_TRIGGER, begin ? 0 : 1, NULL);
	sqlite3_db_config(db_handle(c), SQLITE_DBCONFIG_ENABLE_FKEY, begin ? 0 : 1, NULL);
	sqlite3_db_config(db_handle(c), SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, begin ? 1 : 0, NULL);
}

static struct err *
check_foreign_keys(struct ctx *c)
{
	struct stmt *q = db_prepare_dangling(c);
	const char *table;

	if (!db_row(q))
		return NULL;
	table = arena_text(c->arena, db_text(q, 0));
	db_reset(q);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT,
		"In %s a row of %s refers to one that is not there: nothing was changed. Correct it by the release before, or with the sqlite3 shell, and migrate again.",
		schemas_of(c->db->store)->noun, table),
	    HINT_MIGRATE_NOW, NULL);
}

/* Returns the names of the objects of one type that the database's own SQL made, in the
 * order of their creation; NULL ends them. */
static const char **
names_of(struct ctx *c, const char *type)
{
	const char **names = arena_array(c->arena, OBJECTS_MAX + 1, sizeof(*names));
	struct stmt *q = db_prepare(c,
	    "SELECT name FROM sqlite_master WHERE type = :type AND sql IS NOT NULL"
	    " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid /*scan*/",
	    db_t(":type", type));
	size_t count = 0;

	while (db_row(q)) {
		if (count == OBJECTS_MAX)
			die("migration: the database has over %d objects of the type %s",
			    OBJECTS_MAX, type);
		names[count++] = arena_text(c->arena, db_text(q, 0));
	}
	names[count] = NULL;
	return names;
}

/* Returns the columns of a table, separated by commas. */
static const char *
columns_of(struct ctx *c, const char *table)
{
	struct buf columns;
	struct stmt *q;

	buf_init(&columns, c->arena, COLUMNS_MAX);
	q = db_prepare(
	    c, "SELECT name FROM pragma_table_info(:table) /*scan*/", db_t(":table", table));
	while (db_row(q))
		buf_printf(&columns, "%s%s", columns.len > 0 ? ", " : "", db_text(q, 0));
	return buf_done(&columns);
}

/* Copies rows. A row that breaks a rule of the new table is refused: it is no fault of the
 * disk. */
static struct err *
copy_rows(struct ctx *c, const char *table, const char *old)
{
	const char *columns = columns_of(c, old);
	sqlite3 *handle = db_handle(c);
	const char *sql = arena_printf(
	    c->arena, "INSERT INTO %s (%s) SELECT %s FROM %s", table, columns, columns, old);

	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK)
		return NULL;
	if ((sqlite3_errcode(handle) & 0xFF) != SQLITE_CONSTRAINT)
		db_fault(handle, sql);
	return err_hint(c,
	    refuse(c, ERR_CONFLICT,
		"In %s a row of %s is not as Galley writes them (%s): nothing was changed. Correct it by the release before, or with the sqlite3 shell, and migrate again.",
		schemas_of(c->db->store)->noun, table,
		arena_text(c->arena, sqlite3_errmsg(handle))),
	    HINT_MIGRATE_NOW, NULL);
}

/* Copies the rows into the tables of this release's schema. The old tables get other names,
 * and are removed after their last use. */
static struct err *
copy_into_schema(struct ctx *c, const struct schemas *to)
{
	const char **triggers = names_of(c, "trigger");
	const char **indexes = names_of(c, "index");
	const char **tables = names_of(c, "table");

	for (size_t i = 0; triggers[i] != NULL; i++)
		db_exec(c, arena_printf(c->arena, "DROP TRIGGER %s", triggers[i]));
	for (size_t i = 0; indexes[i] != NULL; i++)
		db_exec(c, arena_printf(c->arena, "DROP INDEX %s", indexes[i]));
	for (size_t i = 0; tables[i] != NULL; i++)
		db_exec(c, arena_printf(c->arena, "ALTER TABLE %s RENAME TO before_%s", tables[i],
			       tables[i]));
	db_exec(c, to->text);
	for (size_t i = 0; tables[i] != NULL; i++) {
		const char *old = arena_printf(c->arena, "before_%s", tables[i]);

		TRY(copy_rows(c, tables[i], old));
		db_exec(c, arena_printf(c->arena, "DROP TABLE %s", old));
		(void)FAULT("migrate-step");
	}
	return NULL;
}

/* Runs every step from the older schema on, and gives the tables their texts. */
static struct err *
bring_up(struct ctx *c, const struct schemas *to, int64_t from)
{
	struct err *err;

	for (const struct migration *m = to->steps; m->number != 0; m++) {
		if (m->number > from)
			db_exec(c, m->sql);
		(void)FAULT("migrate-step");
	}
	err = copy_into_schema(c, to);
	return err != NULL ? err : check_foreign_keys(c);
}

int64_t
migrate_number(struct ctx *c, enum db_store store)
{
	int64_t number;

	db_choose(c, store);
	db_set_deadline(c->db);
	number = db_version(c);
	db_choose(c, DB_CONTENT);
	return number;
}

struct err *
migrate_check(struct ctx *c, enum db_store store, int64_t number)
{
	const struct schemas *s = schemas_of(store);

	if (number <= s->number)
		return NULL;
	if (number >= DB_MOVED)
		return err_hint(c, refuse(c, ERR_CONFLICT, DB_MOVED_SAID ".", s->subject),
		    HINT_STORE_COPY, NULL);
	return refuse(c, ERR_CONFLICT,
	    "%s has schema %" PRId64 ", this program is of schema %" PRId64
	    ", and no database is brought down: install the newer release"
	    " again, or restore a backup that is no newer than this program"
	    " (migrate made one, db/before-migrate-*.tar).",
	    s->subject, number, s->number);
}

/* Makes the schema, or brings an older one to it, in the transaction that was begun. */
static struct err *
make(struct ctx *c, const struct schemas *to, int64_t from)
{
	if (from == 0)
		db_exec(c, to->text);
	else
		TRY(bring_up(c, to, from));
	db_exec(c, arena_printf(c->arena, "PRAGMA application_id = %" PRId32, to->application_id));
	db_exec(c, arena_printf(c->arena, "PRAGMA user_version = %" PRId64, to->number));
	(void)FAULT("migrate-before-commit");
	return NULL;
}

/* Runs the transaction. */
static struct err *
run(struct ctx *c, const struct schemas *to, int64_t from)
{
	struct err *err;

	db_exec(c, "BEGIN EXCLUSIVE");
	if (db_version(c) != from) {
		db_rollback(c);
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, "Another migration ran at the same time."), HINT_DOCTOR,
		    NULL);
	}
	generation_begin(c, c->db->store, DB_CHANGES_ALL, 0, clock_boot() + DB_WAIT_TOOL_MS * 1000);
	err = make(c, to, from);
	if (err == NULL)
		db_exec(c, "COMMIT");
	else
		db_rollback(c);
	generation_end(err == NULL);
	return err;
}

struct err *
migrate_run(struct ctx *c, enum db_store store, int64_t *from)
{
	const struct schemas *to = schemas_of(store);
	struct err *err;

	*from = migrate_number(c, store);
	err = migrate_check(c, store, *from);
	if (err != NULL || *from == to->number)
		return err;
	db_choose(c, store);
	prepare_connection(c, true);
	err = run(c, to, *from);
	prepare_connection(c, false);
	db_choose(c, DB_CONTENT);
	return err;
}

/* ---- the database's schema, compared with the one that the migrations make */

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
