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
};

/* Moves credits once for each reference (ledger.h). *done is false if the account has
 * this move already; nothing is moved then. *out is the account afterwards. Changes the
 * account that is named, and no answer to a GET (DB_CHANGES_NOTHING). */
MAY_REFUSE struct err *credits_move(struct ctx *c,
    const struct credits_order *order, struct account **out, bool *done);

/* Calls `each` for the moves of the account that `name` names, from `from` on and before
 * `to`, in their order. */
MAY_REFUSE struct err *
credits_list(struct ctx *c, const char *name, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg);

#endif
