#ifndef STORE_TASK_LEASE_H
#define STORE_TASK_LEASE_H
/*
 * Leases of tasks (people/task.h) where several hosts share the store (docs/postgres.md §6): one
 * task runner works on a task. The time of a lease is counted by the database's clock. A runner
 * that was stopped for longer sees with its next step that another one has the task.
 *
 * With SQLite there is one task runner, which holds run/task-runner.lock: each lease is granted,
 * and nothing is kept.
 *
 * Each function needs a transaction of DB_CONSOLE.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

struct ctx;

#define TASK_LEASE_S 120 /* longer than any step, and than one run of galley-unpack */
#define TASK_LEASE_HOLDER UUID_TEXT

/* Takes the lease of a task, for one slice; false if a runner of another host has it. Writes who
 * has it now; "" where nothing is kept. In a writing transaction. */
bool task_lease_take(struct ctx *c, int64_t task_id, char holder[TASK_LEASE_HOLDER]);

/* Returns whether the holder has it still. In a writing transaction it begins again. */
bool task_lease_keep(struct ctx *c, int64_t task_id, const char *holder);

/* Gives it back. In a writing transaction. */
void task_lease_end(struct ctx *c, int64_t task_id, const char *holder);

/* Finds the tasks that runners of other hosts have (arena); returns how many. */
size_t task_lease_others(struct ctx *c, int64_t **ids);

#endif
