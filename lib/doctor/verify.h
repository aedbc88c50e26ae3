#ifndef DOCTOR_VERIFY_H
#define DOCTOR_VERIFY_H
/*
 * Verifies the data: the invariants of the store, as a list of checks (galley verify;
 * restore verifies a backup, too). A new check is a function that calls verify_tell() for
 * each thing that is wrong, and a row in verify.c.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct ctx;
struct work;

#define VERIFY_TOLD 20 /* problems of one check that are kept; all are counted */

struct verify {
	struct ctx *c;
	const char *name; /* of the check */
	const char *problems[VERIFY_TOLD];
	size_t count; /* of all problems */
	const struct work *work; /* the caller's */
};

/*
 * Runs the checks on the open database, in one snapshot, and calls `each` after each
 * check. `quick` leaves out the checks that read every file or render every article.
 * *broken is the number of checks that found something. If the database file is damaged, no
 * other check runs; if the data is broken, no article is rendered. Refuses when it must
 * stop; `each` was called for the checks that were finished.
 */
MAY_REFUSE struct err *verify_run(struct ctx *c, const struct work *work, bool quick,
    void (*each)(void *arg, const struct verify *check), void *arg, size_t *broken);

/* Repairs what Galley can make of other rows (galley verify --repair): writes the rows again from
 * which pages list an article, of each article whose rows are wrong (article/listed.h).
 * Each article has a transaction of its own. Returns how many there were. Call it outside a
 * transaction. */
size_t verify_repair(struct ctx *c);

#endif
