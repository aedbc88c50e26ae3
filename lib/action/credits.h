#ifndef ACTION_CREDITS_H
#define ACTION_CREDITS_H
/* Actions on the credits of an account: grant, revoke, list what was moved. */
#include <stdbool.h>
#include <stdint.h>

#include "access/account.h"
#include "base/err.h"
#include "job/ledger.h"

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
