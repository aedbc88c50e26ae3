#ifndef ACCESS_ACCOUNT_H
#define ACCESS_ACCOUNT_H
/* Customers (table account). Credits are moved by lib/job/ledger.h alone. */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct account {
	int64_t id;
	const char *uuid;
	const char *name;
	bool verified;  /* may order jobs (docs/contract.md §5.7) */
	bool suspended; /* answered like an unverified one */
	int64_t granted, available, reserved, spent; /* credits */
	int64_t created_at;
};

/* By uuid, or by a name that only one account has; NULL when there is none
 * (or more than one of the name: then *many is true). */
struct account *account_find(struct ctx *c, const char *name_or_uuid,
    bool *many);

/* By the id inside. Dies when there is none: foreign keys forbid it. */
struct account *account_of(struct ctx *c, int64_t id);

/* Calls `each` for every account, oldest first. */
void account_list(struct ctx *c,
    void (*each)(void *arg, const struct account *account), void *arg);

/* Makes one; the name has 1 to 200 characters of one line, else refused. */
MAY_REFUSE struct err *account_insert(struct ctx *c, const char *name,
    bool verified, struct account **out);

/* Sets the flags of `account` as they stand in it. */
void account_update(struct ctx *c, const struct account *account);

#endif
