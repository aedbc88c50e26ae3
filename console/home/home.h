#ifndef HOME_H
#define HOME_H
/* What the parts of Home have in common (docs/console.md §4.1). */
#include "action/home-lists.h"
#include "console/answer.h"

/* Writes what waits; nothing where nothing does. */
void
home_write_waits(struct hwrite *w, struct ctx *c, const struct visit *v, const struct waits *waits);

/* First steps, and whether the person manages their account. */
struct home_steps {
	struct steps steps;
	bool manages_account;
};

/* Writes the first steps of a new workspace; nothing where there are none. */
void home_write_steps(
    struct hwrite *w, struct ctx *c, const struct visit *v, const struct home_steps *h);

#endif
