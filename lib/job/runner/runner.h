#ifndef JOB_RUNNER_H
#define JOB_RUNNER_H
/*
 * The job runner (docs/design.md §5): started by cron every minute or more rarely,
 * claims jobs for `runner_seconds`, one at a time, and lets the last provider
 * finish. Killed at any instruction, the next run goes on (job.h, STEPS).
 *
 * One runner works at a time: it holds run/runner.lock. Another one ends at
 * once, unless a job's lease has run out (the holder hangs): then it works
 * beside.
 *
 * runner.c		the run: signals, lock, loop
 * runner-work.c	one job
 * runner-house.c	what a run does besides: clocks, public_url, exports
 * runner-tell.c	what it says, and to whom
 * runner-status.c	how it stands, in words
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/token.h"
#include "job/job.h"

struct buf;

/* Exports of a workspace that a run renews. */
struct runner_shelf {
	int64_t id;
	const char *uuid;
	char settings[TOKEN_TEXT]; /* s1_ when the run began */
	int64_t after; /* the last article looked at */
	bool fresh;
};

struct runner {
	struct ctx *c;
	struct arena
	    *kept; /* memory for the whole run; c->arena is one job's */
	struct job_worker worker;
	int lock; /* descriptor; -1: works beside */
	bool once; /* works off what is due, then ends */
	bool terminal; /* somebody watches */
	bool faulty; /* met a lasting fault in this run */
	bool conf_told; /* ... and told of one of galley.conf */
	int64_t ends_at; /* boot clock: no claims from then on */
	void (*house)(struct ctx *c); /* more of it, of floors below */
	struct runner_shelf *shelves; /* NULL: not looked at yet */
	size_t shelf_count;
};

/*
 * A whole run; c has instance and arena, the process is the instance's owner.
 * Returns the exit status. `once`: works off all that is due, and ends. `house` is
 * called once under the lock, in no transaction: what floors below have to keep in order.
 */
int runner_run(struct ctx *c, bool once, void (*house)(struct ctx *c));

/* Whether the process was asked to end (SIGTERM, SIGINT, SIGHUP). */
bool runner_stopping(void);

/* ---- runner-work.c */

/* Works on a claimed job until it has ended, waits, or was given back. */
void runner_work(struct runner *r, struct job *job);

/* ---- runner-house.c */

/* What a run begins with: leftovers, old clocks, a changed public_url. */
void runner_house(struct runner *r);

/* Renews some stale exports; false when there are no more. */
bool runner_house_slice(struct runner *r);

/* Whether there is room to work in (64 MiB). */
bool runner_house_has_room(struct ctx *c);

/* ---- runner-tell.c */

/* Progress, for whoever watches. */
void runner_tell(const struct runner *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Faults that last. */
enum runner_fault {
	RUNNER_START,
	RUNNER_ROOM,
	RUNNER_PROVIDER,
	RUNNER_CONFINEMENT,
	RUNNER_CONF
};

/* Tells the operator: on standard error, which cron mails; the same text again
 * only to a terminal. */
void
runner_tell_fault(struct ctx *c, enum runner_fault fault, const char *text);

/* That fault is over: the next one is told again. */
void runner_tell_fine(struct ctx *c, enum runner_fault fault);

/* Logs what this machine cannot keep a provider from; the same again never. */
void runner_tell_confinement(struct ctx *c);

/* Notes that a run began, and when the last one did; 0: never. */
void runner_tell_seen(struct ctx *c);
int64_t runner_seen(struct ctx *c);

/* ---- runner-status.c */

/* Appends how runner and jobs stand, and how to mend what does not. In no
 * transaction. */
void runner_status(struct ctx *c, struct buf *out);

/* How an open job stands: "is written (stage writing, try 2)"; "waits 25 s for
 * try 3: …". In the arena. */
const char *runner_status_of(struct ctx *c, const struct job *job);

/* "Cron last started the runner 40 s ago.", or how to mend it. In the arena. */
const char *runner_status_cron(struct ctx *c);

#endif
