#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H
/*
 * Brings a database to this release's schema. The migrations are the files
 * db/NNNN-*.sql, embedded when the operator's tool is built; user_version is
 * the number of the last one that ran. Programs that meet another number than
 * SCHEMA_VERSION answer 503 (db-transaction.c).
 */
#include <stdint.h>

#include "base/err.h"

struct ctx;

struct migration {
	int64_t number; /* 0 ends the list */
	const char *name;
	const char *sql;
};
extern const struct migration migrations[];

/*
 * Runs what is missing, all in one transaction, checks the result and commits.
 * Refuses a database that is newer than this program. Tells in *from the number
 * that it found.
 */
MAY_REFUSE struct err *migrate_run(struct ctx *c, int64_t *from);

/*
 * Refuses the open database, which is that of `what`, unless its tables, indexes,
 * triggers and views are exactly those that the migrations up to `number` make;
 * the sentence names the first that is not. Comments and spaces do not count.
 */
MAY_REFUSE struct err *migrate_compare(struct ctx *c, const char *what,
    int64_t number);

#endif
