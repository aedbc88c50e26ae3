/* Transactions: their beginning, their end, and the pieces of one. */
#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "system/instance.h"
#include "base/log.h"
#include "store/sqlite/db-handle.h"
#include "store/db.h"
#include "store/generation.h"
#include "store/schemas.h"

/* Checks the schema's number. One release has one number (docs/design.md §3): a
 * program that meets another schema, or a file of another program, answers 503
 * and ends. */
static void
check_version(struct ctx *c)
{
	int64_t expected = schemas_number(c->db->store), version;

	if (!c->db->ours && !db_is_ours(c)) {
		db_rollback(c);
		die_passing(60,
		    "%s is not a database of Galley's: put the instance's own there, or restore a backup",
		    db_file_of(c, c->db->store));
	}
	c->db->ours = true;
	version = db_version(c);
	if (version == expected)
		return;
	db_rollback(c);
	if (version == expected + DB_MOVED)
		die_passing(60, DB_MOVED_SAID ": see galley store copy --help",
		    db_file_of(c, c->db->store));
	die_passing(5,
	    "%s has schema %lld, this program %lld: run galley migrate, or install the release that belongs to it",
	    db_file_of(c, c->db->store), (long long)version, (long long)expected);
}

/* Runs a statement of the transaction itself; it stays prepared, too. */
static void
step(struct ctx *c, const char *sql)
{
	while (db_row(db_prepare(c, sql)))
		;
}

static void
begin(struct ctx *c, const char *sql, bool writing)
{
	struct db *db = c->db;

	if (!sqlite3_get_autocommit(db->handle))
		BUG("a transaction is open already");
	db_set_deadline(db);
	db_set_query_only(db, !writing);
	step(c, sql);
	db->writing = writing;
	c->now = clock_now();
	check_version(c);
}

void
db_begin_read(struct ctx *c, enum db_store store)
{
	struct db *db;

	if (c->db->store != store)
		db_choose(c, store);
	db = c->db;
	begin(c, "BEGIN", false);
	if (db->tables != 0 && db->schema == DB_SCHEMA_UNREAD)
		db->schema = DB_SCHEMA_WANTED;
}

/* Guards the connection, after the schema was found to be this program's. The tables that
 * were named are parsed here: what follows asks for the schema, outside a transaction. */
static void
guard(struct ctx *c)
{
	db_begin_read(c, DB_CONTENT);
	db_narrow(c->db);
	db_rollback(c);
	db_set_query_only(c->db, false);
	db_guard(c->db);
}

void
db_begin_write(struct ctx *c, enum db_store store, enum db_change change, int64_t workspace_id,
    int64_t account_id)
{
	if ((change == DB_CHANGES_WORKSPACE) != (workspace_id != 0))
		BUG("a change of one workspace names it, no other does");
	if (store != DB_CONTENT && change != DB_CHANGES_NOTHING)
		BUG("only content is shown by GETs");
	if (c->db->store != store)
		db_choose(c, store);
	if (store == DB_CONTENT && !c->db->guarded)
		guard(c);
	begin(c, "BEGIN IMMEDIATE", true);
	c->db->wrote = true;
	(void)FAULT("db-begun");
	c->db->change = change;
	c->db->account_id = account_id;
	if (c->gate != NULL)
		c->gate->passed = false;
	generation_begin(c, store, change, workspace_id, c->db->deadline);
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

/* Returns whether the transaction was declared (generation_begin()). */
static bool
declared(const struct db *db)
{
	return db->writing && db->store == DB_CONTENT;
}

static void
reset_all(struct db *db)
{
	for (size_t i = 0; i < db->count; i++)
		db_reset(&db->statements[i]);
}

/* Writes the first page unchanged. After a writer died, only another commit
 * prevents that the dead writer's commit appears later, and SQLite writes nothing
 * if a row gets the values that it has. */
static void
write_something(struct ctx *c)
{
	db_must(c->db, arena_printf(c->arena, "PRAGMA user_version = %lld",
			   (long long)schemas_number(c->db->store)));
}

void
db_commit(struct ctx *c)
{
	struct db *db = c->db;

	reset_all(db);
	if (db->writing && c->gate != NULL && !c->gate->passed)
		BUG("a person's change did not pass the gate");
	if (declared(db) && generation_is_doubtful())
		write_something(c);
	if (db->writing)
		(void)FAULT("db-before-commit");
	db->committing = db->writing;
	db_must(db, "COMMIT");
	if (db->writing) {
		(void)FAULT("db-after-commit");
		if (declared(db))
			generation_end(true);
	}
	db->writing = db->committing = false;
}

void
db_rollback(struct ctx *c)
{
	struct db *db = c->db;

	if (db == NULL || db->handle == NULL)
		return;
	reset_all(db);
	/* A read has nothing to take back, and with ROLLBACK SQLite would forget the tables
	 * that db_narrow() parsed in it. */
	if (!db->writing && db->schema == DB_SCHEMA_NARROW)
		sqlite3_exec(db->handle, "COMMIT", NULL, NULL, NULL);
	if (!sqlite3_get_autocommit(db->handle))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
	/* A COMMIT that failed may still surface: its declaration stays. */
	if (declared(db) && !db->committing)
		generation_end(false);
	db->writing = false;
}

void
db_mark(struct ctx *c)
{
	int64_t now = clock_now();

	db_must(c->db, "SAVEPOINT piece");
	c->now = now > c->now ? now : c->now + 1;
}

void
db_keep(struct ctx *c)
{
	reset_all(c->db);
	db_must(c->db, "RELEASE piece");
}

void
db_undo(struct ctx *c)
{
	reset_all(c->db);
	db_must(c->db, "ROLLBACK TO piece; RELEASE piece");
}

/* The other store has a connection of its own: its lock is not asked for, and nothing of
 * the present transaction changes. */
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
	db_choose(c, store);
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
