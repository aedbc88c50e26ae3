#ifndef STORE_LEASE_H
#define STORE_LEASE_H
/*
 * The clock by which leases are counted, and the place of who takes one (docs/design.md §5).
 *
 * With SQLite all who work are on one machine: the clock is that of its boot, which nobody sets,
 * and the place is the boot. With PostgreSQL they are on several hosts: the clock is the
 * database's, and the place is the folder run/ of one host since the host was started
 * (docs/postgres.md §6): who holds a lock of a file there knows nothing of other hosts.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/uuid.h"

struct ctx;

#define LEASE_PLACE CLOCK_BOOT_ID /* bytes of a place and NUL */

/* Returns whether hosts share the store. Else a lease of another place is over. */
bool lease_is_shared(void);

/* Returns the time of that clock: with PostgreSQL as the present transaction began, or the last
 * one. */
int64_t lease_now(const struct ctx *c);

/* Writes the place of this process. Returns false, and "", if it is not known. */
bool lease_place(struct ctx *c, char out[LEASE_PLACE]);

/* Returns where the database is (arena): a copy of it elsewhere has another one. NULL: in a file
 * of this machine. */
const char *lease_database(struct ctx *c);

/*
 * ---- leases of tasks
 *
 * Leases of tasks (people/task.h) where several hosts share the store (docs/postgres.md §6): one
 * task runner works on a task. The time of a lease is counted by the database's clock. A runner
 * that was stopped for longer sees with its next step that another one has the task.
 *
 * With SQLite there is one task runner, which holds run/task-runner.lock: each lease is granted,
 * and nothing is kept.
 *
 * Each function needs a transaction of DB_CONSOLE.
 */

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
