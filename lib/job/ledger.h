#ifndef JOB_LEDGER_H
#define JOB_LEDGER_H
/*
 * The ledger (docs/design.md §5): the movements of an account's credits. A movement is
 * added and never changed. Triggers of the store (db/guards.sql) change the account's
 * columns with it and refuse a movement that does not fit; nothing else changes credits.
 *
 *	kind	available	reserved	spent
 *	grant	+n
 *	revoke	-n
 *	reserve	-R		+R
 *	settle	+(R - C)	-R		+C
 *	refund	+R		-R
 *
 * Every function that writes must run in a writing transaction.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

#define LEDGER_GRANT_MAX INT64_C(1000000000)
#define LEDGER_REF_MAX 200 /* code points */

/* Grants credits under the operator's reference. Sets *done to false, and grants
 * nothing, if the account has a grant of the same reference and number already. Refuses
 * a wrong number or reference, a reference that the account has with another number
 * (409), and a balance that would exceed what can be counted. */
MAY_REFUSE struct err *ledger_grant(struct ctx *c, int64_t account_id,
    int64_t credits, const char *ref, bool *done);

/* Takes back credits that were granted by mistake. Refuses to take more than are
 * available (409). *done is set as for grants, by the account's revocations. */
MAY_REFUSE struct err *ledger_revoke(struct ctx *c, int64_t account_id,
    int64_t credits, const char *ref, bool *done);

/* Reserves credits for a queued job. The account must have them available: job-order.c
 * checks that in the same transaction. */
void ledger_reserve(
    struct ctx *c, int64_t account_id, int64_t job_id, int64_t credits);

/* Close the reservation of a job. ledger_settle() spends `charge` of the reserved
 * credits and gives the rest back; ledger_refund() gives all back. */
void ledger_settle(struct ctx *c, int64_t account_id, int64_t job_id,
    int64_t reserved, int64_t charge);
void ledger_refund(
    struct ctx *c, int64_t account_id, int64_t job_id, int64_t reserved);

struct ledger_row {
	int64_t number; /* from 1 */
	const char *kind;
	const char *job_uuid; /* or NULL */
	const char *ref; /* or NULL */
	int64_t available, reserved, spent; /* the changes */
	int64_t available_after, reserved_after, spent_after;
	int64_t at;
};

/* Calls `each` for the account's movements, in their order. They are those of the time
 * from `from` (included) to `to` (not included). */
void ledger_list(struct ctx *c, int64_t account_id, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg);

/*
 * Verifies the invariants of accounts, ledger and jobs (docs/platform.md §8), each by
 * one query over all rows. Calls `broken` with the sentence of each broken invariant
 * and the number of rows that break it. Returns how many invariants are broken.
 */
int ledger_verify(struct ctx *c,
    void (*broken)(void *arg, const char *sentence, int64_t rows), void *arg);

#endif
