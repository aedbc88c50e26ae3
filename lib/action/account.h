#ifndef ACTION_ACCOUNT_H
#define ACTION_ACCOUNT_H
/* Actions on accounts: create, show, list, ask, verify, decline, suspend, resume. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "base/err.h"

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

/* What goes wrong with an account, or soon will. */
struct account_trouble {
	int64_t account_id;
	int64_t failed_jobs; /* of the last 7 days */
	int64_t ending_keys; /* within 14 days, without a successor */
};

/* Fills the numbers of `count` accounts, whose ids are given, in one transaction. */
void account_look_for_trouble(struct ctx *c, struct account_trouble *list, size_t count);

/* After a request was declined nobody asks again so long. */
#define ACCOUNT_ASK_DAYS 7

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

#endif
