#ifndef STORE_GENERATION_H
#define STORE_GENERATION_H
/*
 * run/generation shows a reader, without the database, that nothing has changed that
 * the reader could answer (docs/speed.md §3, rules 1, 2 and 5).
 *
 * The file holds a head (boot id of the machine, an epoch of 128 random bits) and
 * 64-bit counters: slot 0 for keys, slot n for the workspace with the internal id n. A
 * counter is even while nobody writes. It is odd while a transaction writes, or after a
 * writer died. One commit, from left to right:
 *
 *	writer    BEGIN IMMEDIATE,  slot    the        COMMIT,   slot     releases
 *	          locks the slot    := odd  writes     synced    := even' the lock
 *	slot      even .............|odd ........................|even' ...........
 *	snapshot  the old state .......................|the new state .............
 *	readers   send and keep     |keep nothing, send nothing  |send and keep
 *	          answers of "even" |that was kept               |answers of "even'"
 *
 * If the writer is killed while the slot is odd, the slot stays odd, and readers go the
 * ordinary way. Only a later writer that has itself committed under this lock makes it
 * even. The reason: a commit that was killed inside its sync can surface
 * later, when SQLite recovers. Only a later commit rules that out. A reader reads the
 * slot before its snapshot and after it. Two equal even numbers prove that no commit was
 * in between.
 *
 * A change of every workspace empties the boot id instead, and draws a new epoch.
 *
 * The even number is random. An operator or a host may put older copies of the
 * instance's files back, and this file with them. No later number may then be one of the
 * discarded future, because answers of that future are kept under it.
 *
 * db-transaction.c calls the writer's part for every writing transaction, whatever
 * galley.conf says; db-migrate.c and db-copy.c call it for the store that they replace.
 */
#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

#define GENERATION_EPOCH 16

/* ---- readers */

/* The content of the file at one moment. */
struct generation {
	bool usable; /* false: nothing may be believed or kept */
	unsigned char epoch[GENERATION_EPOCH];
	char boot[37];
	uint64_t keys; /* slot 0 */
	uint64_t workspace; /* slot n */
};

/*
 * Reads the file for the keys and one workspace (0: only the keys). The result is not
 * usable if there is no file, the boot id is another or missing, a counter is odd, or
 * the file system is a network's.
 */
void generation_read(struct ctx *c, int64_t workspace_id, struct generation *out);

/* Returns whether nothing was committed between the two readings. */
bool generation_same(const struct generation *a, const struct generation *b);

/* Returns whether no answer of the slot (0: the keys) can be kept although this machine
 * could keep it: a writer died, or the file belongs to an earlier start. */
bool generation_is_broken(struct ctx *c, int64_t slot);

/* ---- the writer's part */

/* Declares the change. Call it after BEGIN IMMEDIATE. Waits for others until `deadline`
 * (clock_boot()). If it cannot lock or write, it rolls back and dies: 503. Only changes of content
 * are declared. */
void generation_begin(struct ctx *c, enum db_store store, enum db_change change,
    int64_t workspace_id, int64_t deadline);

/* Returns whether a writer died under the present declaration, or the file belongs to an
 * earlier start. The transaction must then write something to the log before
 * generation_end(true). */
bool generation_is_doubtful(void);

/* Ends the declaration. Call it after COMMIT succeeded, or after ROLLBACK. */
void generation_end(bool committed);

#endif
