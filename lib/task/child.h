#ifndef TASK_CHILD_H
#define TASK_CHILD_H
/*
 * The children of the task runner (taskrunner.h): each does one kind of work and ends, so that no
 * death of one ends the runner. Two that wait for strangers are in telling.h.
 */
#include <stdbool.h>
#include <sys/types.h>

struct ctx;

/* ---- for the runner */

/* Starts `work` in a child process, which is killed when the runner ends. With `confined` it has
 * only what child_confine() leaves. Returns its id, or -1. */
pid_t child_begin(struct ctx *c, void (*work)(struct ctx *c), bool confined);

/* Returns whether a child that ended with this status of waitpid() did its work. *deaths counts one
 * that ended in another way than its own. */
bool child_came_to_its_end(int status, int *deaths);

/* Runs `work` in a child process, and waits. Returns whether it did its work. */
bool child_run(struct ctx *c, void (*work)(struct ctx *c), bool confined, int *deaths);

/* Takes from this process what a timer or a task need not reach: it reads the instance's own files
 * alone, and writes its content, its people and its log; of run/ it writes what the console writes.
 * An errand is a work of the tool, and has what the tool has. */
void child_confine(struct ctx *c);

/* Returns whether the instance is not live (access/live.h). The content is open, without a
 * transaction. */
bool child_is_quiet(struct ctx *c);

/* ---- what a child does: `work` */

void child_errand(struct ctx *c);
void child_aside(struct ctx *c); /* an errand beside the others */
void child_timers(struct ctx *c);
void child_count(struct ctx *c);
void child_hits(struct ctx *c);
void child_sweep(struct ctx *c);
/* These two confine themselves. */
void child_slice(struct ctx *c);
void child_slice_beside(struct ctx *c);

#endif
