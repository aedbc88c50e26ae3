#ifndef STORE_DB_CONNECTION_H
#define STORE_DB_CONNECTION_H
/* The connection and its statements. Private to this floor. */
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/db.h"

struct ctx;

#define DB_STATEMENTS_MAX 192

struct stmt {
	struct db *db;
	const char *sql; /* the literal: its address is the statement's name */
	sqlite3_stmt *handle;
	unsigned writes; /* bits of what it changes: 1 << enum db_change */
};

struct db {
	sqlite3 *handle;
	enum db_store store;
	struct ctx *c; /* of the present request */
	int wait_ms;
	int64_t deadline; /* clock_boot() at which waiting ends */
	bool writing; /* the transaction may write */
	bool wrote; /* a writing transaction was begun since it was opened */
	bool committing; /* its COMMIT was begun: the outcome may be unknown */
	enum db_change change; /* what it declared */
	int64_t account_id; /* the account that it named, or 0 */
	bool guarded; /* it has the triggers of db/guards.sql */
	bool query_only; /* as the connection was told last */
	bool ours; /* the file was seen to be one of Galley's */
	unsigned tables; /* the only ones that are asked for (db-schema.h); 0: any */
	bool only_reads; /* db_reads() said so */
	enum {
		DB_SCHEMA_UNREAD,
		DB_SCHEMA_WANTED, /* from here on a statement will ask for it */
		DB_SCHEMA_NARROW, /* only what belongs to these tables is known */
		DB_SCHEMA_WHOLE
	} schema; /* where they are told */
	dev_t device; /* the file, as it was opened */
	ino_t inode;
	size_t count; /* of statements; before them, since most are few */
	struct stmt statements[DB_STATEMENTS_MAX];
};

/* Makes c->db the connection of the store, and opens it if it is not open. */
void db_choose(struct ctx *c, enum db_store store);

/* Begins the time that the connection may wait for others: that of one transaction. */
void db_set_deadline(struct db *db);

/* Sets whether the connection refuses to write, as it does when it is opened. A
 * connection that reads only some tables (db_reads()) always refuses: `on` false is
 * then a BUG. */
void db_set_query_only(struct db *db, bool on);

/* Runs SQL that must succeed: a failure is a fault, as in db.h. */
void db_must(struct db *db, const char *sql);

/* Returns the open connection. It may write, and may wait for others from now on as long
 * as a transaction. */
sqlite3 *db_handle(struct ctx *c);

/* ---- the memory of SQLite, which depends on the life of the process (db_memory_once()) */

bool db_memory_is_once(void);

/* Does what db_memory_once() asked; else gives SQLite a store of small blocks, from which
 * statements get most of their memory. The opener must call it before SQLite is used. */
void db_memory_begin(void);

/* ---- what a fault of SQLite means for the process (docs/platform.md §2.5) */

/* Returns the meaning of a result of SQLite's, as a whole sentence for a person.
 * `system_error` is the errno behind it, or 0. */
const char *db_fault_sentence(int result, int system_error);

/* Logs the connection's last error with `what` (SQL, or a word), undoes the
 * transaction, and ends the process: with 503 if the fault may pass, else with 500. */
_Noreturn void db_fault(sqlite3 *handle, const char *what);

#endif
