#ifndef STORE_DB_H
#define STORE_DB_H
/*
 * The store. Only sqlite/ below this folder knows SQLite, and only pg/ PostgreSQL
 * (docs/postgres.md); the SQL of all floors uses only what both share.
 *
 *	struct stmt *q = db_prepare(c, "SELECT uuid, name FROM account WHERE id > :id ORDER BY id",
 *	    db_i(":id", id));
 *
 *	while (db_row(q))
 *		add(db_text(q, 0), db_text(q, 1));
 *
 *	count = db_one_int(c, 0, "SELECT count(*) FROM api_key WHERE workspace_id = :workspace",
 *	    db_i(":workspace", w->id));
 *	db_run(c, "DELETE FROM live WHERE id = :id", db_i(":id", 1));
 *
 * SQL is a literal, and its values, which have names, follow it. The caller frees nothing:
 * statements are reset when their rows end, when they are prepared again, and at the end of the
 * transaction. They stay prepared as long as the process lives.
 *
 * Faults never return to the caller. A fault that may pass (busy beyond the
 * deadline, disk full, input and output, not our file) is die_passing(): 503. A fault
 * that does not pass (corruption, wrong SQL) is die(): 500. A wrong name in a bind is a
 * BUG. So a storage fault can never look like "not found".
 *
 * lib/store: the stores behind this header: sqlite/, pg/, and both/ for the tools that know two.
 * Not here: the SQL of a table, which is in the file that owns it. Begin with db.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;
struct stmt;

/* "gall", "galp" and "gals": the application_id of the files of the stores. */
#define DB_APPLICATION_ID 0x67616c6c
#define DB_CONSOLE_APPLICATION_ID 0x67616c70
#define DB_STATS_APPLICATION_ID 0x67616c73

/* An instance that moves to another store, or has moved there, has so much more in the number of
 * each schema (move.h): every program answers 503. */
#define DB_MOVED 1000000
#define DB_MOVED_SAID "%s is being moved to another store, or has moved"

/* How long a transaction may wait for others (docs/platform.md §2.3). */
enum { DB_WAIT_READ_MS = 2000, DB_WAIT_WRITE_MS = 8000, DB_WAIT_TOOL_MS = 30000 };

/* The stores. A transaction names its store and touches no other one. */
enum db_store {
	DB_CONTENT, /* db/galley.db: content and money */
	DB_CONSOLE, /* people/console.db: people, rights, sessions, tasks */
	DB_STATS /* stats/stats.db: counts */
};

/* The part of what GETs can answer that a writing transaction changes (docs/speed.md
 * §3). The caller names it when the transaction begins. */
enum db_change {
	DB_CHANGES_NOTHING, /* jobs, ledger, exports of unchanged revision */
	DB_CHANGES_WORKSPACE, /* articles or settings of one workspace */
	DB_CHANGES_ALL, /* of every workspace */
	DB_CHANGES_KEYS /* keys and accounts */
};

/*
 * Opens the instance's content for this process, or does nothing if it is open. Opens
 * it again if another file is in its place now. Waits for others at most `wait_ms` in
 * each transaction. Never creates a file. Sets c->db.
 *
 * Each other store is opened by the first transaction that names it; it waits as
 * long. c->db is the store of the present transaction, or of the last one.
 */
void db_open(struct ctx *c, int wait_ms);

/*
 * Declares that this process answers one request and ends. SQLite then allocates by
 * moving a pointer in one mapping, and reads the file in its mapping: this saves most
 * of the time of an ordinary allocator and page cache (docs/speed.md §6). A process that
 * answers many requests must never call it: the mapping would fill up. It costs nothing
 * until the database is opened.
 */
void db_memory_once(void);

/*
 * Declares that this process, which opened this store just now, only reads it, and only
 * these tables (names, separated by spaces). SQLite then need not parse the rest of the
 * schema (db-schema.h). Other tables can be read as well; this takes longer. "article-" is a
 * table without its indexes: a statement that needs one then reads the whole table, which is
 * a bug in test builds.
 */
void db_reads(struct ctx *c, enum db_store store, const char *tables);

/*
 * Declares that this process, which opened the database just now, asks only for these
 * tables, to read and to write them, and for those of db/guards.sql. SQLite then need not
 * parse the rest of the schema. Other tables can be asked for as well; this takes longer.
 */
void db_touches(struct ctx *c, const char *tables);

/*
 * Creates a new, empty database file of mode 0600 and opens it. Dies if one exists.
 * migrate_run() makes the schema. `write_ahead` false: with a rollback journal, for
 * network file systems (docs/platform.md §2.3).
 */
void db_create(struct ctx *c, bool write_ahead);

/* Creates people/console.db, or stats/stats.db, in the same way, unless it is there. Its
 * folder must exist. */
void db_create_beside(struct ctx *c, enum db_store store, bool write_ahead);

/* Returns the path of people/console.db (arena). */
const char *db_console_path(struct ctx *c);

/* Returns the path of a store's file (arena). */
const char *db_file_of(struct ctx *c, enum db_store store);

/*
 * Closes the stores that are open. After a request a write-ahead log of less than
 * 256 KiB stays for the next writers, so that no client waits (docs/platform.md §0.1). A
 * longer log is copied back into the database, and a tool always copies it: else each
 * process that opens the database must read the log first.
 */
void db_close(struct ctx *c);

/* Begins a snapshot of this store, in which nothing can be written. Sets c->now. */
void db_begin_read(struct ctx *c, enum db_store store);

/*
 * Begins a transaction that holds the write lock of its store. Takes c->now once the
 * lock is held. `workspace_id` is the workspace of DB_CHANGES_WORKSPACE, else 0.
 * `account_id` is the account whose credits or jobs are changed; 0: no account, or not
 * known before the transaction. A store with a lock for each workspace and account
 * locks what is named, or everything if both are 0.
 */
void db_begin_write(struct ctx *c, enum db_store store, enum db_change change, int64_t workspace_id,
    int64_t account_id);

/*
 * Calls `look` in a snapshot of another store while a transaction of the present one is
 * open, and returns what it returns. c->now stays that of the transaction.
 */
struct err *db_aside(
    struct ctx *c, enum db_store store, struct err *(*look)(struct ctx *c, void *arg), void *arg);

/* Returns the store of the present transaction, or of the last one. */
enum db_store db_present(const struct ctx *c);

/* A transaction that moves credits of an account says so here. In test builds it is a
 * bug if the transaction named another account at its beginning. */
#ifdef GALLEY_TEST
void db_check_account(struct ctx *c, int64_t account_id);
#else
#define db_check_account(c, account_id) ((void)0)
#endif

/*
 * For transactions of several pieces of work, each of which can be refused
 * alone: db_mark() begins a piece (in a writing transaction), db_keep() ends it,
 * db_undo() undoes what was done since the mark. Each piece has a later c->now
 * than the one before.
 */
void db_mark(struct ctx *c);
void db_keep(struct ctx *c);
void db_undo(struct ctx *c);

/* Ends the transaction durably. If that fails, dies: the outcome is unknown (503). */
void db_commit(struct ctx *c);

/* Copies the write-ahead log of the store of the last transaction back into its file, and empties
 * it: what was deleted from DB_STATS is in no page of either then. Returns false if others read
 * for too long. Outside of transactions. */
bool db_empty_log(struct ctx *c);

/*
 * Ends the last reading transaction of this request. In a process that ends with the
 * request, c->db is NULL then, and nothing has to be closed, unless a write-ahead log
 * is long (db_close()).
 */
void db_end_read(struct ctx *c);

/* Undoes the transaction. Does nothing if there is none. */
void db_rollback(struct ctx *c);

/*
 * A value of a statement, with the name that the SQL has for it, colon included: made by one of
 * these functions, in the call that names the SQL. A name without a value is NULL. A text or bytes
 * must live until the statement ran, or its rows were read.
 */
struct db_value {
	const char *name; /* NULL: after the last value */
	const void *bytes; /* of a text, or of bytes; NULL is NULL */
	int64_t number; /* the integer, or how many bytes; -1: up to the text's NUL */
	enum { DB_INTEGER, DB_TEXT, DB_BYTES } type;
};

static inline struct db_value
db_i(const char *name, int64_t value)
{
	return (struct db_value) { .name = name, .number = value, .type = DB_INTEGER };
}

static inline struct db_value
db_t(const char *name, const char *text)
{
	return (struct db_value) { .name = name, .bytes = text, .number = -1, .type = DB_TEXT };
}

static inline struct db_value
db_tn(const char *name, const char *text, size_t len)
{
	return (struct db_value) {
		.name = name, .bytes = text, .number = (int64_t)len, .type = DB_TEXT
	};
}

static inline struct db_value
db_b(const char *name, const void *bytes, size_t len)
{
	return (struct db_value) {
		.name = name, .bytes = bytes, .number = (int64_t)len, .type = DB_BYTES
	};
}

static inline struct db_value
db_null(const char *name)
{
	return db_t(name, NULL);
}

/* 0 is NULL. */
static inline struct db_value
db_i_or_null(const char *name, int64_t value)
{
	return value != 0 ? db_i(name, value) : db_null(name);
}

/* db_prepare(c, SQL, VALUE …) returns a statement whose rows can be read. */
#define db_prepare(c, ...) DB_PREPARE(c, __VA_ARGS__, { 0 })
#define DB_PREPARE(c, sql, ...) db_prepare_with(c, sql, (const struct db_value[]) { __VA_ARGS__ })

/* Does the same with an array, which a value without a name ends. */
struct stmt *db_prepare_with(struct ctx *c, const char *sql, const struct db_value *values);

/* Reads the next row; false if there is none. A SELECT whose text says many, in a comment, is never
 * in memory as a whole. */
bool db_row(struct stmt *q);

/* db_run(c, SQL, VALUE …) runs a statement that must succeed. A store that is far away may run it
 * later, but before anything else of this transaction. */
#define db_run(c, ...) db_run_stmt(db_prepare(c, __VA_ARGS__))
void db_run_stmt(struct stmt *q);

/* Does the same at once, and returns how many rows it changed. */
#define db_run_counted(c, ...) db_run_counted_stmt(db_prepare(c, __VA_ARGS__))
int64_t db_run_counted_stmt(struct stmt *q);

/* Runs an INSERT of one row that ends with RETURNING id; returns the id. */
#define db_insert(c, ...) db_insert_stmt(db_prepare(c, __VA_ARGS__))
int64_t db_insert_stmt(struct stmt *q);

/* Ends the reading of rows early (else the statement holds its place). */
void db_reset(struct stmt *q);

/* These return a column of the present row, counted from 0. Texts are copies in the
 * request's arena; NULL for NULL. */
const char *db_text(struct stmt *q, int column);
int64_t db_int(struct stmt *q, int column); /* 0 for NULL */
bool db_is_null(struct stmt *q, int column);
/* Returns the bytes themselves, valid until the next call for this statement. */
const void *db_bytes(struct stmt *q, int column, size_t *len);
/* Copies a digest of exactly `len` bytes to `out`; zeros for NULL. */
void db_blob(struct stmt *q, int column, void *out, size_t len);

/* db_one_int(c, ABSENT, SQL, VALUE …) and db_one_text() return the first column of the first row,
 * or `absent` if there is no row; db_exists(c, SQL, VALUE …) returns whether there is one. */
#define db_one_int(c, absent, ...) db_one_int_stmt(db_prepare(c, __VA_ARGS__), absent)
#define db_one_text(c, absent, ...) db_one_text_stmt(db_prepare(c, __VA_ARGS__), absent)
#define db_exists(c, ...) db_exists_stmt(db_prepare(c, __VA_ARGS__))

static inline int64_t
db_one_int_stmt(struct stmt *q, int64_t absent)
{
	int64_t value = db_row(q) ? db_int(q, 0) : absent;

	db_reset(q);
	return value;
}

static inline const char *
db_one_text_stmt(struct stmt *q, const char *absent)
{
	const char *value = db_row(q) ? db_text(q, 0) : absent;

	db_reset(q);
	return value;
}

static inline bool
db_exists_stmt(struct stmt *q)
{
	bool exists = db_row(q);

	db_reset(q);
	return exists;
}

/* Runs SQL text of several statements, which may change the schema: for migrations. */
void db_exec(struct ctx *c, const char *sql);

/* Returns the version of the library behind this header: "3.40.1". */
const char *db_library(void);

/* Returns PRAGMA user_version of the open file. */
int64_t db_version(struct ctx *c);

/* Whether the stores have the schemas of this program. */
enum db_release {
	DB_RELEASE_SAME,
	DB_RELEASE_OLDER, /* one of them is of an older release: galley migrate */
	DB_RELEASE_NEWER,
	DB_RELEASE_MOVED /* the instance moves to another store, or has moved (DB_MOVED) */
};

/* Looks at both stores, outside a transaction: db_begin_read() and db_begin_write() end a
 * process that meets another schema. A file that is not Galley's is left to them. */
enum db_release db_release(struct ctx *c);

/* Returns whether the file is marked as one of Galley's. */
bool db_is_ours(struct ctx *c);

/* Returns whether the open file has a write-ahead log. */
bool db_is_write_ahead(struct ctx *c);

/* Returns a statement whose rows are those that refer to a row that is not there: the
 * table, the row's id, the table that lacks the row. */
struct stmt *db_prepare_dangling(struct ctx *c);

/* Runs SQLite's own check of the open file; it also compares tables with indexes unless
 * `quick`. Returns NULL, or the first complaint (arena). A file that cannot be read is a
 * complaint as well. */
const char *db_complaint(struct ctx *c, bool quick);

/* Between these two all copies are of one moment, if the store can do that. */
void db_copies_begin(struct ctx *c);
void db_copies_end(struct ctx *c);

/* Writes a consistent copy of the open database to a new file and checks it. Returns
 * NULL, or what went wrong (arena): then there may be a broken file. */
const char *db_copy_to(struct ctx *c, const char *path);

/* Does the same with people/console.db, which need not be open. */
const char *db_copy_console_to(struct ctx *c, const char *path);

/* Does the same with the counts of readers in stats/stats.db, and with nothing else of it. */
const char *db_copy_views_to(struct ctx *c, const char *path);

/*
 * The rest works on files, whether or not this process has a connection: a damaged
 * database cannot even be opened with db_open(). No transaction may be open.
 */

/* Runs the check of db_complaint() on any database file. */
const char *db_file_complaint(struct ctx *c, const char *path, bool quick);

/* Copies the pages of the instance's database as they are: for a database that is too
 * damaged for db_copy_to(). */
const char *db_copy_pages_to(struct ctx *c, const char *path);

/*
 * The replacement of one of the instance's databases by the content of another file, as
 * one transaction (SQLite's backup API), whatever it holds:
 *
 *	s = db_swap_open(c, store);
 *	wrong = db_swap_copy_to(c, s, kept);
 *	…
 *	if (!db_swap_lock(c, s, path))
 *		…		a later write is not in the copy
 *	db_swap_commit(c, s);
 *	db_swap_close(s);
 *
 * A failure dies, and nothing is changed then. A failed copy returns a text, as
 * db_copy_to() does.
 */
struct db_swap;
struct db_swap *db_swap_open(struct ctx *c, enum db_store store);

/* Writes a consistent copy of the database to a new file and checks it. The caller may
 * hold the lock if db_swap_can_read(). */
const char *db_swap_copy_to(struct ctx *c, struct db_swap *s, const char *path);

/* Takes the write lock, for the file at `path`. Returns true if nothing was written since
 * the last copy. False may be wrong: SQLite cannot always tell. */
bool db_swap_lock(struct ctx *c, struct db_swap *s, const char *path);
void db_swap_unlock(struct db_swap *s);

/* Returns whether the database can be read while the lock is held (with a write-ahead log
 * it can). */
bool db_swap_can_read(const struct db_swap *s);

/* Replaces the content, under the lock, and releases the lock. */
void db_swap_commit(struct ctx *c, struct db_swap *s);

/* Releases everything that is held. */
void db_swap_close(struct db_swap *s);

#endif
