#ifndef ACTION_ACCOUNT_ACTIONS_H
#define ACTION_ACCOUNT_ACTIONS_H
/* Actions on accounts: create, show, list, ask, verify, decline, suspend, resume; and on their
 * credits: grant, revoke, list what was moved. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "base/err.h"
#include "job/ledger.h"

/* A new account. */
struct account_order {
	const char *name;
	bool verified; /* it may order generation jobs */
	int64_t credits; /* granted at once under the reference `account create`, or 0 */
	bool another; /* another account may have this name */
};

/* Creates an account. Refuses a name that another account has, unless `another`. Two
 * accounts of one name are seldom intended, and the name finds neither of them. Changes
 * keys (DB_CHANGES_KEYS). */
MAY_REFUSE struct err *
account_create(struct ctx *c, const struct account_order *order, struct account **out);

/* Reads the account that `name` names. */
MAY_REFUSE struct err *account_show(struct ctx *c, const char *name, struct account **out);

/* Calls `each` for every account, oldest first, in one transaction. */
void
account_show_all(struct ctx *c, void (*each)(void *arg, const struct account *account), void *arg);

/* Returns since when an owner may ask again to have the account verified; 0: it was not
 * declined. */
int64_t account_asks_after(const struct account *account);

/* Notes that an owner of the account that `name` names asks to have it verified. *done is
 * false where that changes nothing: it is verified, or somebody asks already. Refuses
 * (ERR_CONFLICT) before account_asks_after(). Operators see it on Home. */
MAY_REFUSE struct err *account_ask_to_verify(struct ctx *c, const char *name, bool *done);

enum account_change { ACCOUNT_VERIFY, ACCOUNT_DECLINE, ACCOUNT_SUSPEND, ACCOUNT_RESUME };

/* Verifies, suspends or resumes the account that `name` names, or declines to verify it.
 * Verifying and declining end its request; where nobody asks there is nothing to decline. A
 * suspended account orders nothing; its open jobs go on, and *open_jobs says how many these
 * are. Changes keys (DB_CHANGES_KEYS). */
MAY_REFUSE struct err *account_change(struct ctx *c, const char *name, enum account_change change,
    struct account **out, int *open_jobs);

/* ---- credits */

enum credits_kind { CREDITS_GRANT, CREDITS_REVOKE };

/* Credits to move. */
struct credits_order {
	enum credits_kind kind;
	const char *account; /* its id or name */
	int64_t credits;
	const char *ref; /* the operator's reference: one move for each */
	const char *person; /* UUID of the person of the console; NULL: the tool's */
};

/* Moves credits once for each reference (ledger.h). *done is false if the account has
 * this move already; nothing is moved then. *out is the account afterwards. A conflict names
 * `ref` or `credits` in err->param, if one of them is why. Changes the
 * account that is named, and no answer to a GET (DB_CHANGES_NOTHING). */
MAY_REFUSE struct err *
credits_move(struct ctx *c, const struct credits_order *order, struct account **out, bool *done);

#define CREDITS_PAGE 50
#define CREDITS_POINTS 31 /* of a plot */

/* What was available at the end of a day. */
struct credits_point {
	int64_t day; /* its first moment, UTC */
	int64_t available;
};

/* The credits of an account in a time, as a screen shows them. */
struct credits_view {
	/* What is asked. */
	const char *account; /* UUID */
	int64_t from, to; /* days: of the time from `from` on and before `to` */
	int64_t before; /* number of a movement: older ones are shown */

	/* What is found. */
	struct account *now;
	struct ledger_sum sum;
	struct ledger_row rows[CREDITS_PAGE + 1];
	size_t count;
	const char *by[CREDITS_PAGE + 1]; /* name of row's person, or NULL */
	bool more; /* older ones */
	struct credits_point points[CREDITS_POINTS];
	size_t point_count; /* 0: nothing was moved in this time */
};

/* Reads it, in one transaction. */
MAY_REFUSE struct err *credits_look(struct ctx *c, struct credits_view *view);

/* Calls `each` for the moves of the account that `name` names, from `from` on and before
 * `to`, in their order. */
MAY_REFUSE struct err *credits_list(struct ctx *c, const char *name, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg);

#endif
