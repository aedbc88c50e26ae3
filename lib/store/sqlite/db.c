#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "base/log.h"
#include "store/sqlite/db-fault.h"
#include "store/sqlite/db-handle.h"
#include "store/db-memory.h"
#include "store/sqlite/db-path.h"
#include "store/sqlite/db-schema.h"
#include "store/sqlite/db-vfs.h"

#define KEPT_LOG_BYTES (256 * 1024)

/* One connection to each store for the life of the process. */
static struct db the_db;
static struct db the_console;
static struct db the_stats;

/* Waits for another process with short, random sleeps (docs/platform.md §2.2), until the
 * deadline of the transaction. */
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

void
db_set_deadline(struct db *db)
{
	db->deadline = clock_boot() + (int64_t)db->wait_ms * 1000;
}

void
db_must(struct db *db, const char *sql)
{
	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		db_fault(db->handle, sql);
}

/* Sets what every connection needs (docs/platform.md §2.3). Readers must not write
 * (db_set_query_only()); writers get guards (db-guard.c). */
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
	/* A plan that hung on a bound value would be made again when the value is known. */
	sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_QPSG, 1, NULL);
	sqlite3_limit(h, SQLITE_LIMIT_LENGTH, 16 * 1024 * 1024);
	sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, 64 * 1024);
	sqlite3_limit(h, SQLITE_LIMIT_ATTACHED, 1);
	sqlite3_limit(h, SQLITE_LIMIT_VARIABLE_NUMBER, 999);
	sqlite3_limit(h, SQLITE_LIMIT_EXPR_DEPTH, 100);
	sqlite3_limit(h, SQLITE_LIMIT_TRIGGER_DEPTH, 10);
	db_must(db, "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY");
}

static void close_store(struct ctx *c, struct db *db);

/* Finds which file is at the path now (docs/design.md §3). */
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

const char *
db_console_path(struct ctx *c)
{
	return arena_printf(c->arena, "%s/people/console.db", c->instance->home);
}

const char *
db_file_of(struct ctx *c, enum db_store store)
{
	if (store == DB_CONTENT)
		return c->instance->db;
	return store == DB_CONSOLE ? db_console_path(c)
				   : arena_printf(c->arena, "%s/stats/stats.db", c->instance->home);
}

static const char *
path_of(struct ctx *c, const struct db *db)
{
	return db_file_of(c, db->store);
}

static struct db *
connection_of(enum db_store store)
{
	if (store == DB_CONTENT)
		return &the_db;
	if (store == DB_CONSOLE) {
		the_console.store = DB_CONSOLE;
		return &the_console;
	}
	the_stats.store = DB_STATS;
	return &the_stats;
}

static bool
was_replaced(struct ctx *c, const struct db *db)
{
	dev_t device;
	ino_t inode;

	identify(path_of(c, db), &device, &inode);
	return device != db->device || inode != db->inode;
}

/* Returns whether another file may be at the path before this process ends. This cannot
 * matter to a process that answers one read. A writer waits for the request's body. */
static bool
may_wait(const struct db *db)
{
	return !db_memory_is_once() || db->wait_ms != DB_WAIT_READ_MS;
}

static void
open_file(struct ctx *c, struct db *db, int flags, int wait_ms)
{
	const char *path = path_of(c, db);

	db->c = c;
	db->wait_ms = wait_ms;
	db_set_deadline(db);
	/* This comes first: SQLite cannot be configured after its first use. */
	db_memory_begin();
	db_path();
	db_vfs();
	if (sqlite3_open_v2(path, &db->handle, flags, NULL) != SQLITE_OK)
		db_fault(db->handle, "open");
	db->query_only = true;
	db->wrote = db->guarded = false;
	db->tables = 0;
	db->only_reads = false;
	db->schema = DB_SCHEMA_UNREAD;
	configure(db);
	if (may_wait(db))
		identify(path, &db->device, &db->inode);
	c->db = db;
}

static void
open_store(struct ctx *c, struct db *db, int wait_ms)
{
	db->c = c;
	db->wait_ms = wait_ms;
	if (db->handle != NULL && may_wait(db) && was_replaced(c, db))
		close_store(c, db);
	if (db->handle != NULL)
		c->db = db;
	else
		open_file(c, db, SQLITE_OPEN_READWRITE, wait_ms);
}

void
db_open(struct ctx *c, int wait_ms)
{
	open_store(c, &the_db, wait_ms);
}

/* Looks again which file is there before each transaction of another store than the
 * last one: a process of many requests asks for content only in db_open(). */
void
db_choose(struct ctx *c, enum db_store store)
{
	int wait_ms = c->db != NULL ? c->db->wait_ms : DB_WAIT_READ_MS;

	if (c->db != NULL && !sqlite3_get_autocommit(c->db->handle))
		BUG("a transaction touches one store");
	open_store(c, connection_of(store), wait_ms);
}

/* What the triggers of db/guards.sql are on and ask for. */
#define GUARDED "account api_key job ledger workspace"

/* Returns the named tables as bits. */
static unsigned
known(const char *tables)
{
	unsigned result = db_schema_tables(tables);

	if (result == 0)
		BUG("not known to be asked for: %s", tables);
	return result;
}

void
db_reads(struct ctx *c, enum db_store store, const char *tables)
{
	struct db *db = connection_of(store);

	(void)c;
	db->tables = known(tables);
	db->only_reads = true;
}

void
db_touches(struct ctx *c, const char *tables)
{
	c->db->tables = known(tables) | known(GUARDED);
}

void
db_set_query_only(struct db *db, bool on)
{
	if (db->query_only == on)
		return;
	if (db->only_reads)
		BUG("opened to read some tables, asked to write");
	/* EXTRA is FULL in a write-ahead log; without one (network disks) it also
	 * syncs the folder in which the journal was (docs/platform.md §0.2). For writers
	 * SQLite checks every cell of a page, or damage might spread. Readers gain nothing
	 * from that, and would check a mapped page each time that they reach it: a
	 * third of a long list's instructions. */
	db_must(db, on ? "PRAGMA query_only = ON"
		       : "PRAGMA query_only = OFF; PRAGMA synchronous = EXTRA;"
			 " PRAGMA cell_size_check = ON; PRAGMA recursive_triggers = ON");
	/* What people erased of the counts is nowhere in the file (docs/pages.md §9). */
	if (!on && db->store == DB_STATS)
		db_must(db, "PRAGMA secure_delete = ON");
	db->query_only = on;
}

static void
create(struct ctx *c, struct db *db, bool write_ahead)
{
	const char *path = path_of(c, db);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	/* The file is closed before SQLite knows it: no lock of SQLite can be
	 * lost by that. */
	close(fd);
	open_file(c, db, SQLITE_OPEN_READWRITE, DB_WAIT_TOOL_MS);
	db_set_query_only(db, false);
	if (write_ahead)
		db_must(db, "PRAGMA journal_mode = WAL");
}

void
db_create(struct ctx *c, bool write_ahead)
{
	create(c, &the_db, write_ahead);
}

void
db_create_beside(struct ctx *c, enum db_store store, bool write_ahead)
{
	struct db *content = c->db;
	struct stat st;

	if (stat(db_file_of(c, store), &st) != 0)
		create(c, connection_of(store), write_ahead);
	c->db = content;
}

/* Returns whether the log is so small that it may stay (docs/platform.md §2.3). */
static bool
leaves_log(struct ctx *c, const struct db *db)
{
	const char *log = arena_printf(c->arena, "%s-wal", path_of(c, db));
	struct stat st;

	return db->wait_ms != DB_WAIT_TOOL_MS &&
	       (stat(log, &st) != 0 || st.st_size < KEPT_LOG_BYTES);
}

/*
 * Copies the write-ahead log back into the database. sqlite3_close() would do it, too,
 * but under a lock of the whole file, and readers would wait for the disk; after this
 * call nothing is left to be done under that lock. A reader that meets a long log need
 * not wait: writers do it.
 */
static void
bring_back(struct db *db)
{
	if (db->wrote || db->wait_ms == DB_WAIT_TOOL_MS)
		(void)sqlite3_wal_checkpoint_v2(
		    db->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

/* Returns whether the process may end without closing this store: its locks end with it. Of the
 * counts only the task runner's writes make a log longer, and it closes them. */
static bool
may_be_left(struct ctx *c, const struct db *db)
{
	return db->handle == NULL || (!db->wrote && leaves_log(c, db));
}

void
db_end_read(struct ctx *c)
{
	if (c->db != NULL && db_memory_is_once() && may_be_left(c, &the_db) &&
	    may_be_left(c, &the_console))
		c->db = NULL;
	else
		db_rollback(c);
}

static void
close_store(struct ctx *c, struct db *db)
{
	if (c->db == db)
		c->db = NULL;
	if (db->handle == NULL)
		return;
	for (size_t i = 0; i < db->count; i++)
		sqlite3_finalize(db->statements[i].handle);
	db->count = 0;
	if (leaves_log(c, db))
		sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	else
		bring_back(db);
	db_set_deadline(db);
	sqlite3_close(db->handle);
	db->handle = NULL;
}

void
db_close(struct ctx *c)
{
	close_store(c, &the_stats);
	close_store(c, &the_console);
	close_store(c, &the_db);
	c->db = NULL;
}

void
db_exec(struct ctx *c, const char *sql)
{
	db_set_query_only(c->db, false);
	sqlite3_db_config(c->db->handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	db_must(c->db, sql);
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
	static const int32_t ids[] = { [DB_CONTENT] = DB_APPLICATION_ID,
		[DB_CONSOLE] = DB_CONSOLE_APPLICATION_ID,
		[DB_STATS] = DB_STATS_APPLICATION_ID };
	bool ours = db_row(q) && db_int(q, 0) == ids[c->db->store];

	db_reset(q);
	return ours;
}

bool
db_empty_log(struct ctx *c)
{
	db_set_deadline(c->db);
	return sqlite3_wal_checkpoint_v2(
		   c->db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK;
}

bool
db_is_write_ahead(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "PRAGMA journal_mode");
	bool write_ahead = db_row(q) && strcmp(db_text(q, 0), "wal") == 0;

	db_reset(q);
	return write_ahead;
}

struct stmt *
db_prepare_dangling(struct ctx *c)
{
	return db_prepare(c, "PRAGMA foreign_key_check");
}

sqlite3 *
db_handle(struct ctx *c)
{
	db_set_deadline(c->db);
	db_set_query_only(c->db, false);
	return c->db->handle;
}

const char *
db_library(void)
{
	return sqlite3_libversion();
}
