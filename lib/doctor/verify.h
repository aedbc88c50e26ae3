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

#define VERIFY_TOLD 20 /* problems of one check that are kept; all are counted */

struct work;

struct verify {
	struct ctx *c;
	const char *name; /* of the check */
	const char *problems[VERIFY_TOLD];
	size_t count; /* of all problems */
	const struct work *work; /* the caller's */
};

/* Adds a problem to the present check; its text is in the arena. NULL says that one more
 * row was checked. Returns false if the work must stop. */
bool verify_tell(void *verify, const char *problem);

/*
 * Runs the checks on the open database, in one snapshot, and calls `each` after each
 * check. `quick` leaves out the checks that read every file or render every article.
 * *broken is the number of checks that found something. If the database file is damaged, no
 * other check runs; if the data is broken, no article is rendered. Refuses when it must
 * stop; `each` was called for the checks that were finished.
 */
MAY_REFUSE struct err *verify_run(struct ctx *c, const struct work *work, bool quick,
    void (*each)(void *arg, const struct verify *check), void *arg, size_t *broken);

#endif
