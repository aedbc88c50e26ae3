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
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

#define LEDGER_GRANT_MAX INT64_C(1000000000)

/* Grants credits under the operator's reference. Sets *done to false, and grants
 * nothing, if the account has a grant of the same reference and number already. Refuses
 * a wrong number or reference, a reference that the account has with another number
 * (409), and a balance that would exceed what can be counted. */
MAY_REFUSE struct err *
ledger_grant(struct ctx *c, int64_t account_id, int64_t credits, const char *ref, bool *done);

/* Takes back credits that were granted by mistake. Refuses to take more than are
 * available (409). *done is set as for grants, by the account's revocations. */
MAY_REFUSE struct err *
ledger_revoke(struct ctx *c, int64_t account_id, int64_t credits, const char *ref, bool *done);

/* Asks with the next question what the next movement of an account compares
 * (store/remote-store.h). Only if STORE_IS_REMOTE. */
void ledger_prefetch(struct ctx *c, int64_t account_id);

/* Reserves credits for a queued job. The account must have them available: job_order()
 * checks that in the same transaction. */
void ledger_reserve(struct ctx *c, int64_t account_id, int64_t job_id, int64_t credits);

/* Close the reservation of a job. ledger_settle() spends `charge` of the reserved
 * credits and gives the rest back; ledger_refund() gives all back. */
void
ledger_settle(struct ctx *c, int64_t account_id, int64_t job_id, int64_t reserved, int64_t charge);

void ledger_refund(struct ctx *c, int64_t account_id, int64_t job_id, int64_t reserved);

struct ledger_row {
	int64_t number; /* from 1 */
	const char *kind;
	const char *job_uuid; /* or NULL */
	const char *ref; /* or NULL */
	int64_t available, reserved, spent; /* the changes */
	int64_t available_after, reserved_after, spent_after;
	int64_t at;
	const char *topic; /* of the job, or NULL */
	const char *workspace_uuid; /* of the job; NULL: none, or it was deleted */
	const char *person; /* UUID of who granted or revoked it; NULL: the tool, a job */
};

/* Calls `each` for the account's movements, in their order. They are those of the time
 * from `from` (included) to `to` (not included). */
void ledger_list(struct ctx *c, int64_t account_id, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg);

/* Notes who made the account's newest movement, in the transaction that added it: the UUID of
 * a person of the console. */
void ledger_note_person(struct ctx *c, int64_t account_id, const char *person);

/* Reads the newest movements with a number less than `before` of the time from `from`
 * (included) to `to` (not included), newest first: at most `max`. Returns how many. */
size_t ledger_page(struct ctx *c, int64_t account_id, int64_t from, int64_t to, int64_t before,
    struct ledger_row *out, size_t max);

/* What the movements of a time add up to. */
struct ledger_sum {
	int64_t count;
	int64_t first_at, last_at; /* of its movements; 0: there are none */
	int64_t opening, closing; /* what was available before and after them */
	int64_t granted, revoked, spent; /* revoked is not negative */
	int64_t reserved; /* reserved after the last minus before the first movement */
};

/* Adds up the movements of the time; `each` (or NULL) is called for each of them, in their
 * order, with the credits that were available after it. */
void
ledger_add_up(struct ctx *c, int64_t account_id, int64_t from, int64_t to, struct ledger_sum *out,
    void (*each)(void *arg, int64_t at, int64_t available_after), void *arg);

/*
 * Verifies the invariants of accounts, ledger and jobs (docs/platform.md §8), each by
 * one query over all rows. Calls `broken` with the sentence of each broken invariant
 * and the number of rows that break it. Returns how many invariants are broken.
 */
int ledger_verify(
    struct ctx *c, void (*broken)(void *arg, const char *sentence, int64_t rows), void *arg);

#endif
