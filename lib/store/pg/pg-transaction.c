/* Transactions: their beginning, their end, and the pieces of one (docs/postgres.md §3, §7). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/pg/pg-handle.h"
#include "store/schemas.h"
#include "system/fault.h"
#include "system/instance.h"

/* The number of the schema, the time in microseconds, and the pepper's digest. */
#define LOOK \
	"SELECT number, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint," \
	" pepper_check FROM store"

/* Counts a request of a key (db/pg/limits.sql). */
#define ASK "SELECT key_id, used, first_at, now FROM content.limit_ask($1, $2, $3, $4, $5, $6)"

/* The rows that one message brings: the count, the locks, the number and the time. */
#define ROWS_MAX 8

/* Prepares what a message executes. False if the connection is lost. */
static bool
prepare_ahead(struct ctx *c, struct db *db)
{
	PGresult *result = NULL;

	if (db->handle == NULL)
		return false;
	if (db->limit.asked != NULL && !db->has_ask) {
		if (PQsendPrepare(db->handle, "ask", ASK, 0, NULL) == 1)
			result = pg_await(db);
		if (result == NULL)
			return false;
		if (PQresultStatus(result) != PGRES_COMMAND_OK)
			pg_fault(db, result, ASK);
		PQclear(result);
		db->has_ask = true;
	}
	if (db->ahead.asked)
		(void)db_prepare(c, db->ahead.sql);
	return true;
}

/* Returns the message: the count of a key is a transaction of its own. */
static const char *
message(struct ctx *c, struct db *db, const char *sql)
{
	const char *before = "", *behind = "";

	if (db->limit.asked != NULL)
		before = arena_printf(c->arena, "BEGIN;EXECUTE ask%s;COMMIT;", db->limit.asked);
	if (db->ahead.asked)
		behind = arena_printf(c->arena, ";EXECUTE %s(%s)%s",
		    db_prepare(c, db->ahead.sql)->name, db->ahead.arguments,
		    db->ahead.alone ? ";COMMIT" : "");
	return arena_printf(c->arena, "%s%s%s", before, sql, behind);
}

/* Sends the beginning, and what is asked ahead. Returns the number and the time, or the failure;
 * NULL if the connection is lost. */
static PGresult *
send_beginning(struct ctx *c, struct db *db, const char *sql)
{
	PGresult *rows[ROWS_MAX], *last = NULL;
	int count = 0, used = 0;

	if (!prepare_ahead(c, db) || PQsendQuery(db->handle, message(c, db, sql)) != 1)
		return NULL;
	last = pg_await_all(db, rows, ROWS_MAX, &count);
	if (PQresultStatus(last) == PGRES_TUPLES_OK) {
		rows[count++] = last;
		last = NULL;
	} else if (PQresultStatus(last) == PGRES_COMMAND_OK) {
		PQclear(last);
		last = NULL;
	} else {
		while (count > 0)
			PQclear(rows[--count]);
		return last;
	}
	if (db->limit.asked != NULL) {
		pg_limit_answered(db, rows[0]);
		PQclear(rows[used++]);
	}
	if (db->ahead.asked)
		db->ahead.result = rows[--count];
	while (used < count - 1)
		PQclear(rows[used++]);
	return rows[used];
}

/* Takes the number and the time from the answer to LOOK. Another release, or a database without
 * a schema, ends the process. */
static void
take(struct ctx *c, PGresult *result)
{
	int64_t expected = schemas_number(c->db->store), number;

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
		pg_fault(c->db, result, "begin");
	number = PQntuples(result) == 1 ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : 0;
	c->now = PQntuples(result) == 1 ? strtoll(PQgetvalue(result, 0, 1), NULL, 10) : 0;
	c->db->clock = c->now;
	if (number == expected && c->db->store == DB_CONTENT)
		pg_pepper_follow(c, c->db, PQgetvalue(result, 0, 2));
	PQclear(result);
#ifdef GALLEY_TEST
	c->now = clock_now(); /* a test may step it */
#endif
	if (number == expected)
		return;
	db_rollback(c);
	if (number == expected + DB_MOVED)
		die_passing(60, DB_MOVED_SAID, "this instance");
	die_passing(5, "the database has schema %lld of %s, this program %lld: install the"
		       " release that belongs to it",
	    (long long)number, pg_schema(c->db->store), (long long)expected);
}

/* Returns whether a restore replaced all rows while this transaction, which sees the moment of its
 * beginning, waited for it (store/both/): it sees neither the old rows nor the new ones. */
static bool
sees_nothing(PGresult *result)
{
	return PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 0;
}

/* Begins in one message. A connection that was lost since the last transaction is made again,
 * once, within the deadline: nothing was done yet. */
static void
begin(struct ctx *c, const char *sql, bool writing)
{
	struct db *db = c->db;
	PGresult *result;

	if (db->handle != NULL && PQtransactionStatus(db->handle) != PQTRANS_IDLE)
		BUG("a transaction is open already");
	pg_set_deadline(db);
	db->limit.known = false;
	result = send_beginning(c, db, sql);
	if (result == NULL && (db->deadline == 0 || clock_boot() < db->deadline)) {
		pg_connect(c, db);
		result = send_beginning(c, db, sql);
	}
	if (sees_nothing(result)) {
		PQclear(result);
		db_rollback(c);
		pg_set_deadline(db);
		db->limit.asked = NULL;
		result = send_beginning(c, db, sql);
	}
	if (result == NULL)
		pg_fault(db, NULL, "begin");
	db->writing = writing;
	take(c, result);
	db->limit.asked = NULL;
	db->ahead.asked = false;
}

void
db_begin_read(struct ctx *c, enum db_store store)
{
	if (c->db->store != store)
		pg_choose(c, store);
	begin(c, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " LOOK, false);
}

/* Returns the locks of a scope: the account's row before the workspace's, always. */
static const char *
locks(struct ctx *c, enum db_store store, int64_t workspace_id, int64_t account_id)
{
	const char *account = "", *workspace = "";

	if (workspace_id == 0 && account_id == 0)
		return arena_printf(c->arena, "SELECT pg_advisory_xact_lock(%d);", PG_LOCK_KEY(store));
	if (account_id != 0)
		account = arena_printf(c->arena, "SELECT 1 FROM account WHERE id = %" PRId64
		    " FOR NO KEY UPDATE;", account_id);
	if (workspace_id != 0)
		workspace = arena_printf(c->arena, "SELECT 1 FROM workspace WHERE id = %" PRId64
		    " FOR NO KEY UPDATE;", workspace_id);
	return arena_printf(c->arena, "SELECT pg_advisory_xact_lock_shared(%d);%s%s",
	    PG_LOCK_KEY(store), account, workspace);
}

void
db_begin_write(struct ctx *c, enum db_store store, enum db_change change,
    int64_t workspace_id, int64_t account_id)
{
	if ((change == DB_CHANGES_WORKSPACE) != (workspace_id != 0))
		BUG("a change of one workspace names it, no other does");
	if (store != DB_CONTENT && change != DB_CHANGES_NOTHING)
		BUG("only content is shown by GETs");
	if (c->db->store != store)
		pg_choose(c, store);
	begin(c, arena_printf(c->arena, "BEGIN ISOLATION LEVEL READ COMMITTED;%s" LOOK,
		     locks(c, store, workspace_id, account_id)), true);
	(void)FAULT("db-begun");
	c->db->change = change;
	c->db->seen = c->db->unsure = false;
	c->db->account_id = account_id;
	if (c->gate != NULL)
		c->gate->passed = false;
}

#ifdef GALLEY_TEST
void
db_check_account(struct ctx *c, int64_t account_id)
{
	int64_t named = c->db->account_id;

	if (named != 0 && named != account_id)
		BUG("credits of account %lld in a transaction of account %lld",
		    (long long)account_id, (long long)named);
}
#endif

/* Only an answer that says COMMIT is one. After all else of a write the outcome is unknown: the
 * same request again, with the same key, finds out. */
void
db_commit(struct ctx *c)
{
	struct db *db = c->db;
	PGresult *result = NULL;

	pg_reset_all(db);
	if (db->writing && c->gate != NULL && !c->gate->passed)
		BUG("a person's change did not pass the gate");
	if (db->writing)
		(void)FAULT("db-before-commit");
	db->committing = db->writing;
	if (db->handle != NULL && PQsendQuery(db->handle, "COMMIT") == 1)
		result = pg_await(db);
	if (result == NULL || PQresultStatus(result) != PGRES_COMMAND_OK)
		pg_fault(db, result, "COMMIT");
	if (strcmp(PQcmdStatus(result), "COMMIT") != 0)
		die_passing(1, "the database rolled the transaction back at its end");
	PQclear(result);
	if (db->unsure)
		die_passing(2, "a standby may lack what was committed: send it again with the"
			       " same key");
	if (db->writing)
		(void)FAULT("db-after-commit");
	db->writing = db->committing = false;
	db->deadline = 0;
}

void
db_rollback(struct ctx *c)
{
	struct db *db = c->db;

	if (db == NULL || db->handle == NULL)
		return;
	pg_reset_all(db);
	/* A statement between two transactions has its own deadline, and so has this one. */
	db->deadline = 0;
	switch (PQtransactionStatus(db->handle)) {
	case PQTRANS_INTRANS:
	case PQTRANS_INERROR:
		if (PQsendQuery(db->handle, "ROLLBACK") == 1)
			PQclear(pg_await(db));
		break;
	case PQTRANS_IDLE:
		break;
	default:
		/* In the middle of an answer: without the connection the server rolls back. */
		pg_disconnect(db);
	}
	db->writing = db->committing = false;
}

void
db_end_read(struct ctx *c)
{
	db_rollback(c);
}

void
db_mark(struct ctx *c)
{
	int64_t before = c->now;

	take(c, pg_must(c->db, "SAVEPOINT piece; " LOOK));
	if (c->now <= before)
		c->now = before + 1;
}

void
db_keep(struct ctx *c)
{
	pg_reset_all(c->db);
	PQclear(pg_must(c->db, "RELEASE piece"));
}

void
db_undo(struct ctx *c)
{
	pg_reset_all(c->db);
	PQclear(pg_must(c->db, "ROLLBACK TO piece; RELEASE piece"));
}

struct err *
db_aside(struct ctx *c, enum db_store store,
    struct err *(*look)(struct ctx *c, void *arg), void *arg)
{
	struct db *outer = c->db;
	int64_t now = c->now;
	struct err *err;

	if (outer->store == store)
		BUG("a look aside is into another store");
	c->db = NULL;
	pg_choose(c, store);
	db_begin_read(c, store);
	err = look(c, arg);
	db_rollback(c);
	c->db = outer;
	c->now = now;
	return err;
}

enum db_store
db_present(const struct ctx *c)
{
	return c->db->store;
}
