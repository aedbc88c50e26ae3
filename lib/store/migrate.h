#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H
/*
 * Brings a database to this release's schema, db/schema.sql. user_version holds the
 * number of the schema. A program that meets another number than SCHEMA_VERSION
 * answers 503 (db-transaction.c).
 *
 * A new database gets the schema as it is. An older one is first brought to schema 7
 * by the files db/before/NNNN-*.sql; then its rows are copied into new tables, so that
 * an upgraded database and a new one have the same schema, text by text: a restore
 * compares them.
 */
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* A step from one older schema to the next; the last one completes the rows of the new
 * tables. Embedded when the operator's tool is built (db/embed.sh). */
struct migration {
	int64_t number; /* of the schema that it makes; 0 ends the list */
	const char *name;
	const char *sql;
};
extern const struct migration migrations[];

/*
 * Brings the open database to this release's schema in one transaction, checks the
 * result and commits.
 * Refuses a database that is newer than this program, and one with a row that
 * breaks a rule of the new schema; then it is as it was. *from is the number that
 * the database had.
 */
MAY_REFUSE struct err *migrate_run(struct ctx *c, int64_t *from);

/*
 * Refuses the open database, which is that of `what`, unless its tables, indexes,
 * triggers and views are exactly those of the schema of that number;
 * the sentence names the first that is not. Comments and spaces do not count.
 */
MAY_REFUSE struct err *migrate_compare(struct ctx *c, const char *what,
    int64_t number);

/* Does the same for the console's store, which it opens, and whose schema has one number. */
MAY_REFUSE struct err *migrate_compare_console(struct ctx *c, const char *what);

#endif
