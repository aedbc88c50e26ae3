/*
 * Looks whether the rows are sound. A server that keeps its rules has no row that breaks one; but a
 * person with the owner's role can set them aside, and a disk can lose pages.
 */
#include <string.h>

#include "base/apart.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/pg/pg-handle.h"
#include "system/instance.h"

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

/* Returns what the server says of a page that it cannot read (XX001, XX002) or of a file that is not
 * there; any other failure is a fault. */
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

/* Reads all rows of each table of the store, and asks its CHECKs again. The words are SQLite's. */
static const char *
complaint_of(struct db *db)
{
	struct ctx *c = db->c;
	const char *schema = pg_schema(db->store), *text = NULL;
	PGresult *result = ask_written(db, arena_printf(c->arena,
	    "SELECT string_agg(format('SELECT %%L WHERE EXISTS (SELECT FROM %%s WHERE NOT (%%s))',"
	    " name, at, rules), ' UNION ALL ' ORDER BY name) FROM (SELECT t.relname AS name,"
	    " t.oid::regclass AS at, string_agg(pg_get_expr(k.conbin, t.oid), ' AND ') AS rules"
	    " FROM pg_class t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'c'"
	    " WHERE t.relnamespace = to_regnamespace('%s') GROUP BY t.oid) checked", schema));

	if (result == NULL)
		return NULL;
	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		return unreadable(db, result);
	if (PQntuples(result) > 0)
		text = arena_printf(c->arena, "CHECK constraint failed in %s",
		    PQgetvalue(result, 0, 0));
	PQclear(result);
	return text;
}

const char *
db_complaint(struct ctx *c, bool quick)
{
	(void)quick;
	return complaint_of(c->db);
}

/* The file of a store is its name here. */
const char *
db_file_complaint(struct ctx *c, const char *path, bool quick)
{
	static APART struct db look;
	const char *text;

	(void)quick;
	look.store = DB_CONTENT;
	for (int store = DB_CONTENT; store <= (int)DB_STATS; store++) {
		if (strcmp(path, db_file_of(c, (enum db_store)store)) == 0)
			look.store = (enum db_store)store;
	}
	look.c = c;
	look.wait_ms = DB_WAIT_TOOL_MS;
	pg_connect(c, &look);
	text = complaint_of(&look);
	pg_disconnect(&look);
	return text;
}

/* Returns a statement that has its rows already: one query for each reference of the schema. */
struct stmt *
db_prepare_dangling(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "SELECT name, id, name FROM account WHERE id < 0");

	q->result = ask_written(c->db, arena_printf(c->arena,
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
	if (q->result != NULL && PQresultStatus(q->result) != PGRES_TUPLES_OK)
		pg_fault(c->db, q->result, "a look at the references");
	q->row = -1;
	q->rows = q->result != NULL ? PQntuples(q->result) : 0;
	return q;
}
