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
 *
 * runner.c		the run: signals, lock, loop; what it does besides jobs: clocks, public_url,
 *			exports; what it tells the log, a terminal and the operator; the state of
 *			runner and jobs in words
 * runner-work.c	works on one job
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/revision.h"
#include "job/job.h"

struct buf;

/* A workspace whose stale exports a run renews. */
struct runner_shelf {
	int64_t id;
	const char *uuid;
	/* token of its settings (s1_…) when the run began */
	char settings[TOKEN_TEXT];
	int64_t after; /* the last article that was examined */
	bool fresh;
};

struct runner {
	struct ctx *c;
	/* memory for the whole run; c->arena is for one job */
	struct arena *kept;
	struct job_worker worker;
	int lock; /* descriptor; -1: another runner holds the lock */
	bool once; /* does all work that is due, then ends */
	bool terminal; /* standard output is a terminal */
	bool faulty; /* a lasting fault was met in this run */
	bool conf_told; /* this run told of a fault in galley.conf */
	int64_t ends_at; /* boot clock: no job is claimed after this time */
	/* house-keeping that bin/job-runner adds */
	void (*house)(struct ctx *c);
	struct runner_shelf *shelves; /* NULL: not listed yet */
	size_t shelf_count;
};

/*
 * Does a whole run and returns the exit status. `c` must have instance and arena, and
 * the process must be the instance's owner. With `once` the run does all work that is
 * due and ends. The run calls `house` once, under the lock and outside a transaction:
 * it does the house-keeping of other floors.
 */
int runner_run(struct ctx *c, bool once, void (*house)(struct ctx *c));

/* Whether the process was asked to end (SIGTERM, SIGINT, SIGHUP). */
bool runner_stopping(void);

/* ---- the work on a job */

/* Works on a claimed job until it has ended, waits for another try, or was given back. */
void runner_work(struct runner *r, struct job *job);

/* ---- what the run tells */

/* Tells the log, and a terminal if there is one, of progress. */
void
runner_tell(const struct runner *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

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

/* Notes that the fault is over: the next one is told again. */
void runner_tell_fine(struct ctx *c, enum runner_fault fault);

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
