#include "job/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "base/utf8.h"
#include "store/ahead.h"
#include "store/db.h"

/* A movement, and what it changes. */
struct movement {
	const char *kind;
	int64_t job_id; /* 0: none; then ref is set */
	const char *ref; /* or NULL */
	int64_t available, reserved, spent;
};

static struct stmt *
look_for_last(struct ctx *c, int64_t account_id)
{
	struct stmt *q = db_prepare(c, "SELECT number FROM ledger"
				       " WHERE account_id = :account ORDER BY number DESC LIMIT 1");

	db_bind_int(q, ":account", account_id);
	return q;
}

#ifdef STORE_PG
void
ledger_ask(struct ctx *c, int64_t account_id)
{
	account_ask(c, account_id);
	ahead_ask(look_for_last(c, account_id));
}
#endif

static int64_t
next_number(struct ctx *c, int64_t account_id)
{
	struct stmt *q = look_for_last(c, account_id);
	int64_t last;

	last = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return last + 1;
}

static void
add(struct ctx *c, int64_t account_id, const struct movement *m)
{
	const struct account *a = account_of(c, account_id);
	int64_t number = next_number(c, account_id);
	struct stmt *q =
	    db_prepare(c, "INSERT INTO ledger (account_id, number, kind, job_id, ref,"
			  " available, reserved, spent, available_after, reserved_after,"
			  " spent_after, at) VALUES (:account, :number, :kind, :job, :ref,"
			  " :available, :reserved, :spent, :available_after,"
			  " :reserved_after, :spent_after, :now)");

	db_check_account(c, account_id);
	db_bind_int(q, ":account", account_id);
	db_bind_int(q, ":number", number);
	db_bind_text(q, ":kind", m->kind);
	if (m->job_id != 0)
		db_bind_int(q, ":job", m->job_id);
	db_bind_text(q, ":ref", m->ref);
	db_bind_int(q, ":available", m->available);
	db_bind_int(q, ":reserved", m->reserved);
	db_bind_int(q, ":spent", m->spent);
	db_bind_int(q, ":available_after", a->available + m->available);
	db_bind_int(q, ":reserved_after", a->reserved + m->reserved);
	db_bind_int(q, ":spent_after", a->spent + m->spent);
	db_bind_int(q, ":now", c->now);
	db_run(q);
	(void)FAULT("ledger-added");
}

/* Sets *found if the account has this movement already. Refuses if it has one of the
 * same kind and reference with another number of credits: one of the two must be wrong. */
static struct err *
find_same(struct ctx *c, int64_t account_id, const struct movement *m, bool *found)
{
	struct stmt *q =
	    db_prepare(c, "SELECT available, at FROM ledger"
			  " WHERE job_id IS NULL AND ref = :ref AND account_id = :account"
			  " AND kind = :kind");
	char day[CLOCK_TEXT];
	int64_t moved = 0, at = 0;
	struct err *err;

	db_bind_text(q, ":ref", m->ref);
	db_bind_int(q, ":account", account_id);
	db_bind_text(q, ":kind", m->kind);
	*found = db_row(q);
	if (*found) {
		moved = db_int(q, 0);
		at = db_int(q, 1);
	}
	db_reset(q);
	if (!*found || moved == m->available)
		return NULL;
	clock_format_date(day, at);
	err = refuse(c, ERR_CONFLICT,
	    tr_mark(
		"Nothing was done: %s was the reference of a %s of %lld credits on %s, and a reference serves once. Name another one for these %lld."),
	    m->ref,
	    m->available < 0 ? tr_for(c, tr_mark("revocation")) : tr_for(c, tr_mark("grant")),
	    llabs((long long)moved), day, llabs((long long)m->available));
	err->param = "ref";
	return err;
}

static struct err *
check(struct ctx *c, int64_t credits, const char *ref)
{
	if (credits < 1 || credits > LEDGER_GRANT_MAX)
		return err_param(c, "credits",
		    tr_mark("The number of credits must be between 1 and %lld."),
		    (long long)LEDGER_GRANT_MAX);
	if (ref[0] == '\0' || !utf8_valid(ref, strlen(ref)) || utf8_length(ref) > LEDGER_REF_MAX ||
	    utf8_forbidden(ref, true) != NULL)
		return err_param(c, "ref",
		    tr_mark(
			"The reference names what this is for (a receipt's number): 1 to %d characters on one line."),
		    LEDGER_REF_MAX);
	return NULL;
}

struct err *
ledger_grant(struct ctx *c, int64_t account_id, int64_t credits, const char *ref, bool *done)
{
	struct movement m = { .kind = "grant", .ref = ref, .available = credits };
	struct err *err = check(c, credits, ref);
	bool found = false;

	*done = false;
	if (err == NULL)
		err = find_same(c, account_id, &m, &found);
	if (err != NULL || found)
		return err;
	if (account_of(c, account_id)->granted > INT64_MAX / 2)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("The account's credits cannot be counted any higher."));
	add(c, account_id, &m);
	*done = true;
	return NULL;
}

struct err *
ledger_revoke(struct ctx *c, int64_t account_id, int64_t credits, const char *ref, bool *done)
{
	struct movement m = { .kind = "revoke", .ref = ref, .available = -credits };
	struct err *err = check(c, credits, ref);
	int64_t available;
	bool found = false;

	*done = false;
	if (err == NULL)
		err = find_same(c, account_id, &m, &found);
	if (err != NULL || found)
		return err;
	available = account_of(c, account_id)->available;
	if (available < credits) {
		err = refuse(c, ERR_CONFLICT,
		    tr_mark(
			"Only %lld credits are available; what is reserved or spent cannot be revoked."),
		    (long long)available);
		err->param = "credits";
		return err;
	}
	add(c, account_id, &m);
	*done = true;
	return NULL;
}

void
ledger_reserve(struct ctx *c, int64_t account_id, int64_t job_id, int64_t credits)
{
	struct movement m = {
		.kind = "reserve", .job_id = job_id, .available = -credits, .reserved = credits
	};

	add(c, account_id, &m);
}

void
ledger_settle(struct ctx *c, int64_t account_id, int64_t job_id, int64_t reserved, int64_t charge)
{
	struct movement m = { .kind = "settle",
		.job_id = job_id,
		.available = reserved - charge,
		.reserved = -reserved,
		.spent = charge };

	add(c, account_id, &m);
}

void
ledger_refund(struct ctx *c, int64_t account_id, int64_t job_id, int64_t reserved)
{
	struct movement m = {
		.kind = "refund", .job_id = job_id, .available = reserved, .reserved = -reserved
	};

	add(c, account_id, &m);
}

void
ledger_note_person(struct ctx *c, int64_t account_id, const char *person)
{
	struct stmt *q = db_prepare(c, "INSERT INTO ledger_more (account_id, number, person)"
				       " VALUES (:account, :number, :person)");

	db_bind_int(q, ":account", account_id);
	db_bind_int(q, ":number", next_number(c, account_id) - 1);
	db_bind_text(q, ":person", person);
	db_run(q);
}
