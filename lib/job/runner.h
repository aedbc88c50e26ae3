#ifndef JOB_RUNNER_H
#define JOB_RUNNER_H
/*
 * The job runner (docs/design.md §5). Cron starts it every minute or less often. It
 * claims jobs for `runner_seconds`, one at a time, and lets the last provider finish. If
 * it is killed at any instruction, the next run continues (job.h, STEPS).
 *
 * One runner works at a time: it holds run/runner.lock. A second one ends at once, except
 * if the lease of a job has run out: then the first one hangs, and the second one works
 * without the lock.
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/revision.h"
#include "job/job.h"

struct buf;

/*
 * Does a whole run and returns the exit status. `c` must have instance and arena, and
 * the process must be the instance's owner. With `once` the run does all work that is
 * due and ends. The run calls `house` once, under the lock and outside a transaction:
 * it does the house-keeping of other floors.
 */
int runner_run(struct ctx *c, bool once, void (*house)(struct ctx *c));

/* ---- what the run tells */

/* Faults that last until the operator acts. */
enum runner_fault {
	RUNNER_START,
	RUNNER_ROOM,
	RUNNER_PROVIDER,
	RUNNER_CONFINEMENT,
	RUNNER_CONF,
	RUNNER_QUIET
};

/* Tells the operator of a fault on standard error, which cron mails. The same text is
 * told again only to a terminal. */
void runner_tell_fault(struct ctx *c, enum runner_fault fault, const char *text);

int64_t runner_seen(struct ctx *c);

/* ---- the state in words */

/* Appends the state of the runner and of the open jobs, and how to fix what is wrong.
 * Call it outside a transaction. */
void runner_status(struct ctx *c, struct buf *out);

/* Returns the state of an open job in words, in the arena: "is due for try 2"; "waits
 * 25 s for try 3: …". */
const char *runner_status_of(struct ctx *c, const struct job *job);

/* Returns "Cron last started the runner 40 s ago.", or how to fix it if it did not. In
 * the arena. */
const char *runner_status_cron(struct ctx *c);

#endif
