/* Connections to the files of SQLite, and what a fault of it means. */
#include "store/sqlite/db-connection.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "store/schemas.h"
#include "store/sqlite/db-schema.h"
#include "store/sqlite/db-vfs.h"
#include "system/instance.h"

/*
 * ---- how SQLite finds the whole path of a database
 *
 * SQLite's own way examines each folder for symbolic links. Galley names databases by
 * whole paths, and SQLite reaches the files beside one (the log, and its index) through
 * the same folders. Only the file itself must not be a link, so only the file is
 * examined.
 */

/* The VFS of this process, above that of the operating system. It is made once. */
static sqlite3_vfs galley_vfs, *system_vfs;

static int
full_path(sqlite3_vfs *vfs, const char *path, int size, char *out)
{
	size_t len = strlen(path);
	struct stat st;

	(void)vfs;
	if (path[0] != '/' || len >= (size_t)size || lstat(path, &st) != 0 || S_ISLNK(st.st_mode))
		return system_vfs->xFullPathname(system_vfs, path, size, out);
	memcpy(out, path, len + 1);
	return SQLITE_OK;
}

/* Installs this way. Call it after SQLite was configured, before a database is opened. */
static void
use_whole_paths(void)
{
	if (system_vfs != NULL)
		return;
	system_vfs = sqlite3_vfs_find(NULL);
	galley_vfs = *system_vfs;
	galley_vfs.zName = "galley";
	galley_vfs.xFullPathname = full_path;
	if (sqlite3_vfs_register(&galley_vfs, 1) != SQLITE_OK)
		BUG("the way to files cannot be registered");
}

/* ---- faults */

/* Returns the seconds for Retry-After; 0 if the fault does not pass by itself. */
static int
passes_in(int code)
{
	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
	case SQLITE_SCHEMA:
		return 2;
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_NOMEM:
	case SQLITE_NOTADB:
		return 60;
	default:
		return 0;
	}
}

/* The meaning of SQLite's codes, and what a person can do. */
static const struct {
	int code;
	const char *sentence;
} sentences[] = {
	{ SQLITE_FULL, "The disk is full: make room on it, and say it again." },
	{ SQLITE_BUSY,
	    "The database is busy: another program has been writing to it for too long. Say it again." },
	{ SQLITE_IOERR,
	    "The disk does not take or give what it should: look at it, and into the system's log." },
	{ SQLITE_READONLY, "The database may not be written: galley doctor says what is wrong." },
	{ SQLITE_CANTOPEN, "The database cannot be opened: galley doctor says what is wrong." },
	{ SQLITE_NOTADB,
	    "The file is no database: put the right one in its place, or restore a backup." },
	{ SQLITE_CORRUPT, "The database is damaged: galley verify says more; restore a backup." },
	{ SQLITE_NOMEM, "There is not enough memory." },
	{ SQLITE_TOOBIG, "The database does not take a text of this size." },
	{ 0, "The database refused what this program asked of it: the log says more." },
};

static int
meaning_of(int code)
{
	switch (code) {
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return SQLITE_BUSY;
	case SQLITE_PERM:
		return SQLITE_READONLY;
	default:
		return code;
	}
}

const char *
db_fault_sentence(int result, int system_error)
{
	int code = meaning_of(result & 0xFF);
	size_t i;

	if (code == SQLITE_IOERR && (system_error == ENOSPC || system_error == EDQUOT))
		code = SQLITE_FULL;
	for (i = 0; sentences[i].code != 0 && sentences[i].code != code; i++)
		;
	return sentences[i].sentence;
}

void
db_fault(sqlite3 *handle, const char *what)
{
	int extended = sqlite3_extended_errcode(handle);
	int code = extended & 0xFF;
	const char *text = sqlite3_errmsg(handle);
	const char *sentence = db_fault_sentence(extended, sqlite3_system_errno(handle));
	int wait = passes_in(code);
	char copy[512];

	sqlite3_snprintf((int)sizeof(copy), copy, "%s", text);
	if (!sqlite3_get_autocommit(handle))
		sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
	log_plainly(sentence);
	if (wait > 0)
		die_passing(wait, "%s database (%d): %s: %s", sentence, extended, copy, what);
	die("%s database (%d): %s: %s", sentence, extended, copy, what);
}

/* ---- connections */

#define KEPT_LOG_BYTES (256 * 1024)

/* One connection to each store for the life of the process. */
static struct db the_db;
static struct db the_console;
static struct db the_stats;

/* Waits for another process with short, random sleeps (docs/platform.md §2.2), until the
 * deadline of the transaction. */
static __attribute__((cold)) int
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
 * (db_set_query_only()); writers get guards (db-transaction.c). */
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
	use_whole_paths();
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
	return db_one_int(c, -1, "PRAGMA user_version");
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

/* Without a transaction, which would end the process. */
enum db_release
db_release(struct ctx *c)
{
	static const enum db_store stores[] = { DB_CONTENT, DB_CONSOLE };
	enum db_release found = DB_RELEASE_SAME;

	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		int64_t version, number = schemas_number(stores[i]);

		/* An older instance has no people yet. */
		if (stores[i] == DB_CONSOLE && access(db_console_path(c), F_OK) != 0)
			continue;
		db_choose(c, stores[i]);
		db_set_deadline(c->db);
		version = db_version(c);
		/* The first transaction says what is wrong with a file of another program. */
		if (version == number || !db_is_ours(c))
			continue;
		if (version > number)
			return version >= DB_MOVED ? DB_RELEASE_MOVED : DB_RELEASE_NEWER;
		found = DB_RELEASE_OLDER;
	}
	return found;
}
