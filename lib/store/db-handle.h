#ifndef STORE_DB_HANDLE_H
#define STORE_DB_HANDLE_H
/* The connection and its statements, for the files of this floor only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <sqlite3.h>

struct ctx;

#define DB_STATEMENTS_MAX 192

struct stmt {
	struct db *db;
	const char *sql; /* the literal: its address is the statement's name */
	sqlite3_stmt *handle;
};

struct db {
	sqlite3 *handle;
	struct ctx *c; /* of the present request */
	char *log_path; /* of the write-ahead log */
	int wait_ms;
	int64_t deadline; /* clock_boot() at which waiting ends */
	bool writing;     /* the transaction may write */
	bool query_only;  /* as the connection was told last */
	dev_t device;     /* the file, as it was opened */
	ino_t inode;
	struct stmt statements[DB_STATEMENTS_MAX];
	size_t count;
};

/* The open connection. It may write, and waits for others from now on as long
 * as a transaction would. */
sqlite3 *db_handle(struct ctx *c);

#endif
