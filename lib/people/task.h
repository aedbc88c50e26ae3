#ifndef PEOPLE_TASK_H
#define PEOPLE_TASK_H
/*
 * Work outside requests that people want (docs/console.md §1.3). This file owns the table
 * task of the console's store. Every function needs a transaction of DB_CONSOLE.
 *
 * A task is waiting until its first slice, running until its last one, and then done, failed
 * (its report says why) or ended (by somebody, or with its person's rights).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "people/membership.h"
#include "store/task-lease.h"

struct ctx;

struct task {
	int64_t id;
	const char *uuid;
	const char *kind;
	const char *person; /* UUID of who wants it */
	enum right need; /* what each step needs of that person; 0:
	                        * the row names no right */
	const char *account; /* UUID, or "" */
	const char *workspace; /* UUID, or "" */
	int64_t number; /* how far it came, in the kind's own way */
	const char *state; /* "waiting", "running", "done", "failed", "ended" */
	int64_t done, total; /* pieces; total 0: not known */
	const char *report; /* a sentence; "" while there is none */
	int64_t slice_at; /* when the last slice began; 0: none did */
	int64_t deaths; /* slices that began since one came to its end */
	int64_t created_at;
	int64_t ended_at; /* 0: it is open */
	/* Of a slice: who has its lease (store/task-lease.h). The functions below that change the
	 * task change nothing once another one has it. "": nobody asked for it. */
	char holder[TASK_LEASE_HOLDER];
};

/* Returns whether the row is one that this release may have written. A task whose row is not
 * must not be worked on. */
bool task_is_sound(const struct task *t);

/* Returns whether no runner of another host has taken it over. In a writing transaction its lease
 * begins again. */
bool task_is_mine(struct ctx *c, const struct task *t);

/* Returns whether it waits or runs. */
bool task_is_open(const struct task *t);

/* Adds a waiting task; kind, person, need, account, workspace and total are read. Fills id,
 * uuid, state and created_at. */
void task_insert(struct ctx *c, struct task *t);

/* Returns the task with this UUID, or NULL. */
struct task *task_find(struct ctx *c, const char *uuid);

/* Returns the newest task of this kind in a workspace, or NULL. */
struct task *task_newest(struct ctx *c, const char *workspace, const char *kind);

/* Calls `each` for the newest tasks of this kind in a workspace, at most `limit`. */
void task_list_kind(struct ctx *c, const char *workspace, const char *kind, int64_t limit,
    void (*each)(void *arg, const struct task *t), void *arg);

/* Calls `each` for the newest tasks, at most `limit`; for the open ones in the order of their
 * accounts. */
void
task_list(struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg);
void task_list_open(struct ctx *c, void (*each)(void *arg, const struct task *t), void *arg);

/* Takes the lease, reads the task again and notes that a slice begins; false if a runner of another
 * host has it, or if it is not open any more. */
bool task_begin_slice(struct ctx *c, struct task *t);

/* Writes number, done and total of an open task; false if it is not open any more, or if another
 * host has taken it over. */
bool task_advance(struct ctx *c, const struct task *t);

/* Notes that a slice came to its end, and gives the lease back. */
void task_end_slice(struct ctx *c, const struct task *t);

/* Ends an open task: `state` is "done", "failed" or "ended". */
void task_end(struct ctx *c, const struct task *t, const char *state, const char *report);

/* Ends the tasks of a person (a UUID) that are not over; the report says why. */
void task_end_all(struct ctx *c, const char *person, const char *report);

/* Ends all tasks that are not over: for an instance whose content was restored. */
void task_end_open(struct ctx *c, const char *report);

#endif
