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
#include "system/instance.h"
#include "base/log.h"
#include "store/db-fault.h"
#include "store/db-handle.h"
#include "store/db-memory.h"
#include "store/db-path.h"
#include "store/db-schema.h"
#include "store/db-vfs.h"

#define KEPT_LOG_BYTES (256 * 1024)

/* One connection for the life of the process. */
static APART struct db the_db;

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
	sqlite3_limit(h, SQLITE_LIMIT_LENGTH, 16 * 1024 * 1024);
	sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, 64 * 1024);
	sqlite3_limit(h, SQLITE_LIMIT_ATTACHED, 1);
	sqlite3_limit(h, SQLITE_LIMIT_VARIABLE_NUMBER, 999);
	sqlite3_limit(h, SQLITE_LIMIT_EXPR_DEPTH, 100);
	sqlite3_limit(h, SQLITE_LIMIT_TRIGGER_DEPTH, 10);
	db_must(db, "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY");
}

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

static bool
was_replaced(struct ctx *c, const struct db *db)
{
	dev_t device;
	ino_t inode;

	identify(c->instance->db, &device, &inode);
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
open_file(struct ctx *c, int flags, int wait_ms)
{
	struct db *db = &the_db;

	db->c = c;
	db->wait_ms = wait_ms;
	db_set_deadline(db);
	/* This comes first: SQLite cannot be configured after its first use. */
	db_memory_begin();
	db_path();
	db_vfs();
	if (sqlite3_open_v2(c->instance->db, &db->handle, flags, NULL) !=
	    SQLITE_OK)
		db_fault(db->handle, "open");
	db->query_only = true;
	db->wrote = db->guarded = false;
	db->tables = 0;
	db->schema = DB_SCHEMA_UNREAD;
	configure(db);
	if (may_wait(db))
		identify(c->instance->db, &db->device, &db->inode);
	c->db = db;
}

void
db_open(struct ctx *c, int wait_ms)
{
	the_db.c = c;
	the_db.wait_ms = wait_ms;
	if (the_db.handle != NULL && may_wait(&the_db) &&
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

void
db_set_query_only(struct db *db, bool on)
{
	if (db->query_only == on)
		return;
	if (db->tables != 0)
		BUG("opened to read some tables, asked to write");
	/* EXTRA is FULL in a write-ahead log; without one (network disks) it also
	 * syncs the folder in which the journal was (docs/platform.md §0.2). For writers
	 * SQLite checks every cell of a page, or damage might spread. Readers gain nothing
	 * from that, and would check a mapped page each time that they reach it: a
	 * third of a long list's instructions. */
	db_must(db,
	    on ? "PRAGMA query_only = ON"
	       : "PRAGMA query_only = OFF; PRAGMA synchronous = EXTRA;"
		 " PRAGMA cell_size_check = ON; PRAGMA recursive_triggers = ON");
	db->query_only = on;
}

void
db_create(struct ctx *c, bool write_ahead)
{
	int fd = open(c->instance->db, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
	    0600);

	if (fd < 0)
		die("%s: %s", c->instance->db, strerror(errno));
	/* The file is closed before SQLite knows it: no lock of SQLite can be
	 * lost by that. */
	close(fd);
	open_file(c, SQLITE_OPEN_READWRITE, DB_WAIT_TOOL_MS);
	db_set_query_only(&the_db, false);
	if (write_ahead)
		db_must(&the_db, "PRAGMA journal_mode = WAL");
}

/* Returns whether the log is so small that it may stay (docs/platform.md §2.3). */
static bool
leaves_log(struct ctx *c, const struct db *db)
{
	const char *log = arena_printf(c->arena, "%s-wal", c->instance->db);
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
		(void)sqlite3_wal_checkpoint_v2(db->handle, NULL,
		    SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

void
db_end_read(struct ctx *c)
{
	struct db *db = c->db;

	/* A process that only read and ends now need not close: its locks end with it. */
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
	db_set_deadline(db);
	sqlite3_close(db->handle);
	db->handle = NULL;
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
	bool ours = db_row(q) && db_int(q, 0) == DB_APPLICATION_ID;

	db_reset(q);
	return ours;
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
