/* Transactions: their beginning, their end, and the pieces of one (docs/postgres.md §3, §7). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/pg/pg-connection.h"
#include "store/schemas.h"
#include "system/fault.h"
#include "system/instance.h"

/* The number of the schema, the time in microseconds, and the pepper's digest. */
#define LOOK                                                                                       \
	"SELECT number, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint,"           \
	" pepper_check FROM store"

bool
pg_is_open(const struct db *db)
{
	PGTransactionStatusType status;

	if (db->handle == NULL || db->parts_count > 0)
		return db->handle != NULL && db->open;
	status = PQtransactionStatus(db->handle);
	return status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
}

static _Noreturn void
refuse_number(const struct db *db, int64_t number)
{
	int64_t expected = schemas_number(db->store);

	if (number == expected + DB_MOVED)
		die_passing(60, DB_MOVED_SAID ": see galley store copy --help", "this instance");
	die_passing(5,
	    "the database has schema %lld of %s, this program %lld: install the release that belongs to it",
	    (long long)number, pg_schema(db->store), (long long)expected);
}

/* What failed may have gone before the answer to LOOK, in the same message, or may be of a
 * transaction that began before a migration. */
void
pg_check_number(struct db *db, bool passes)
{
	static bool asking; /* connecting may fail, too */
	PGresult *result = NULL;
	const char *state;
	int64_t number;

	if (asking || db->wait_ms >= DB_WAIT_TOOL_MS)
		return;
	asking = true;
	db->deadline = 0;
	if (db->handle == NULL || !pg_settle(db))
		pg_connect(db->c, db);
	if (PQsendQuery(db->handle, "SELECT number FROM store") == 1)
		result = pg_await(db);
	asking = false;
	if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1) {
		number = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
		PQclear(result);
		if (number != schemas_number(db->store))
			refuse_number(db, number);
		return;
	}
	state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	if (!passes && (result == NULL || (state != NULL && strncmp(state, "42", 2) == 0)))
		die_passing(5,
		    "the number of the schema of %s cannot be read (%s): the database is of another release",
		    pg_schema(db->store), state != NULL ? state : "no answer");
	PQclear(result);
}

void
pg_take_look(struct ctx *c, struct db *db, const PGresult *look, int column)
{
	int64_t expected = schemas_number(db->store), number;
	bool found = PQntuples(look) == 1;

	number = found ? strtoll(PQgetvalue(look, 0, column), NULL, 10) : 0;
	c->now = found ? strtoll(PQgetvalue(look, 0, column + 1), NULL, 10) : 0;
	db->clock = c->now;
	if (number == expected && db->store != DB_STATS)
		pg_pepper_follow(c, db, PQgetvalue(look, 0, column + 2));
#ifdef GALLEY_TEST
	c->now = clock_now(); /* a test may step it */
#endif
	if (number == expected)
		return;
	db_rollback(c);
	refuse_number(db, number);
}

/* The same of the answer to LOOK, which is forgotten. */
static void
take(struct ctx *c, struct db *db)
{
	pg_take_look(c, db, db->look, 0);
	PQclear(db->look);
	db->look = NULL;
}

/* A scope: what a transaction locks, and what it changes of answers. */
struct scope_of {
	bool writes;
	enum db_change change;
	int64_t workspace_id, account_id;
};

static bool
queue_lock(struct ctx *c, const char *sql, int64_t id)
{
	struct stmt *q = db_prepare(c, sql, db_i(":id", id));
	bool queued = pg_queue(q, NULL);

	db_reset(q);
	return queued;
}

/* Draws the stamp of a workspace again, in the statement that locks its row. */
#define STAMP_WORKSPACE                                                                            \
	"WITH w AS (SELECT id FROM workspace WHERE id = :id FOR NO KEY UPDATE)"                    \
	" INSERT INTO stamp SELECT w.id, stamp_draw() FROM w"                                      \
	" ON CONFLICT (slot) DO UPDATE SET value = excluded.value"

/* Queues the locks of a scope: the account's row before the workspace's, always. */
static bool
queue_locks(struct ctx *c, const struct scope_of *s)
{
	int64_t key = PG_LOCK_KEY(c->db->store);

	if (s->workspace_id == 0 && s->account_id == 0)
		return queue_lock(c, "SELECT pg_advisory_xact_lock(:id)", key);
	return queue_lock(c, "SELECT pg_advisory_xact_lock_shared(:id)", key) &&
	       (s->account_id == 0 || queue_lock(c,
					  "SELECT 1 FROM account WHERE id = :id"
					  " FOR NO KEY UPDATE",
					  s->account_id)) &&
	       (s->workspace_id == 0 || queue_lock(c, STAMP_WORKSPACE, s->workspace_id));
}

/* Queues the locks, and the stamp of what belongs to the instance. */
static bool
queue_scope(struct ctx *c, const struct scope_of *s)
{
	return queue_locks(c, s) &&
	       ((s->change != DB_CHANGES_KEYS && s->change != DB_CHANGES_ALL) ||
		   pg_queue_text(c, c->db, PG_STAMP_ALL, NULL));
}

/* A COMMIT that no standby confirms waits for ever, and keeps its connection when its program is
 * gone. So nothing is begun while one waits for three seconds: else orders take all connections. A
 * user sees the waits of its own sessions. This fails where there is one, so that what follows is
 * not run; it comes before the locks, which such a COMMIT holds. */
const char pg_waits_sql[] =
    "SELECT 1 / CASE WHEN EXISTS (SELECT 1 FROM pg_stat_get_activity(NULL)"
    " WHERE wait_event = 'SyncRep' AND query_start < clock_timestamp() - interval '3 seconds')"
    " THEN 0 ELSE 1 END";

/* Queues the beginning, with the look at the key of the request, if it has one. False if the
 * connection is lost. */
static bool
queue_beginning(struct ctx *c, const struct scope_of *s)
{
	struct db *db = c->db;
	bool sent;

	db->open = true;
	if (s->writes)
		sent = pg_queue_text(c, db, "BEGIN ISOLATION LEVEL READ COMMITTED", NULL) &&
		       pg_queue_text(c, db, pg_waits_sql, NULL) && queue_scope(c, s);
	else
		sent =
		    pg_queue_text(c, db, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", NULL);
	return sent &&
	       (db->key.sql != NULL ? pg_queue_key(c, db) : pg_queue_text(c, db, LOOK, &db->look));
}

/* Begins again, in the same round trip as the end of the transaction before. A restore replaced all
 * rows while that one, which sees the moment of its beginning, waited for it (store/both/): it sees
 * neither the old rows nor the new ones. */
static bool
begin_again(struct ctx *c, const struct scope_of *s)
{
	struct db *db = c->db;

	PQclear(db->look);
	PQclear(db->key.begun);
	db->look = db->key.begun = NULL;
	pg_set_deadline(db);
	return pg_queue_text(c, db, "ROLLBACK", NULL) && queue_beginning(c, s) && pg_settle(db);
}

/* Begins in one round trip. A connection that was lost since the last transaction is made again,
 * once, within the deadline: nothing was done yet. */
static void
begin(struct ctx *c, const struct scope_of *s)
{
	struct db *db = c->db;
	bool begun;

	if (pg_is_open(db))
		BUG("a transaction is open already");
	pg_set_deadline(db);
	begun = queue_beginning(c, s);
	db->key.unseen = begun && db->key.later;
	db->key.later = false;
	if (db->key.unseen)
		return;
	begun = begun && pg_settle(db);
	if (!begun && (db->deadline == 0 || clock_boot() < db->deadline)) {
		pg_disconnect(db);
		pg_connect(c, db);
		begun = queue_beginning(c, s) && pg_settle(db);
	}
	if (begun && PQntuples(db->look != NULL ? db->look : db->key.begun) == 0)
		begun = begin_again(c, s);
	if (!begun)
		pg_fault(db, NULL, "begin");
	db->writing = s->writes;
	if (db->look != NULL)
		take(c, db);
	else
		pg_take_key(c, db, db->key.begun);
}

void
remote_begin_later(struct ctx *c)
{
	c->db->key.later = true;
}

void
pg_see_beginning(struct ctx *c, struct db *db)
{
	struct remote_stamps seen = db->key.stamps;
	bool found = PQntuples(db->key.begun) == 1;

	db->key.unseen = false;
	if (found)
		pg_take_key(c, db, db->key.begun);
	if (found && seen.keys == db->key.stamps.keys && seen.workspace == db->key.stamps.workspace)
		return;
	pg_note_lost(db, NULL);
	db_rollback(c);
	die_passing(1, "what was read has just been changed");
}

void
db_begin_read(struct ctx *c, enum db_store store)
{
	if (c->db->store != store)
		pg_choose(c, store);
	begin(c, &(struct scope_of) { .writes = false });
}

void
db_begin_write(struct ctx *c, enum db_store store, enum db_change change, int64_t workspace_id,
    int64_t account_id)
{
	if (c->db->store != store)
		pg_choose(c, store);
	if (store == DB_CONTENT && (change == DB_CHANGES_WORKSPACE) != (workspace_id != 0))
		BUG("a change of one workspace names it, no other does");
	begin(c, &(struct scope_of) { true, change, workspace_id, account_id });
	(void)FAULT("db-begun");
	c->db->change = change;
	c->db->unsure = false;
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
 * same request again, with the same key, finds out. What was queued before it goes in the same
 * message; if something of that failed, the COMMIT was not run. */
void
db_commit(struct ctx *c)
{
	struct db *db = c->db;
	PGresult *result = NULL;
	bool committed;

	pg_reset_all(db);
	if (db->writing && c->gate != NULL && !c->gate->passed)
		BUG("a person's change did not pass the gate");
	if (db->writing)
		(void)FAULT("db-before-commit");
	db->committing = db->writing;
	if (!pg_queue_text(c, db, "COMMIT", &result) || !pg_settle(db))
		pg_fault(db, NULL, "COMMIT");
	db->open = false;
	committed = strcmp(PQcmdStatus(result), "COMMIT") == 0;
	PQclear(result);
	if (!committed)
		die_passing(1, "the database rolled the transaction back at its end");
	if (db->unsure)
		die_passing(
		    2, "a standby may lack what was committed: send it again with the same key");
	if (db->writing)
		(void)FAULT("db-after-commit");
	db->writing = db->committing = false;
	db->deadline = 0;
}

/* Ends the transaction, if there is one. Nobody waits for the answer: the next message's are read
 * after it. */
static void
let_end(struct ctx *c, const char *sql)
{
	struct db *db = c->db;

	if (db == NULL || db->handle == NULL)
		return;
	pg_reset_all(db);
	/* A statement between two transactions has its own deadline, and so has this one. */
	db->deadline = 0;
	if (db->parts_count == 0 && PQtransactionStatus(db->handle) == PQTRANS_ACTIVE) {
		/* In the middle of an answer: without the connection the server rolls back. */
		pg_disconnect(db);
	} else if (pg_is_open(db)) {
		/* What failed before must not keep the server from this. */
		if ((db->parts_count == 0 || pg_queue_end(db)) && pg_queue_text(c, db, sql, NULL))
			pg_let_go(db);
		else
			pg_disconnect(db);
	}
	db->writing = db->committing = db->open = false;
}

void
db_rollback(struct ctx *c)
{
	let_end(c, "ROLLBACK");
}

/* The server does less for a COMMIT of what only read than for a ROLLBACK. */
void
db_end_read(struct ctx *c)
{
	if (c->db != NULL && c->db->writing)
		BUG("a read is ended that writes");
	let_end(c, "COMMIT");
}

void
db_mark(struct ctx *c)
{
	int64_t before = c->now;
	struct db *db = c->db;

	if (!pg_queue_text(c, db, "SAVEPOINT piece", NULL) ||
	    !pg_queue_text(c, db, LOOK, &db->look) || !pg_settle(db))
		pg_fault(db, NULL, "SAVEPOINT");
	take(c, db);
	if (c->now <= before)
		c->now = before + 1;
}

/* Ends the statements of a piece. */
static void
end_piece(struct ctx *c, const char *sql)
{
	for (size_t i = 0; i < c->db->count; i++)
		db_reset(&c->db->statements[i]);
	pg_forget_prefetches(c->db);
	if (!pg_queue_text(c, c->db, sql, NULL))
		pg_fault(c->db, NULL, sql);
}

void
db_keep(struct ctx *c)
{
	end_piece(c, "RELEASE piece");
}

void
db_undo(struct ctx *c)
{
	end_piece(c, "ROLLBACK TO piece");
	end_piece(c, "RELEASE piece");
}

void
pg_reset_all(struct db *db)
{
	for (size_t i = 0; i < db->count; i++)
		db_reset(&db->statements[i]);
	pg_forget_prefetches(db);
	PQclear(db->key.begun);
	db->key.begun = NULL;
	db->key.later = db->key.unseen = false;
}

struct err *
db_aside(
    struct ctx *c, enum db_store store, struct err *(*look)(struct ctx *c, void *arg), void *arg)
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
