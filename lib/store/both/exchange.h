#ifndef STORE_BOTH_EXCHANGE_H
#define STORE_BOTH_EXCHANGE_H
/*
 * Rows between a store in PostgreSQL and a file of SQLite: for backup, restore and galley store
 * copy (docs/postgres.md §8). Private to this folder, the only one that knows both stores.
 *
 * Both have the same tables with the same columns (db/pg/translate.sh). A table is read in the
 * order of its primary key, and each row has one form, that of COPY … (FORMAT binary): so a table
 * has the same BLAKE2b digest in both. Whatever was copied is read again on the other side and
 * compared.
 *
 * exchange.c		tables, and their order
 * exchange-lite.c	rows of a file
 * exchange-pg.c	rows of PostgreSQL
 * exchange-pictures.c	bytes of pictures
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>
#include <sqlite3.h>

#include "base/digest.h"
#include "store/db.h"

struct ctx;

/* Which rows. */
enum exchange_part {
	EXCHANGE_ALL, /* every row: a backup, a restore */
	EXCHANGE_VIEWS, /* of DB_STATS: only how often articles were read */
	EXCHANGE_MOVE, /* without sessions, numbers of forms, `seen`, open tasks and uploads */
	EXCHANGE_BROKEN /* every row, one that breaks a rule of the schema, too */
};

#define EXCHANGE_COLUMNS_MAX 64

struct exchange_table {
	const char *name;
	const char *columns; /* "id, uuid, …" */
	const char *key; /* those of the primary key */
	const char *where; /* " WHERE …", or "" */
	int count; /* of columns */
	char types[EXCHANGE_COLUMNS_MAX]; /* of each: 'I', 'T' or 'B' */
	int64_t rows;
	unsigned char digest[DIGEST_SIZE];
};

struct exchange {
	struct ctx *c;
	PGconn *pg; /* in a transaction */
	const char *schema; /* of its tables */
	sqlite3 *lite;
	struct exchange_table *tables; /* each behind those that it refers to */
	size_t count;
	const char *wrong; /* the first thing that went wrong, or NULL (arena) */
};

/* Writes the rows of a store, as the transaction of `pg` sees them, to a new file at `path`, which
 * gets this release's schema. Returns NULL, or what went wrong (arena): then there may be a broken
 * file. */
const char *exchange_out(
    struct ctx *c, PGconn *pg, enum db_store store, const char *path, enum exchange_part part);

/* Replaces all rows of a store with those of the file, in the transaction of `pg`, which must have
 * the store for itself alone. Bytes of pictures that PostgreSQL lacks are taken from the folder
 * `pictures`; one that is missing there is left out. Returns NULL, or what went wrong (arena): then
 * the transaction must be rolled back. */
const char *exchange_in(struct ctx *c, PGconn *pg, enum db_store store, const char *path,
    const char *pictures, enum exchange_part part);

/* Writes the bytes of all pictures, as the transaction of `pg` has them, as files into a folder. */
const char *exchange_pictures_out(struct ctx *c, PGconn *pg, const char *folder);

/* The same for exchange_in(): takes the bytes that are missing from files. */
void exchange_pictures_in(struct exchange *x, const char *folder);

/* ---- exchange-lite.c and exchange-pg.c: for exchange.c */

/* Notes what went wrong first. */
void
exchange_fail(struct exchange *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is done with each row of a table; false ends the reading. */
typedef bool exchange_row(
    struct exchange *x, struct exchange_table *t, const void *bytes, size_t len, void *arg);

/* Read the rows of a table, and note how many there are, with their digest. `each` may be NULL. */
void
exchange_read_lite(struct exchange *x, struct exchange_table *t, exchange_row *each, void *arg);
void exchange_read_pg(struct exchange *x, struct exchange_table *t, exchange_row *each, void *arg);

/* Write the rows that another one reads. */
void exchange_fill_lite(struct exchange *x, struct exchange_table *t);
void exchange_fill_pg(struct exchange *x, struct exchange_table *t);

/* Runs SQL of PostgreSQL; false if it failed. */
bool exchange_run_pg(struct exchange *x, const char *sql);

#endif
