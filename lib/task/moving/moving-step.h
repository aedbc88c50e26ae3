#ifndef TASK_MOVING_MOVING_STEP_H
#define TASK_MOVING_MOVING_STEP_H
/*
 * A step of an import (docs/console.md §4.11): the works of import/, for four seconds, behind
 * what was done before. `number` is 0 while an archive is unpacked, then 1 and the items that
 * were told of. Every twenty items are noted with it in one transaction, so that a step that is
 * killed does at most those again, which changes nothing.
 *
 * Each change passes a gate: the person must have both rights still, the task must be open, and
 * the account not be suspended. The step ends at the first that does not pass, and the next one
 * finds why.
 */
#include <stdbool.h>

#include "base/err.h"
#include "people/task.h"

struct ctx;
struct workspace;

/* Is the step of slice_kinds. */
MAY_REFUSE struct err *moving_step(
    struct ctx *c, const struct workspace *w, struct task *t, bool *more, const char **report);

#endif
