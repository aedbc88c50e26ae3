#include "store/both/exchange.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "store/both/names.h"
#include "store/pg/pg-handle.h"
#include "store/schemas.h"
#include "system/fault.h"

#define TABLES_MAX ((size_t)64)
#define TEXT_MAX ((size_t)16 * 1024)
#define OTHERS_MAX 8

void
exchange_fail(struct exchange *x, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	if (x->wrong != NULL)
		return;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	x->wrong = arena_text(x->c->arena, text);
}

/* ---- which rows are not copied */

struct without {
	enum exchange_part part;
	enum db_store store;
	const char *table;
	const char *where; /* of the rows that are copied; NULL: none is */
};

#define TASK_ENDED " WHERE state NOT IN ('waiting', 'running')"
#define OF_TASK_ENDED " WHERE task_id IN (SELECT id FROM task" TASK_ENDED ")"

static const struct without without[] = {
	/* Who visited on a day, who read the API and what is half done stay where they are. */
	{ EXCHANGE_VIEWS, DB_STATS, "seen", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "segment", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "erased", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "reader", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "reading", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "refusal", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "fetched", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "log_file", NULL },
	{ EXCHANGE_VIEWS, DB_STATS, "log", NULL },
	/* What belongs to the present programs, and to files of this machine. */
	{ EXCHANGE_MOVE, DB_CONTENT, "form", NULL },
	/* The place where an instance is live is another one then; a quiet one stays quiet. */
	{ EXCHANGE_MOVE, DB_CONTENT, "live", " WHERE quiet_at > 0" },
	{ EXCHANGE_MOVE, DB_CONSOLE, "form", NULL },
	{ EXCHANGE_MOVE, DB_CONSOLE, "session", NULL },
	{ EXCHANGE_MOVE, DB_CONSOLE, "upload", NULL },
	{ EXCHANGE_MOVE, DB_CONSOLE, "task", TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "moving", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "moving_item", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "moving_loss", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_CONSOLE, "visited_page", OF_TASK_ENDED },
	{ EXCHANGE_MOVE, DB_STATS, "seen", NULL },
	{ EXCHANGE_MOVE, DB_STATS, "segment", NULL },
	{ EXCHANGE_MOVE, DB_STATS, "log_file", NULL },
};

/* Returns the rows of a table that are copied, or NULL for none. */
static const char *
rows_of(enum db_store store, enum exchange_part part, const char *table)
{
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		const struct without *w = &without[i];

		if (w->part == part && w->store == store && strcmp(w->table, table) == 0)
			return w->where;
	}
	return "";
}

/* ---- tables */

/* Reads the columns of a table from the file. */
static void
read_columns(struct exchange *x, struct exchange_table *t)
{
	const char *key[EXCHANGE_COLUMNS_MAX] = { NULL };
	struct buf columns, order;
	sqlite3_stmt *q;

	buf_init(&columns, x->c->arena, TEXT_MAX);
	buf_init(&order, x->c->arena, TEXT_MAX);
	if (sqlite3_prepare_v2(x->lite, arena_printf(x->c->arena, "PRAGMA table_info(%s)", t->name),
		-1, &q, NULL) != SQLITE_OK) {
		exchange_fail(x, "%s", sqlite3_errmsg(x->lite));
		return;
	}
	while (sqlite3_step(q) == SQLITE_ROW && t->count < EXCHANGE_COLUMNS_MAX) {
		const char *name = (const char *)sqlite3_column_text(q, 1);
		int place = sqlite3_column_int(q, 5);

		t->types[t->count++] = (char)sqlite3_column_text(q, 2)[0];
		buf_printf(&columns, "%s%s", columns.len > 0 ? ", " : "", name);
		if (place > 0 && place <= EXCHANGE_COLUMNS_MAX)
			key[place - 1] = arena_text(x->c->arena, name);
	}
	sqlite3_finalize(q);
	for (size_t i = 0; i < EXCHANGE_COLUMNS_MAX && key[i] != NULL; i++)
		buf_printf(&order, "%s%s", i > 0 ? ", " : "", key[i]);
	if (t->count == EXCHANGE_COLUMNS_MAX || order.len == 0)
		exchange_fail(x, "the table %s has no key, or too many columns", t->name);
	t->columns = buf_done(&columns);
	t->key = buf_done(&order);
}

static bool
is_taken(const struct exchange *x, const char *table)
{
	for (size_t i = 0; i < x->count; i++) {
		if (strcmp(x->tables[i].name, table) == 0)
			return true;
	}
	return false;
}

/* Returns whether the tables that this one refers to are taken. */
static bool
may_follow(struct exchange *x, const char *table)
{
	sqlite3_stmt *q;
	bool may = true;

	if (sqlite3_prepare_v2(x->lite,
		arena_printf(x->c->arena, "PRAGMA foreign_key_list(%s)", table), -1, &q,
		NULL) != SQLITE_OK)
		return false;
	while (may && sqlite3_step(q) == SQLITE_ROW) {
		const char *other = (const char *)sqlite3_column_text(q, 2);

		may = strcmp(other, table) == 0 || is_taken(x, other);
	}
	sqlite3_finalize(q);
	return may;
}

/* Takes the tables of the file that may come next; false if there is none. */
static bool
take_tables(struct exchange *x)
{
	static const char sql[] = "SELECT name FROM sqlite_master WHERE type = 'table'"
				  " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name";
	sqlite3_stmt *q;
	bool more = false;

	if (sqlite3_prepare_v2(x->lite, sql, -1, &q, NULL) != SQLITE_OK) {
		exchange_fail(x, "%s", sqlite3_errmsg(x->lite));
		return false;
	}
	while (sqlite3_step(q) == SQLITE_ROW && x->count < TABLES_MAX) {
		const char *name = (const char *)sqlite3_column_text(q, 0);

		if (is_taken(x, name) || !may_follow(x, name))
			continue;
		x->tables[x->count].name = arena_text(x->c->arena, name);
		read_columns(x, &x->tables[x->count]);
		x->count++;
		more = true;
	}
	sqlite3_finalize(q);
	return more && x->wrong == NULL;
}

/* Opens the file, and finds its tables. */
static void
open_file(struct exchange *x, const char *path, int flags, const char *schema)
{
	sqlite_db_memory_begin();
	if (sqlite3_open_v2(path, &x->lite, flags, NULL) != SQLITE_OK) {
		exchange_fail(x, "%s: %s", path, sqlite3_errmsg(x->lite));
		return;
	}
	sqlite3_busy_timeout(x->lite, DB_WAIT_TOOL_MS);
	sqlite3_db_config(x->lite, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(x->lite, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
	if (schema != NULL && sqlite3_exec(x->lite, schema, NULL, NULL, NULL) != SQLITE_OK)
		exchange_fail(x, "%s: %s", path, sqlite3_errmsg(x->lite));
	x->tables = arena_array(x->c->arena, TABLES_MAX, sizeof(*x->tables));
	memset(x->tables, 0, TABLES_MAX * sizeof(*x->tables));
	while (x->wrong == NULL && take_tables(x))
		;
}

/* Reads the table on the side that was written, and compares. */
static void
compare(struct exchange *x, const struct exchange_table *t,
    void (*read)(struct exchange *, struct exchange_table *, exchange_row *, void *))
{
	struct exchange_table copy = *t;

	read(x, &copy, NULL, NULL);
	if (x->wrong == NULL &&
	    (copy.rows != t->rows || memcmp(copy.digest, t->digest, DIGEST_SIZE) != 0))
		exchange_fail(x, "the table %s is another one when it is read again", t->name);
}

/* COPY waits in libpq, which finds out that the server's host is gone (pg-open.c). */
static struct exchange
begin(struct ctx *c, PGconn *pg, enum db_store store)
{
	(void)PQsetnonblocking(pg, 0);
	return (struct exchange) { .c = c, .pg = pg, .schema = pg_schema(store) };
}

/* The names in a WHERE are those of the store. */
static void
look_at(struct exchange *x)
{
	(void)exchange_run_pg(
	    x, arena_printf(x->c->arena, "SET LOCAL search_path = %s", x->schema));
}

static const char *
end(struct exchange *x, const char *sql)
{
	if (x->wrong == NULL && sql != NULL &&
	    sqlite3_exec(x->lite, sql, NULL, NULL, NULL) != SQLITE_OK)
		exchange_fail(x, "the file: %s", sqlite3_errmsg(x->lite));
	if (sqlite3_close(x->lite) != SQLITE_OK)
		exchange_fail(x, "the file cannot be closed");
	(void)PQsetnonblocking(x->pg, 1);
	return x->wrong;
}

/* Returns the schema that PostgreSQL has, as SQLite has it, and its number: before galley migrate
 * it is that of an earlier release. */
static const char *
present_schema(struct exchange *x, enum db_store store, int64_t *number)
{
	const struct schemas *s = schemas_of(store);
	PGresult *result =
	    PQexec(x->pg, arena_printf(x->c->arena, "SELECT number FROM %s.store", x->schema));

	if (PQntuples(result) != 1)
		exchange_fail(x, "PostgreSQL says no number of the schema %s", x->schema);
	*number = x->wrong == NULL ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : s->number;
	PQclear(result);
	for (const struct migration *m = s->released; m->number != 0; m++) {
		if (m->number == *number)
			return m->sql;
	}
	*number = s->number;
	return s->text;
}

const char *
exchange_out(
    struct ctx *c, PGconn *pg, enum db_store store, const char *path, enum exchange_part part)
{
	const struct schemas *s = schemas_of(store);
	struct exchange x = begin(c, pg, store);
	int64_t number;
	const char *schema = present_schema(&x, store, &number);

	if (x.wrong != NULL)
		return x.wrong;
	open_file(&x, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	    arena_printf(c->arena,
		"BEGIN; %s; PRAGMA application_id = %" PRId32 "; PRAGMA user_version = %" PRId64
		"; COMMIT; PRAGMA synchronous = FULL;"
		" PRAGMA ignore_check_constraints = %d; BEGIN",
		schema, s->application_id, number, part == EXCHANGE_BROKEN));
	look_at(&x);
	for (size_t i = 0; x.wrong == NULL && i < x.count; i++) {
		struct exchange_table *t = &x.tables[i];

		t->where = rows_of(store, part, t->name);
		if (t->where == NULL)
			continue;
		exchange_fill_lite(&x, t);
		if (x.wrong == NULL)
			compare(&x, t, exchange_read_lite);
	}
	return end(&x, "COMMIT");
}

/* Other tables of PostgreSQL that refer to those of the store: they keep their rows, as far as what
 * they name comes back. */
struct others {
	const char *table[OTHERS_MAX], *name[OTHERS_MAX], *text[OTHERS_MAX];
	int count;
};

static const char *
list_of_tables(struct exchange *x)
{
	struct buf list;

	buf_init(&list, x->c->arena, TEXT_MAX);
	for (size_t i = 0; i < x->count; i++)
		buf_printf(&list, "%s%s.%s", i > 0 ? ", " : "", x->schema, x->tables[i].name);
	return buf_done(&list);
}

static void
find_others(struct exchange *x, struct others *out)
{
	const char *tables = list_of_tables(x);
	PGresult *result = PQexec(
	    x->pg, arena_printf(x->c->arena,
		       "SELECT conrelid::regclass,"
		       " conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f'"
		       " AND confrelid = ANY(string_to_array('%s', ', ')::regclass[])"
		       " AND NOT conrelid = ANY(string_to_array('%s', ', ')::regclass[])",
		       tables, tables));

	out->count = PQntuples(result);
	if (PQresultStatus(result) != PGRES_TUPLES_OK || out->count > OTHERS_MAX)
		exchange_fail(x, "PostgreSQL: %s", PQerrorMessage(x->pg));
	for (int i = 0; x->wrong == NULL && i < out->count; i++) {
		out->table[i] = arena_text(x->c->arena, PQgetvalue(result, i, 0));
		out->name[i] = arena_text(x->c->arena, PQgetvalue(result, i, 1));
		out->text[i] = arena_text(x->c->arena, PQgetvalue(result, i, 2));
	}
	PQclear(result);
}

/* Empties all tables of the store. TRUNCATE waits for readers that are at work, and lets no other
 * one in before the end: one that had begun would see empty tables. */
static void
empty(struct exchange *x, struct others *others)
{
	(void)exchange_run_pg(x,
	    arena_printf(x->c->arena, "LOCK TABLE %s.store IN ACCESS EXCLUSIVE MODE", x->schema));
	find_others(x, others);
	for (int i = 0; x->wrong == NULL && i < others->count; i++)
		(void)exchange_run_pg(
		    x, arena_printf(x->c->arena, "ALTER TABLE %s DROP CONSTRAINT %s",
			   others->table[i], others->name[i]));
	(void)exchange_run_pg(
	    x, arena_printf(x->c->arena,
		   "CREATE TEMP TABLE store_kept ON COMMIT"
		   " DROP AS SELECT * FROM %s.store; TRUNCATE %s.store, %s;"
		   " INSERT INTO %s.store SELECT * FROM store_kept; DROP TABLE store_kept",
		   x->schema, x->schema, list_of_tables(x), x->schema));
}

/* Puts back how other tables refer to the new rows. Bytes of a picture go with its row. */
static void
refer_again(struct exchange *x, const struct others *others)
{
	for (int i = 0; x->wrong == NULL && i < others->count; i++) {
		if (strstr(others->table[i], "media_bytes") != NULL)
			(void)exchange_run_pg(x,
			    "DELETE FROM content.media_bytes b WHERE NOT EXISTS"
			    " (SELECT 1 FROM content.media m WHERE m.digest = b.digest)");
		(void)exchange_run_pg(
		    x, arena_printf(x->c->arena, "ALTER TABLE %s ADD CONSTRAINT %s %s",
			   others->table[i], others->name[i], others->text[i]));
	}
}

/* Sets the triggers of jobs and credits aside: the rows are what they made. */
static void
set_guards(struct exchange *x, const char *verb)
{
	PGresult *result;

	if (x->wrong != NULL)
		return;
	result =
	    PQexec(x->pg, arena_printf(x->c->arena,
			      "SELECT DISTINCT tgrelid::regclass"
			      " FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid"
			      " WHERE NOT tgisinternal AND t.relnamespace = '%s'::regnamespace",
			      x->schema));
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		exchange_fail(x, "PostgreSQL: %s", PQerrorMessage(x->pg));
	for (int i = 0; x->wrong == NULL && i < PQntuples(result); i++)
		(void)exchange_run_pg(x, arena_printf(x->c->arena, "ALTER TABLE %s %s TRIGGER USER",
					     PQgetvalue(result, i, 0), verb));
	PQclear(result);
}

/* The next row gets a number behind all that there are. A sequence never goes back: this is not
 * undone if the transaction is. */
static void
go_on_counting(struct exchange *x, const struct exchange_table *t)
{
	const char *name = arena_printf(x->c->arena, "%s.%s", x->schema, t->name);

	if (strncmp(t->columns, "id, ", strlen("id, ")) != 0)
		return;
	(void)exchange_run_pg(x,
	    arena_printf(x->c->arena,
		"SELECT setval(s.oid::regclass, greatest(q.last_value, (SELECT max(id) FROM %s)))"
		" FROM pg_class s JOIN pg_sequences q ON q.schemaname = '%s' AND q.sequencename ="
		" s.relname WHERE s.oid = pg_get_serial_sequence('%s', 'id')::regclass"
		" AND EXISTS (SELECT 1 FROM %s)",
		name, x->schema, name, name));
}

const char *
exchange_in(struct ctx *c, PGconn *pg, enum db_store store, const char *path, const char *pictures,
    enum exchange_part part)
{
	struct exchange x = begin(c, pg, store);
	struct others others = { .count = 0 };

	open_file(&x, path, SQLITE_OPEN_READONLY, "BEGIN");
	look_at(&x);
	if (x.wrong == NULL)
		set_guards(&x, "DISABLE");
	if (x.wrong == NULL)
		empty(&x, &others);
	for (size_t i = 0; x.wrong == NULL && i < x.count; i++) {
		struct exchange_table *t = &x.tables[i];

		t->where = rows_of(store, part, t->name);
		if (t->where == NULL)
			continue;
		exchange_fill_pg(&x, t);
		if (x.wrong == NULL) {
			t->where = "";
			compare(&x, t, exchange_read_pg);
		}
		if (x.wrong == NULL)
			go_on_counting(&x, t);
		(void)FAULT("exchange-table");
	}
	refer_again(&x, &others);
	if (x.wrong == NULL && store == DB_CONTENT)
		exchange_pictures_in(&x, pictures);
	set_guards(&x, "ENABLE");
	return end(&x, NULL);
}
