#ifndef JOB_CRON_H
#define JOB_CRON_H
/*
 * What starts the runners: one line of cron, or bin/galley-serve, starts bin/job-runner each
 * minute, and that starts bin/task-runner (docs/console.md §1.3). Both note when they were started.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

/*
 * Starts the instance's bin/task-runner. With `once` it runs with --once, and the function
 * returns when it has ended; else it runs on its own, and keeps no terminal and no pipe of
 * cron's open. Does nothing where the program is not installed.
 */
void cron_start_tasks(struct ctx *c, bool once);

/* Notes that the task runner was started. A fault is a line of the log. */
void cron_note_tasks(struct ctx *c);

struct cron {
	int64_t jobs_at; /* when the job runner was started last; 0: never */
	int64_t tasks_at; /* the same of the task runner */
	bool silent; /* one of the two was not started for five minutes */
	const char *line; /* what belongs into the crontab of the instance's owner */
};

/* Tells when the runners were started last. Needs no transaction. */
void cron_look(struct ctx *c, struct cron *out);

#endif
