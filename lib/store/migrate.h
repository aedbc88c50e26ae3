#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H
/*
 * Brings a store to the schema of this release. user_version holds the number of the
 * schema. A program that meets another number than its own answers 503
 * (db-transaction.c). Both stores have the same mechanism; schemas.h says which files
 * belong to each.
 *
 * A new file gets the schema as it is. In an older one the steps from its number on run:
 * step NNNN brings tables and rows of the schema before to what the schema NNNN holds.
 * Then the rows are copied into new tables, so that an upgraded file and a new one have
 * the same schema, text by text: a restore compares them.
 */
#include <stdint.h>

#include "base/err.h"

#include "store/db.h"

struct ctx;

/* Returns the number of the schema that a store has. DB_CONSOLE must be there. */
int64_t migrate_number(struct ctx *c, enum db_store store);

/*
 * Brings a store to this release's schema in one transaction, checks the result and
 * commits. The content must be open; DB_CONSOLE must be there.
 * Refuses a file that is newer than this program, and one with a row that
 * breaks a rule of the new schema; then it is as it was. *from is the number that
 * the file had. The content is the store of the next transaction.
 */
MAY_REFUSE struct err *migrate_run(struct ctx *c, enum db_store store, int64_t *from);

/* Refuses a number that is newer than this program. */
MAY_REFUSE struct err *migrate_check(struct ctx *c, enum db_store store, int64_t number);

/*
 * Refuses the open database, which is that of `what`, unless its tables, indexes,
 * triggers and views are exactly those of the schema of that number;
 * the sentence names the first that is not. Comments and spaces do not count.
 */
MAY_REFUSE struct err *migrate_compare(struct ctx *c, const char *what, int64_t number);

/* Does the same for the console's store, which it opens, and for the number that it has, which
 * must not be newer than this program's. */
MAY_REFUSE struct err *migrate_compare_console(struct ctx *c, const char *what);

#endif
