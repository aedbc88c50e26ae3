#ifndef ACCESS_GENERATION_REPAIR_H
#define ACCESS_GENERATION_REPAIR_H
/*
 * Repairs the counters of run/generation, so that answers are kept again
 * (docs/speed.md §3, rule 2). A counter is broken after a writer died between its
 * declaration and its end, or after the machine was started again. The repair is
 * one commit under the same declaration.
 */
#include <stdint.h>

struct ctx;

/* Repairs every broken counter, each in a short transaction of its own. Call it
 * outside a transaction. Returns the number of repaired counters. */
int64_t generation_repair(struct ctx *c);

#endif
