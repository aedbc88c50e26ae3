#ifndef TASK_MOVING_MOVING_UNPACK_H
#define TASK_MOVING_MOVING_UNPACK_H
/*
 * The first slices of an import of an archive: bin/galley-unpack, beside this program, unpacks it
 * (docs/console.md §4.11). A confined process starts no program, so this comes before the
 * confinement of a slice (moving_prepare()); it opens no file of a stranger but to hand it on.
 */
#include <stdbool.h>

#include "base/err.h"

struct ctx;
struct task;

/* Unpacks for one slice. Sets *prepared, and t->number, if there is nothing left to unpack.
 * Refuses an archive that is refused, and one where there is no galley-unpack. */
MAY_REFUSE struct err *moving_unpack(struct ctx *c, struct task *t, bool *prepared);

/* Removes what was unpacked or fetched of uploads that are not there any more, some at once;
 * returns whether there is any (`only_look`: removes nothing). Outside of transactions. */
bool moving_unpack_sweep(struct ctx *c, bool only_look);

#endif
