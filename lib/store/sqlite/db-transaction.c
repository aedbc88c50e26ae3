/* Statements and transactions of SQLite. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "guards.h"
#include "store/db-change.h"
#include "store/db.h"
#include "store/generation.h"
#include "store/schemas.h"
#include "store/sqlite/db-connection.h"
#include "store/sqlite/db-schema.h"
#include "system/fault.h"
#include "system/instance.h"

/* ---- the query planner's counters, in test builds */

#ifdef GALLEY_TEST
static void
note(const char *path, int scans, int sorts, int steps, const char *sql)
{
	char line[4096];
	int len = snprintf(line, sizeof(line), "%d %d %d %s\n", scans, sorts, steps, sql);
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return;
	if (len >= (int)sizeof(line))
		len = (int)sizeof(line) - 1;
	(void)!write(fd, line, (size_t)len);
	close(fd);
}

/*
 * When a statement's rows end: with GALLEY_STATS=FILE in the environment, appends a line: full-scan
 * steps, sorts, virtual machine steps, SQL. A statement that scanned a table or sorted is a BUG
 * unless its text says scan or sort in a comment (HACKING.md).
 */
static void
look_at_costs(sqlite3_stmt *q)
{
	int scans = sqlite3_stmt_status(q, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);
	int sorts = sqlite3_stmt_status(q, SQLITE_STMTSTATUS_SORT, 1);
	int steps = sqlite3_stmt_status(q, SQLITE_STMTSTATUS_VM_STEP, 1);
	const char *path = getenv("GALLEY_STATS");
	const char *sql = sqlite3_sql(q);

	if (path != NULL && steps > 0)
		note(path, scans, sorts, steps, sql);
	if (scans > 0 && strstr(sql, "/*scan*/") == NULL)
		BUG("scans a table: %s", sql);
	if (sorts > 0 && strstr(sql, "/*sort*/") == NULL)
		BUG("sorts without an index: %s", sql);
}
#else
#define look_at_costs(q) ((void)0)
#endif

/*
 * ---- the two things that a connection gets before it first writes
 *
 * 1. The triggers of db/guards.sql, which protect money. The triggers of the schema,
 * which refuse every other program, are turned off for this connection; temporary
 * triggers stay on (SQLite 3.35).
 *
 * 2. An authorizer, which collects the tables that a statement writes. A transaction
 * declares what it changes when it begins (enum db_change). A statement that changes more
 * is refused, also in production: an undeclared change would leave kept answers stale.
 */

/* The writes of one statement: collected while it is prepared, and read right after. */
static unsigned writes;

static int
note_write(void *arg, int action, const char *first, const char *second, const char *database,
    const char *trigger)
{
	(void)arg;
	(void)second;
	(void)database;
	(void)trigger;
	if (action != SQLITE_INSERT && action != SQLITE_UPDATE && action != SQLITE_DELETE)
		return SQLITE_OK;
	writes |= db_change_of(first);
	return SQLITE_OK;
}

/* Prepares a connection for writing. Call it once, outside a transaction, after the schema was
 * found to be this program's. */
static void
add_guards(struct db *db)
{
	sqlite3 *h = db->handle;

	if (sqlite3_exec(h, guards, NULL, NULL, NULL) != SQLITE_OK)
		db_fault(h, "guards");
	sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_set_authorizer(h, note_write, NULL);
	writes = 0;
	db->guarded = true;
}

/* Returns what the statement that was prepared last writes, as bits of enum db_change. */
static unsigned
last_writes(void)
{
	unsigned result = writes;

	writes = 0;
	return result;
}

/* ---- statements: prepared once, bound by name, read by column */

static bool
compile(struct stmt *q)
{
	return sqlite3_prepare_v3(q->db->handle, q->sql, -1, SQLITE_PREPARE_PERSISTENT, &q->handle,
		   NULL) == SQLITE_OK;
}

/* Parses the tables that were named (db_reads(), db_touches()), if nothing was parsed yet: in a
 * transaction, before the first statement that asks for a table. */
static void
narrow(struct db *db)
{
	if (db->schema == DB_SCHEMA_WANTED)
		db->schema = db_schema_is_tested(sqlite3_libversion_number()) &&
				     db_schema_narrow(db->handle, db->tables, !db->only_reads)
				 ? DB_SCHEMA_NARROW
				 : DB_SCHEMA_WHOLE;
}

/* Parses the whole schema: the statement may ask for a table that was not named. */
static bool
widen(struct db *db)
{
	if (db->schema != DB_SCHEMA_NARROW)
		return false;
	db_schema_widen(db->handle);
	db->schema = DB_SCHEMA_WHOLE;
	return true;
}

static struct stmt *
prepare(struct ctx *c, const char *sql)
{
	struct db *db = c->db;
	struct stmt *q;

	for (size_t i = 0; i < db->count; i++) {
		q = &db->statements[i];
		if (q->sql == sql) {
			db_reset(q);
			return q;
		}
	}
	if (db->count == DB_STATEMENTS_MAX)
		BUG("more than %d statements in one process", DB_STATEMENTS_MAX);
	q = &db->statements[db->count];
	q->db = db;
	q->sql = sql;
	/* SQLite prepares statements again while they run: those writes are not this
	 * statement's. */
	(void)last_writes();
	narrow(db);
	if (!compile(q) && !(widen(db) && compile(q)))
		db_fault(db->handle, sql);
	q->writes = last_writes();
	db->count++;
	return q;
}

/* Checks that a write is in a transaction that declared this change. */
static void
check_declared(const struct stmt *q)
{
	struct db *db = q->db;
	unsigned declared = 1U << db->change;

	if (!db->writing)
		BUG("a write outside a writing transaction: %s", q->sql);
	if (db->change != DB_CHANGES_ALL && (q->writes & ~declared) != 0)
		BUG("the transaction did not declare what this changes: %s", q->sql);
}

static int
parameter(struct stmt *q, const char *name)
{
	int index = sqlite3_bind_parameter_index(q->handle, name);

	if (index == 0)
		BUG("%s is not a parameter of %s", name, q->sql);
	return index;
}

static void
bind(struct stmt *q, const struct db_value *v)
{
	int index = parameter(q, v->name), result;
	uint64_t len = (uint64_t)v->number;

	if (v->type == DB_INTEGER)
		result = sqlite3_bind_int64(q->handle, index, v->number);
	else if (v->bytes == NULL)
		result = sqlite3_bind_null(q->handle, index);
	else if (v->type == DB_BYTES)
		result = sqlite3_bind_blob64(q->handle, index, v->bytes, len, SQLITE_STATIC);
	else
		result = sqlite3_bind_text64(q->handle, index, v->bytes,
		    v->number < 0 ? strlen(v->bytes) : len, SQLITE_STATIC, SQLITE_UTF8);
	if (result != SQLITE_OK)
		db_fault(q->db->handle, q->sql);
}

struct stmt *
db_prepare_with(struct ctx *c, const char *sql, const struct db_value *values)
{
	struct stmt *q = prepare(c, sql);

	for (; values->name != NULL; values++)
		bind(q, values);
	return q;
}

void
db_reset(struct stmt *q)
{
	look_at_costs(q->handle);
	sqlite3_reset(q->handle);
	sqlite3_clear_bindings(q->handle);
}

bool
db_row(struct stmt *q)
{
	int result = sqlite3_step(q->handle);

	if (result == SQLITE_ROW)
		return true;
	if (result != SQLITE_DONE)
		db_fault(q->db->handle, q->sql);
	db_reset(q);
	return false;
}

void
db_run_stmt(struct stmt *q)
{
	check_declared(q);
	while (db_row(q))
		;
}

int64_t
db_run_counted_stmt(struct stmt *q)
{
	db_run_stmt(q);
	return sqlite3_changes64(q->db->handle);
}

int64_t
db_insert_stmt(struct stmt *q)
{
	int64_t id = 0;

	check_declared(q);
	/* The last step checks foreign keys. */
	while (db_row(q))
		id = db_int(q, 0);
	if (id == 0)
		BUG("no RETURNING id in %s", q->sql);
	return id;
}

const char *
db_text(struct stmt *q, int column)
{
	const unsigned char *text = sqlite3_column_text(q->handle, column);
	int len = sqlite3_column_bytes(q->handle, column);

	if (text == NULL)
		return NULL;
	return arena_text_n(q->db->c->arena, (const char *)text, (size_t)len);
}

int64_t
db_int(struct stmt *q, int column)
{
	return sqlite3_column_int64(q->handle, column);
}

bool
db_is_null(struct stmt *q, int column)
{
	return sqlite3_column_type(q->handle, column) == SQLITE_NULL;
}

const void *
db_bytes(struct stmt *q, int column, size_t *len)
{
	const void *bytes = sqlite3_column_blob(q->handle, column);

	*len = (size_t)sqlite3_column_bytes(q->handle, column);
	return bytes;
}

void
db_blob(struct stmt *q, int column, void *out, size_t len)
{
	size_t have;
	const void *bytes = db_bytes(q, column, &have);

	memset(out, 0, len);
	if (bytes == NULL)
		return;
	if (have != len)
		die("a stored digest has %zu bytes instead of %zu: %s", have, len, q->sql);
	memcpy(out, bytes, len);
}

/* ---- transactions: their beginning, their end, and the pieces of one */

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
	narrow(c->db);
	db_rollback(c);
	db_set_query_only(c->db, false);
	add_guards(c->db);
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
	 * that narrow() parsed in it. */
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
