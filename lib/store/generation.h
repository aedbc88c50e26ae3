#ifndef STORE_GENERATION_H
#define STORE_GENERATION_H
/*
 * run/generation: what tells a reader that nothing it could answer has changed,
 * without opening the database (docs/speed.md §3, rules 1, 2 and 5).
 *
 * A head (boot id of the machine, an epoch of 128 random bits) and 64-bit
 * counters: slot 0 for keys, slot n for the workspace with the inside id n. Even:
 * at rest. Odd: a write is under way, or died.
 *
 * A writing transaction makes its slot odd while it holds SQLite's write lock,
 * commits, and only then makes it another even number, under a kernel lock on
 * the slot from before the first to after the last. Odd becomes even only by a
 * process that has itself committed after taking that lock: a commit that was
 * killed inside its sync can surface later, when SQLite recovers, and until
 * somebody has committed after it nobody knows. What changes every workspace
 * blanks the boot id and draws a new epoch.
 *
 * The even number is drawn at random. An operator or a host may put older copies of
 * the instance's files back, this file among them: no number that follows may be one
 * of the future that was discarded, since answers of that are kept under it.
 *
 * db-transaction.c calls the writer's part, for every writing transaction, whatever
 * galley.conf says; migrate.c and db-copy.c do for what they replace.
 */
#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

#define GENERATION_EPOCH 16

/* ---- readers */

/* What the file says at one moment. */
struct generation {
	bool usable; /* false: nothing may be believed or kept */
	unsigned char epoch[GENERATION_EPOCH];
	char boot[37];
	uint64_t keys;      /* slot 0 */
	uint64_t workspace; /* slot n */
};

/*
 * Reads the file for the keys and one workspace (0: keys alone). Not usable: no
 * file, another boot id, an odd counter, a network file system, no boot id.
 */
void generation_read(struct ctx *c, int64_t workspace_id,
    struct generation *out);

/* Whether nothing was committed between the two readings. */
bool generation_same(const struct generation *a, const struct generation *b);

/* Whether nothing of the slot (0: the keys) can be kept though this machine could
 * keep it: a writer died, or the file is of an earlier start. */
bool generation_is_broken(struct ctx *c, int64_t slot);

/* ---- the writer's part */

/* Declares the change: after BEGIN IMMEDIATE. Waits for others until `deadline`
 * (clock_boot()); when it cannot lock or write, rolls back and dies: 503. */
void generation_begin(struct ctx *c, enum db_change change,
    int64_t workspace_id, int64_t deadline);

/* Whether a writer died under the present declaration, or the file is of an
 * earlier start: then the transaction has to write something to the log before it
 * may be ended as committed. */
bool generation_is_doubtful(void);

/* Ends it: after COMMIT succeeded, or after ROLLBACK. */
void generation_end(bool committed);

#endif
