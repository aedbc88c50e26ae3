#ifndef ACCESS_MEND_H
#define ACCESS_MEND_H
/*
 * Mends run/generation where a writer died between its declaration and its end,
 * or the machine was started anew: a commit is made under the same
 * declaration, after which answers are kept again (docs/speed.md §3, rule 2).
 */
#include <stdint.h>

struct ctx;

/* One short transaction for each counter that needs it. Returns how many. */
int64_t mend_generation(struct ctx *c);

#endif
