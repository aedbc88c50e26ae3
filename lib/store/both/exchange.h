#ifndef STORE_EXCHANGE_H
#define STORE_EXCHANGE_H
/*
 * Rows between a store in PostgreSQL and a file of SQLite: for backup, restore and galley store
 * copy (docs/postgres.md §8). Private to this folder, the only one that knows both stores.
 *
 * Both have the same tables with the same columns (db/pg/translate.sh). A table is read in the
 * order of its primary key, and each row has one form, that of COPY … (FORMAT binary): so a table
 * has the same BLAKE2b digest in both. Whatever was copied is read again on the other side and
 * compared.
 */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

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
	struct exchange_table *tables; /* each after those that it refers to */
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

#endif
