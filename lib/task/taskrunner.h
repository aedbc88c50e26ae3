#ifndef TASK_TASKRUNNER_H
#define TASK_TASKRUNNER_H
/*
 * The task runner (docs/console.md §1.3): work outside requests that is no job. The job runner
 * starts it (job/cron.h). It lives for `runner_seconds`, and one works at a time: it holds
 * run/task-runner.lock.
 *
 * A pass looks for these, in this order: an errand (errand.h); timers, which are articles to be
 * published at a date (action/article/publish-actions.h), two seconds long at most, and once in a
 * run what is to be removed (action/person/person-actions.h, action/uploaded-files.h); once a
 * minute lines of requests.log that are to be counted (stats/api-readers.h), and hits (stats/hit-
 * count.h); one slice of one task (slice.h). Each is done by a child process, confined to the
 * instance's files, so that no death ends the runner; an errand that only reads goes on while
 * others are done, and a run waits for its end; the runner itself only looks whether something is
 * due. Beside them children tell websites and people what happened.
 *
 * If runner or child is killed at any instruction, the next pass goes on: a timer's change is one
 * transaction, as are a count and its mark, and a task notes each step with its state.
 *
 * lib/task: work outside requests that is no order. Not here: orders (lib/job), and the rows of
 * people's tasks (people/task.h). Begin with taskrunner.h.
 */
#include <stdbool.h>

struct ctx;

/* Does a whole run and returns the exit status. `c` must have instance and arena, and the
 * process must be the instance's owner. With `once` the run ends when nothing is due. */
int taskrunner_run(struct ctx *c, bool once);

#endif
