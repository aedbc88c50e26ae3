#ifndef DOCTOR_VERIFY_H
#define DOCTOR_VERIFY_H
/*
 * The invariants of the store, as a list of checks (galley verify, and the last
 * look at a backup before it is restored). To add one: a function that calls
 * verify_tell() for each thing that is wrong, and a row in verify.c.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define VERIFY_TOLD 20 /* problems of one check that are kept, of all counted */

struct work;

struct verify {
	struct ctx *c;
	const char *name; /* of the check */
	const char *problems[VERIFY_TOLD];
	size_t count; /* of all problems */
	const struct work *work; /* the caller's */
};

/* Adds a problem to the present check; the text lives in the arena. NULL: one
 * more row was looked at. */
void verify_tell(void *verify, const char *problem);

/*
 * Runs the checks on the open database, in one snapshot, and calls `each` after
 * each of them. `quick` leaves out those that read every file or render every
 * article. Returns how many found something. When the file itself is damaged
 * the others are not run, and nothing is rendered of a store that is broken.
 */
size_t verify_run(struct ctx *c, const struct work *work, bool quick,
    void (*each)(void *arg, const struct verify *check), void *arg);

#endif
