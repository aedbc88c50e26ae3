#ifndef JOB_LEDGER_H
#define JOB_LEDGER_H
/*
 * Credits (docs/design.md §5): movements of an account, added and never changed. The
 * store's triggers move the account's columns along and refuse a movement
 * that does not fit (db/guards.sql); nothing else moves credits.
 *
 *	kind	available	reserved	spent
 *	grant	+n
 *	revoke	-n
 *	reserve	-R		+R
 *	settle	+(R - C)	-R		+C
 *	refund	+R		-R
 *
 * All that writes runs in a writing transaction.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

#define LEDGER_GRANT_MAX INT64_C(1000000000)
#define LEDGER_REF_MAX 200 /* code points */

/* Grants credits under the operator's reference. *done is false, and nothing is
 * granted, when the account has this grant: of the same reference and number.
 * Refuses a wrong number or reference, a reference that the account has with
 * another number (409), and a balance beyond what can be counted. */
MAY_REFUSE struct err *ledger_grant(struct ctx *c, int64_t account_id,
    int64_t credits, const char *ref, bool *done);

/* Takes back what was granted by mistake, never more than is available (409).
 * *done as for grants, among revocations. */
MAY_REFUSE struct err *ledger_revoke(struct ctx *c, int64_t account_id,
    int64_t credits, const char *ref, bool *done);

/* Reserves for a queued job; the account has them available (job-order.c asked
 * in this transaction). */
void ledger_reserve(
    struct ctx *c, int64_t account_id, int64_t job_id, int64_t credits);

/* Closes a job's reservation of `reserved` credits: `charge` of them are spent,
 * or all come back. */
void ledger_settle(struct ctx *c, int64_t account_id, int64_t job_id,
    int64_t reserved, int64_t charge);
void ledger_refund(
    struct ctx *c, int64_t account_id, int64_t job_id, int64_t reserved);

struct ledger_row {
	int64_t number; /* from 1 */
	const char *kind;
	const char *job_uuid; /* or NULL */
	const char *ref; /* or NULL */
	int64_t available, reserved, spent; /* changes */
	int64_t available_after, reserved_after, spent_after;
	int64_t at;
};

/* Calls `each` for the account's movements from `from` on and before `to`, in
 * their order. */
void ledger_list(struct ctx *c, int64_t account_id, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg);

/*
 * The invariants of accounts, ledger and jobs (docs/platform.md §8), each as
 * one question: calls `broken` with its sentence and how many rows break it.
 * Returns how many invariants are broken. `galley verify`; scans everything.
 */
int ledger_verify(struct ctx *c,
    void (*broken)(void *arg, const char *sentence, int64_t rows), void *arg);

#endif
