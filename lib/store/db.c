#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/apart.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fault.h"
#include "base/instance.h"
#include "base/log.h"
#include "schema_version.h"
#include "store/db-fault.h"
#include "store/db-handle.h"
#include "store/db-memory.h"
#include "store/db-path.h"
#include "store/db-schema.h"
#include "store/db-vfs.h"
#include "store/generation.h"

#define KEPT_LOG_BYTES (256 * 1024)

/* One connection for the life of the process. */
static APART struct db the_db;

/* Waits for another process: short, random sleeps (platform.md §2.2), until
 * the deadline of the transaction. */
static int
wait_for_others(void *arg, int tries)
{
	struct db *db = arg;
	struct timespec pause = { 0, 0 };
	long base_us = tries < 3 ? 150 : tries < 10 ? 500 : 1500;

	if (clock_boot() >= db->deadline)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &pause);
	pause.tv_sec = 0;
	pause.tv_nsec = (base_us + pause.tv_nsec / 16 % (2 * base_us)) * 1000;
	nanosleep(&pause, NULL);
	return 1;
}

static void
set_deadline(struct db *db)
{
	db->deadline = clock_boot() + (int64_t)db->wait_ms * 1000;
}

static _Noreturn void
fail(struct db *db, const char *what)
{
	db_fault(db->handle, what);
}

static void
exec(struct db *db, const char *sql)
{
	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(db, sql);
}

/* The settings of every connection (platform.md §2.3); readers may not
 * write (set_query_only), writers are guarded more (db-guard.c). */
static void
configure(struct db *db)
{
	sqlite3 *h = db->handle;

	sqlite3_busy_handler(h, wait_for_others, db);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	sqlite3_limit(h, SQLITE_LIMIT_LENGTH, 16 * 1024 * 1024);
	sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, 64 * 1024);
	sqlite3_limit(h, SQLITE_LIMIT_ATTACHED, 1);
	sqlite3_limit(h, SQLITE_LIMIT_VARIABLE_NUMBER, 999);
	sqlite3_limit(h, SQLITE_LIMIT_EXPR_DEPTH, 100);
	sqlite3_limit(h, SQLITE_LIMIT_TRIGGER_DEPTH, 10);
	exec(db, "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY");
}

/* Which file the path names now; asked by path (design §3). */
static void
identify(const char *path, dev_t *device, ino_t *inode)
{
	struct stat st;

	*device = 0;
	*inode = 0;
	if (stat(path, &st) == 0) {
		*device = st.st_dev;
		*inode = st.st_ino;
	}
}

static bool
was_replaced(struct ctx *c, const struct db *db)
{
	dev_t device;
	ino_t inode;

	identify(c->instance->db, &device, &inode);
	return device != db->device || inode != db->inode;
}

static void
open_file(struct ctx *c, int flags, int wait_ms)
{
	struct db *db = &the_db;

	db->c = c;
	db->wait_ms = wait_ms;
	set_deadline(db);
	/* First: what begins SQLite ends its configuration. */
	db_memory_begin();
	db_path();
	db_vfs();
	if (sqlite3_open_v2(c->instance->db, &db->handle, flags, NULL) !=
	    SQLITE_OK)
		fail(db, "open");
	db->query_only = true;
	db->wrote = db->guarded = false;
	db->tables = 0;
	db->schema = DB_SCHEMA_UNREAD;
	configure(db);
	if (!db_memory_is_once())
		identify(c->instance->db, &db->device, &db->inode);
	c->db = db;
}

void
db_open(struct ctx *c, int wait_ms)
{
	the_db.c = c;
	the_db.wait_ms = wait_ms;
	if (the_db.handle != NULL && !db_memory_is_once() &&
	    was_replaced(c, &the_db))
		db_close(c);
	if (the_db.handle != NULL) {
		c->db = &the_db;
		return;
	}
	open_file(c, SQLITE_OPEN_READWRITE, wait_ms);
}

void
db_reads(struct ctx *c, const char *tables)
{
	c->db->tables = db_schema_tables(tables);
	if (c->db->tables == 0)
		BUG("not known to be read: %s", tables);
}

static void
set_query_only(struct db *db, bool on)
{
	if (db->query_only == on)
		return;
	if (db->tables != 0)
		BUG("opened to read some tables, asked to write");
	/* EXTRA is FULL in a write-ahead log; without one (network disks) it also
	 * syncs the folder in which the journal was (platform.md §0.2). Every cell
	 * of a page is looked at, or damage might spread; to readers that is worth
	 * nothing, and a mapped page is looked at each time that it is come by: a
	 * third of a long list's instructions. */
	exec(db, on ? "PRAGMA query_only = ON"
		    : "PRAGMA query_only = OFF; PRAGMA synchronous = EXTRA;"
		      " PRAGMA cell_size_check = ON;"
		      " PRAGMA recursive_triggers = ON");
	db->query_only = on;
}

void
db_create(struct ctx *c, bool write_ahead)
{
	int fd = open(c->instance->db, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
	    0600);

	if (fd < 0)
		die("%s: %s", c->instance->db, strerror(errno));
	/* Closed before SQLite knows the file: no lock of its can be lost. */
	close(fd);
	open_file(c, SQLITE_OPEN_READWRITE, DB_WAIT_TOOL_MS);
	set_query_only(&the_db, false);
	if (write_ahead)
		exec(&the_db, "PRAGMA journal_mode = WAL");
}

/* A small log is left for the next (platform.md §2.3). */
static bool
leaves_log(struct ctx *c, const struct db *db)
{
	const char *log = arena_printf(c->arena, "%s-wal", c->instance->db);
	struct stat st;

	return db->wait_ms != DB_WAIT_TOOL_MS &&
	       (stat(log, &st) != 0 || st.st_size < KEPT_LOG_BYTES);
}

/*
 * What is in the write-ahead log goes back into the database. SQLite would do it
 * in sqlite3_close(), but there it holds a lock of the whole file, and readers
 * would wait for the disk; this way nothing is left to be done under that lock.
 * A reader that meets a long log is not kept from ending: writers see to it.
 */
static void
bring_back(struct db *db)
{
	if (db->wrote || db->wait_ms == DB_WAIT_TOOL_MS)
		(void)sqlite3_wal_checkpoint_v2(db->handle, NULL,
		    SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

void
db_end_read(struct ctx *c)
{
	struct db *db = c->db;

	/* Who only read and ends now has nothing to tell: its locks go with it. */
	if (db != NULL && !db->wrote && db_memory_is_once() && leaves_log(c, db))
		c->db = NULL;
	else
		db_rollback(c);
}

void
db_close(struct ctx *c)
{
	struct db *db = &the_db;

	c->db = NULL;
	if (db->handle == NULL)
		return;
	for (size_t i = 0; i < db->count; i++)
		sqlite3_finalize(db->statements[i].handle);
	db->count = 0;
	if (leaves_log(c, db))
		sqlite3_db_config(
		    db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	else
		bring_back(db);
	set_deadline(db);
	sqlite3_close(db->handle);
	db->handle = NULL;
}

/* One release, one number (design §3): a program that meets another schema, or
 * a file of another program, answers 503 and ends. */
static void
check_version(struct ctx *c)
{
	int64_t version;

	if (!c->db->ours && !db_is_ours(c)) {
		db_rollback(c);
		die_passing(60, "%s is not a database of Galley's: put the"
				" instance's own there, or restore a backup",
		    c->instance->db);
	}
	c->db->ours = true;
	version = db_version(c);
	if (version == SCHEMA_VERSION)
		return;
	db_rollback(c);
	die_passing(5, "%s has schema %lld, this program %d: run galley migrate,"
		       " or install the release that belongs to it",
	    c->instance->db, (long long)version, SCHEMA_VERSION);
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
	set_deadline(db);
	set_query_only(db, !writing);
	step(c, sql);
	db->writing = writing;
	c->now = clock_now();
	check_version(c);
}

void
db_begin_read(struct ctx *c)
{
	struct db *db = c->db;

	begin(c, "BEGIN", false);
	if (db->tables != 0 && db->schema == DB_SCHEMA_UNREAD)
		db->schema = DB_SCHEMA_WANTED;
}

/* Once the schema was seen to be this program's. */
static void
guard(struct ctx *c)
{
	db_begin_read(c);
	db_rollback(c);
	set_query_only(c->db, false);
	db_guard(c->db);
}

void
db_begin_write(struct ctx *c, enum db_change change, int64_t workspace_id)
{
	if ((change == DB_CHANGES_WORKSPACE) != (workspace_id != 0))
		BUG("a change of one workspace names it, no other does");
	if (!c->db->guarded)
		guard(c);
	begin(c, "BEGIN IMMEDIATE", true);
	c->db->wrote = true;
	(void)FAULT("db-begun");
	c->db->change = change;
	generation_begin(c, change, workspace_id, c->db->deadline);
}

static void
reset_all(struct db *db)
{
	for (size_t i = 0; i < db->count; i++)
		db_reset(&db->statements[i]);
}

/*
 * Where a writer died, only a commit of our own rules out that its own surfaces
 * later. SQLite writes nothing for rows that are set to what they are: the first
 * page is written as it is.
 */
static void
write_something(struct ctx *c)
{
	exec(c->db, arena_printf(c->arena, "PRAGMA user_version = %d",
			SCHEMA_VERSION));
}

void
db_commit(struct ctx *c)
{
	struct db *db = c->db;

	reset_all(db);
	if (db->writing && generation_is_doubtful())
		write_something(c);
	if (db->writing)
		(void)FAULT("db-before-commit");
	db->committing = db->writing;
	exec(db, "COMMIT");
	if (db->writing) {
		(void)FAULT("db-after-commit");
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
	if (!sqlite3_get_autocommit(db->handle))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
	/* A COMMIT that failed may still surface: then it stays declared. */
	if (db->writing && !db->committing)
		generation_end(false);
	db->writing = false;
}

void
db_mark(struct ctx *c)
{
	int64_t now = clock_now();

	exec(c->db, "SAVEPOINT piece");
	c->now = now > c->now ? now : c->now + 1;
}

void
db_keep(struct ctx *c)
{
	reset_all(c->db);
	exec(c->db, "RELEASE piece");
}

void
db_undo(struct ctx *c)
{
	reset_all(c->db);
	exec(c->db, "ROLLBACK TO piece; RELEASE piece");
}

void
db_exec(struct ctx *c, const char *sql)
{
	set_query_only(c->db, false);
	sqlite3_db_config(c->db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	exec(c->db, sql);
	sqlite3_db_config(c->db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

int64_t
db_version(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "PRAGMA user_version");
	int64_t version = db_row(q) ? db_int(q, 0) : -1;

	db_reset(q);
	return version;
}

bool
db_is_ours(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "PRAGMA application_id");
	bool ours = db_row(q) && db_int(q, 0) == DB_APPLICATION_ID;

	db_reset(q);
	return ours;
}

sqlite3 *
db_handle(struct ctx *c)
{
	set_deadline(c->db);
	set_query_only(c->db, false);
	return c->db->handle;
}

const char *
db_library(void)
{
	return sqlite3_libversion();
}
