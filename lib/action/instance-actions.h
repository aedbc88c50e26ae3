#ifndef ACTION_INSTANCE_ACTIONS_H
#define ACTION_INSTANCE_ACTIONS_H
/*
 * Actions on the instance: background tasks (people/task.h) are begun, shown and ended; what they
 * do is in lib/task/. And the instance is declared live.
 */
#include <stdint.h>

#include "base/err.h"
#include "people/task.h"

#define TASKS_REFRESH "refresh-exports"

/* Begins a task: kind, person, need, account and workspace of `t` are given, the rest is
 * filled in. Refuses (409) while one of this kind is open in this workspace. Changes people's
 * store. */
MAY_REFUSE struct err *tasks_begin(struct ctx *c, struct task *t);

/* Reads the task with this id. Refuses one that is not there. */
MAY_REFUSE struct err *tasks_show(struct ctx *c, const char *id, struct task **out);

/* Reads the newest task of a kind in a workspace (UUID); *out is NULL if there was none. */
MAY_REFUSE struct err *
tasks_newest(struct ctx *c, const char *workspace, const char *kind, struct task **out);

/* Calls `each` for the newest tasks, at most `limit`, inside the transaction. */
MAY_REFUSE struct err *tasks_show_all(
    struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg);

/* Ends an open task; what it did stays. Refuses one that is over (409), or not there. Changes
 * people's store. */
MAY_REFUSE struct err *tasks_end(struct ctx *c, const char *id);

/* ---- A live instance (access/live.h, docs/console.md §4.15) */

/* Ends that the instance is quiet. Refuses (409) one that is live. */
MAY_REFUSE struct err *live_action(struct ctx *c);

/* Returns since when the instance is quiet; 0: it is live. In a transaction of its own. */
int64_t live_action_since(struct ctx *c);

#endif
