#ifndef TASK_VISITING_H
#define TASK_VISITING_H
/*
 * Looks at the pages of a workspace's website (docs/console.md §4.10): what `galley verify-page`
 * does (site/verify-page.h), with one page in a slice, one slice in a second, and pages of the
 * website's origin alone. Slices of this kind work beside all else, because a website may take
 * its time. A page is fetched by bin/galley-fetch and read in a process that has no file and no
 * network, so the slice itself, which starts both, is not confined.
 */
#include <stdbool.h>

#include "base/err.h"

struct ctx;
struct task;
struct workspace;

#define VISITING_PAGES 200 /* of a task: old and new ones alike */

/* Is the `prepare` of slice_kinds: looks at the next page. *prepared: all were looked at. */
MAY_REFUSE struct err *visiting_prepare(struct ctx *c, struct task *t, bool *prepared);

/* Is the step of slice_kinds, after the last page. */
MAY_REFUSE struct err *visiting_step(
    struct ctx *c, const struct workspace *w, struct task *t, bool *more, const char **report);

#endif
