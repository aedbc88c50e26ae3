/*
 * What SQLite does with files, and PostgreSQL with its own tools or not yet (docs/postgres.md §6,
 * §8): stamps are rows; copies and restores are refused.
 */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "store/generation.h"
#include "store/pg/pg-connection.h"
#include "system/instance.h"

/* ---- memory: libpq allocates as it likes */

void
db_memory_once(void)
{
}

/* ---- generations: PostgreSQL has stamps (store/remote-store.h) */

void
generation_read(struct ctx *c, int64_t workspace_id, struct generation *out)
{
	(void)c;
	(void)workspace_id;
	memset(out, 0, sizeof(*out));
}

bool
generation_same(const struct generation *a, const struct generation *b)
{
	(void)a;
	(void)b;
	return false;
}

bool
generation_is_broken(struct ctx *c, int64_t slot)
{
	(void)c;
	(void)slot;
	return false;
}

/* ---- looks at a file */

bool
db_is_ours(struct ctx *c)
{
	return db_version(c) > 0;
}

bool
db_is_write_ahead(struct ctx *c)
{
	(void)c;
	return true;
}

void
db_exec(struct ctx *c, const char *sql)
{
	PQclear(pg_must(c->db, sql));
}

/* Writes the tables of the store again without what was deleted. The server's own log, and what
 * standbys and archives keep of it, is the operator's. */
bool
db_empty_log(struct ctx *c)
{
	PGresult *tables;

	pg_be_owner(c, c->db, true);
	tables = pg_must(
	    c->db, arena_printf(c->arena, "SELECT tablename FROM pg_tables WHERE schemaname = '%s'",
		       pg_schema(c->db->store)));
	for (int i = 0; i < PQntuples(tables); i++)
		PQclear(pg_must(
		    c->db, arena_printf(c->arena, "VACUUM FULL %s", PQgetvalue(tables, i, 0))));
	PQclear(tables);
	pg_be_owner(c, c->db, false);
	return true;
}

/* ---- copies: the operator's tool and the task runner make them (store/both/) */

static const char not_yet[] = "this program makes no copy of a PostgreSQL";

void
db_copies_begin(struct ctx *c)
{
	(void)c;
}

void
db_copies_end(struct ctx *c)
{
	(void)c;
}

const char *
db_copy_to(struct ctx *c, const char *path)
{
	(void)c;
	(void)path;
	return not_yet;
}

const char *
db_copy_console_to(struct ctx *c, const char *path)
{
	return db_copy_to(c, path);
}

const char *
db_copy_views_to(struct ctx *c, const char *path)
{
	return db_copy_to(c, path);
}

const char *
db_copy_pages_to(struct ctx *c, const char *path)
{
	return db_copy_to(c, path);
}

struct db_swap *
db_swap_open(struct ctx *c, enum db_store store)
{
	(void)c;
	(void)store;
	die("%s", not_yet);
}

const char *
db_swap_copy_to(struct ctx *c, struct db_swap *s, const char *path)
{
	(void)s;
	return db_copy_to(c, path);
}

bool
db_swap_lock(struct ctx *c, struct db_swap *s, const char *path)
{
	(void)c;
	(void)s;
	(void)path;
	return false;
}

void
db_swap_unlock(struct db_swap *s)
{
	(void)s;
}

bool
db_swap_can_read(const struct db_swap *s)
{
	(void)s;
	return false;
}

void
db_swap_commit(struct ctx *c, struct db_swap *s)
{
	(void)c;
	(void)s;
	die("%s", not_yet);
}

void
db_swap_close(struct db_swap *s)
{
	(void)s;
}

/*
 * ---- looks whether the rows are sound
 *
 * A server that keeps its rules has no row that breaks one; but a
 * person with the owner's role can set them aside, and a disk can lose pages.
 */

/* Lets the server write a query over its own catalogue, and runs that. `what` has one row with one
 * column: the query, or NULL where there is nothing to ask. Returns NULL for that. */
static PGresult *
ask_written(struct db *db, const char *what)
{
	PGresult *text = pg_must(db, what), *result = NULL;

	if (!PQgetisnull(text, 0, 0) && PQsendQuery(db->handle, PQgetvalue(text, 0, 0)) == 1)
		result = pg_await(db);
	else if (!PQgetisnull(text, 0, 0))
		pg_fault(db, NULL, "a look at the rows");
	PQclear(text);
	return result;
}

/* Returns what the server says of a page that it cannot read (XX001), of an index that lacks a row
 * or has one too many (XX002), or of a file that is not there; any other failure is a fault. */
static const char *
unreadable(struct db *db, PGresult *result)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *text;

	if (state == NULL || (strncmp(state, "XX0", 3) != 0 && strcmp(state, "58P01") != 0))
		pg_fault(db, result, "a look at the rows");
	text = arena_text(db->c->arena, PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	PQclear(result);
	return text;
}

/* Runs the queries that a query writes: its rows are a name and a query, which must find nothing.
 * Returns the first complaint, or NULL. */
static const char *
first_complaint(struct db *db, const char *what)
{
	struct ctx *c = db->c;
	PGresult *queries = pg_must(db, what);
	const char *text = NULL;

	for (int i = 0; i < PQntuples(queries) && text == NULL; i++) {
		const char *name = PQgetvalue(queries, i, 0);
		PGresult *result = NULL;

		if (PQsendQuery(db->handle, PQgetvalue(queries, i, 1)) == 1)
			result = pg_await(db);
		if (PQresultStatus(result) != PGRES_TUPLES_OK) {
			text = arena_printf(c->arena, "%s: %s", name, unreadable(db, result));
			continue;
		}
		if (PQntuples(result) > 0)
			text = arena_printf(c->arena, "CHECK constraint failed in %s", name);
		PQclear(result);
	}
	PQclear(queries);
	return text;
}

/* Reads each row of each table of the store, and asks its CHECKs again. The words are SQLite's. A
 * row that is compared as a whole is read with what is stored beside its table; its place (ctid) is
 * read with the table alone. No index has either. */
static const char *
rows_complaint(struct db *db, bool quick)
{
	return first_complaint(db,
	    arena_printf(db->c->arena,
		"SELECT t.relname, format('SELECT FROM %%s r WHERE %s IS NULL OR NOT (%%s) LIMIT 1',"
		" t.oid::regclass, coalesce(string_agg(pg_get_expr(k.conbin, t.oid), ' AND '), 'TRUE'))"
		" FROM pg_class t LEFT JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'c'"
		" WHERE t.relnamespace = to_regnamespace('%s') AND t.relkind = 'r'"
		" GROUP BY t.oid, t.relname ORDER BY t.relname",
		quick ? "r.ctid" : "r", pg_schema(db->store)));
}

/* Compares the tables with their indexes, if the extension amcheck is there and the user may ask it
 * (docs/postgres.md §8). */
static const char *
indexes_complaint(struct db *db)
{
	return first_complaint(db,
	    arena_printf(db->c->arena,
		"SELECT x.relname, format('SELECT FROM %%s(%%s, TRUE) OFFSET 1', p.oid::regproc, x.oid)"
		" FROM pg_class t JOIN pg_index i ON i.indrelid IN (t.oid, t.reltoastrelid)"
		" JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam,"
		" pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.deptype = 'e'"
		" JOIN pg_extension e ON e.oid = d.refobjid"
		" WHERE t.relnamespace = to_regnamespace('%s') AND t.relkind = 'r'"
		" AND m.amname = 'btree' AND i.indisvalid"
		" AND e.extname = 'amcheck' AND p.proname = 'bt_index_check' AND p.pronargs = 2"
		" AND has_function_privilege(p.oid, 'EXECUTE') ORDER BY x.relname",
		pg_schema(db->store)));
}

/* By a connection of its own, which has the patience of a tool: a program that only looks may have
 * begun with less. */
static const char *
complaint_of(struct ctx *c, enum db_store store, bool quick)
{
	static struct db look;
	const char *text;

	look.store = store;
	look.c = c;
	look.wait_ms = DB_WAIT_TOOL_MS;
	pg_set_deadline(&look);
	pg_connect(c, &look);
	text = rows_complaint(&look, quick);
	if (text == NULL && !quick)
		text = indexes_complaint(&look);
	pg_disconnect(&look);
	return text;
}

const char *
db_complaint(struct ctx *c, bool quick)
{
	return complaint_of(c, c->db->store, quick);
}

/* The file of a store is its name here. */
const char *
db_file_complaint(struct ctx *c, const char *path, bool quick)
{
	enum db_store named = DB_CONTENT;

	for (int store = DB_CONTENT; store <= (int)DB_STATS; store++) {
		if (strcmp(path, db_file_of(c, (enum db_store)store)) == 0)
			named = (enum db_store)store;
	}
	return complaint_of(c, named, quick);
}

/* Returns a statement that has its rows already: one query for each reference of the schema. */
struct stmt *
db_prepare_dangling(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "SELECT name, id, name FROM account WHERE id < 0");
	PGresult *failed;

	q->result = ask_written(c->db,
	    arena_printf(c->arena,
		"SELECT string_agg(format('SELECT %%L, coalesce((to_jsonb(t) ->> ''id'')::bigint, 0), %%L"
		" FROM %%s t WHERE %%s AND NOT EXISTS (SELECT FROM %%s o WHERE %%s)', t.relname, o.relname,"
		" t.oid::regclass, p.there, o.oid::regclass, p.same), ' UNION ALL ' ORDER BY k.conname)"
		" FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid"
		" JOIN pg_class o ON o.oid = k.confrelid CROSS JOIN LATERAL (SELECT"
		" string_agg(format('t.%%I IS NOT NULL', a.attname), ' AND ') AS there,"
		" string_agg(format('o.%%I = t.%%I', b.attname, a.attname), ' AND ') AS same"
		" FROM unnest(k.conkey, k.confkey) u(mine, its)"
		" JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.mine"
		" JOIN pg_attribute b ON b.attrelid = o.oid AND b.attnum = u.its) p"
		" WHERE k.contype = 'f' AND k.connamespace = to_regnamespace('%s')",
		pg_schema(c->db->store)));
	if (q->result != NULL && PQresultStatus(q->result) != PGRES_TUPLES_OK) {
		/* A fault forgets the results of all statements: this one is its own. */
		failed = q->result;
		q->result = NULL;
		pg_fault(c->db, failed, "a look at the references");
	}
	q->row = -1;
	q->rows = q->result != NULL ? PQntuples(q->result) : 0;
	return q;
}
