#ifndef ACTION_ACTION_H
#define ACTION_ACTION_H
/*
 * What people may change, one change each. The operator's commands call these functions,
 * and every other way in must call them, too: they hold the rules.
 *
 * An action is a function of this floor that
 * - takes a struct with what was asked and fills a struct with what became of it, or
 *   refuses;
 * - runs in one transaction of its own, which it begins and ends with the two functions
 *   below; nothing is changed when it refuses;
 * - names in its declaration what it changes (struct action_scope);
 * - asks nobody, prints nothing and reads no arguments.
 *
 * An action that only reads begins with db_begin_read() and ends with action_end().
 */
#include <stdint.h>

#include "base/err.h"
#include "store/db.h"

struct ctx;

/* What an action changes: what GET answers may show of it, and whose it is. */
struct action_scope {
	enum db_change change;
	int64_t workspace_id; /* of DB_CHANGES_WORKSPACE, else 0 */
	int64_t account_id; /* whose credits or jobs are changed, else 0 */
};

/* Begins the transaction, with the write lock held. Sets c->now. Refuses what the gate
 * refuses (base/ctx.h); the action must then end with action_end(), as after any refusal. */
MAY_REFUSE struct err *action_begin(struct ctx *c, const struct action_scope *scope);

/* Begins a transaction of the console's store, with its write lock held: for changes of
 * people. Refuses as action_begin() does, and where people/ is not there. */
MAY_REFUSE struct err *action_begin_console(struct ctx *c);

/* Begins a transaction that reads the console's store. Refuses where people/ is not
 * there; no transaction is open then. */
MAY_REFUSE struct err *action_read_console(struct ctx *c);

/* Refuses a change that a person typed (ERR_UNAVAILABLE) while the disk of the database has
 * less than 16 MiB of space. A write that fails in the middle answers without what was typed;
 * this refusal comes before it, and the page shows the form as it was sent. */
MAY_REFUSE struct err *action_room(struct ctx *c);

/* Ends the transaction: commits when `err` is NULL, else undoes everything. Returns
 * `err`. */
MAY_REFUSE struct err *action_end(struct ctx *c, struct err *err);

/* Calls `look` in one transaction that only reads, so that everything it finds is of one
 * moment. Returns its refusal. */
MAY_REFUSE struct err *action_read(struct ctx *c, struct err *(*look)(void *arg), void *arg);

#endif
