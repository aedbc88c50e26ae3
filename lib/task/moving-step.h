#ifndef TASK_MOVING_STEP_H
#define TASK_MOVING_STEP_H
/*
 * An import (docs/console.md §4.11), as a kind of task (slice.h): it reads the upload itself, or
 * what was unpacked of it into run/console/opened-UUID. Strangers made these files: they are read
 * by the readers of import/ alone, and nothing outside of that folder is.
 *
 * The first slices unpack an archive with bin/galley-unpack, beside this program. A confined
 * process starts no program, so this comes before the confinement of a slice; it opens no file of
 * a stranger but to hand it on. Pictures that the upload does not have are fetched, if the person
 * wanted it, by a guarded client (import/import-pictures.h) that is started there, too. What was
 * fetched, and what failed, is in run/console/fetched-UUID, so that a slice goes on in the middle
 * of a post.
 *
 * A step is the works of import/, for four seconds, after what was done before. `number` is 0
 * while an archive is unpacked, then 1 and the items that were told of. Every twenty items are
 * noted with it in one transaction, so that a step that is killed does at most those again, which
 * changes nothing. Each change passes a gate: the person must have both rights still, the task
 * must be open, and the account not be suspended. The step ends at the first that does not pass,
 * and the next one finds why.
 */
#include <stdbool.h>

#include "base/err.h"
#include "people/task.h"

struct ctx;
struct workspace;

/* Returns whether another host has the upload of this import, as far as this one can know: it was
 * not worked on for less than a day. Later each host says that the file is gone. In a transaction
 * of DB_CONSOLE. */
bool moving_files_are_elsewhere(struct ctx *c, const struct task *t);

/* Removes what was unpacked or fetched of uploads that are not there any more, some at once;
 * returns whether there is any (`only_look`: removes nothing). Outside of transactions. */
bool moving_unpack_sweep(struct ctx *c, bool only_look);

/* Unpacks an archive, and then starts the client. Is the `prepare` of
 * slice_kinds. */
MAY_REFUSE struct err *moving_prepare(struct ctx *c, struct task *t, bool *prepared);

/* Is the step of slice_kinds. */
MAY_REFUSE struct err *moving_step(
    struct ctx *c, const struct workspace *w, struct task *t, bool *more, const char **report);

#endif
