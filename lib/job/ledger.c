#include "job/ledger.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "store/db.h"
#include "store/remote-store.h"
#include "system/fault.h"

#define LEDGER_REF_MAX 200 /* code points */

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
	struct stmt *q = db_prepare(c,
	    "SELECT number FROM ledger WHERE account_id = :account ORDER BY number DESC LIMIT 1",
	    db_i(":account", account_id));

	return q;
}

void
ledger_prefetch(struct ctx *c, int64_t account_id)
{
	account_prefetch(c, account_id);
	prefetch(look_for_last(c, account_id));
}

static int64_t
next_number(struct ctx *c, int64_t account_id)
{
	struct stmt *q = look_for_last(c, account_id);
	int64_t last = db_row(q) ? db_int(q, 0) : 0;

	db_reset(q);
	return last + 1;
}

static void
add(struct ctx *c, int64_t account_id, const struct movement *m)
{
	const struct account *a = account_of(c, account_id);
	int64_t number = next_number(c, account_id);
	db_check_account(c, account_id);
	db_run(c,
	    "INSERT INTO ledger (account_id, number, kind, job_id, ref,"
	    " available, reserved, spent, available_after, reserved_after,"
	    " spent_after, at) VALUES (:account, :number, :kind, :job, :ref,"
	    " :available, :reserved, :spent, :available_after,"
	    " :reserved_after, :spent_after, :now)",
	    db_i(":account", account_id), db_i(":number", number), db_t(":kind", m->kind),
	    db_i_or_null(":job", m->job_id), db_t(":ref", m->ref), db_i(":available", m->available),
	    db_i(":reserved", m->reserved), db_i(":spent", m->spent),
	    db_i(":available_after", a->available + m->available),
	    db_i(":reserved_after", a->reserved + m->reserved),
	    db_i(":spent_after", a->spent + m->spent), db_i(":now", c->now));
	(void)FAULT("ledger-added");
}

/* Sets *found if the account has this movement already. Refuses if it has one of the
 * same kind and reference with another number of credits: one of the two must be wrong. */
static struct err *
find_same(struct ctx *c, int64_t account_id, const struct movement *m, bool *found)
{
	struct stmt *q = db_prepare(c,
	    "SELECT available, at FROM ledger"
	    " WHERE job_id IS NULL AND ref = :ref AND account_id = :account AND kind = :kind",
	    db_t(":ref", m->ref), db_i(":account", account_id), db_t(":kind", m->kind));
	char day[CLOCK_TEXT];
	int64_t moved = 0, at = 0;
	struct err *err;

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
	db_run(c,
	    "INSERT INTO ledger_more (account_id, number, person)"
	    " VALUES (:account, :number, :person)",
	    db_i(":account", account_id), db_i(":number", next_number(c, account_id) - 1),
	    db_t(":person", person));
}

/* ---- the ledger as people look at it: whole, by pages, and added up */

#define LEDGER_ROWS                                                                                \
	"SELECT l.number, l.kind, j.uuid, l.ref,"                                                  \
	" l.available, l.reserved, l.spent, l.available_after,"                                    \
	" l.reserved_after, l.spent_after, l.at, j.topic, w.uuid, m.person"                        \
	" FROM ledger l LEFT JOIN job j ON j.id = l.job_id"                                        \
	" LEFT JOIN workspace w ON w.id = j.workspace_id"                                          \
	" AND w.deleted_at IS NULL"                                                                \
	" LEFT JOIN ledger_more m ON m.account_id = l.account_id"                                  \
	" AND m.number = l.number"

static void
from_row(struct stmt *q, struct ledger_row *row)
{
	row->number = db_int(q, 0);
	row->kind = db_text(q, 1);
	row->job_uuid = db_text(q, 2);
	row->ref = db_text(q, 3);
	row->available = db_int(q, 4);
	row->reserved = db_int(q, 5);
	row->spent = db_int(q, 6);
	row->available_after = db_int(q, 7);
	row->reserved_after = db_int(q, 8);
	row->spent_after = db_int(q, 9);
	row->at = db_int(q, 10);
	row->topic = db_text(q, 11);
	row->workspace_uuid = db_text(q, 12);
	row->person = db_text(q, 13);
}

void
ledger_list(struct ctx *c, int64_t account_id, int64_t from, int64_t to,
    void (*each)(void *arg, const struct ledger_row *row), void *arg)
{
	struct stmt *q = db_prepare(c,
	    LEDGER_ROWS " WHERE l.account_id = :account AND l.at >= :from AND l.at < :to"
			" ORDER BY l.number /*many*/",
	    db_i(":account", account_id), db_i(":from", from), db_i(":to", to));
	struct ledger_row row;

	while (db_row(q)) {
		from_row(q, &row);
		each(arg, &row);
	}
}

size_t
ledger_page(struct ctx *c, int64_t account_id, int64_t from, int64_t to, int64_t before,
    struct ledger_row *out, size_t max)
{
	struct stmt *q = db_prepare(c,
	    LEDGER_ROWS " WHERE l.account_id = :account AND l.number < :before"
			" AND l.at >= :from AND l.at < :to ORDER BY l.number DESC LIMIT :max",
	    db_i(":account", account_id), db_i(":before", before), db_i(":from", from),
	    db_i(":to", to), db_i(":max", (int64_t)max));
	size_t count = 0;

	while (db_row(q))
		from_row(q, &out[count++]);
	return count;
}

/* Adds a movement of this kind. */
static void
ledger_look_add(struct ledger_sum *sum, const char *kind, int64_t available, int64_t spent)
{
	if (strcmp(kind, "grant") == 0)
		sum->granted += available;
	else if (strcmp(kind, "revoke") == 0)
		sum->revoked -= available;
	sum->spent += spent;
}

void
ledger_add_up(struct ctx *c, int64_t account_id, int64_t from, int64_t to, struct ledger_sum *out,
    void (*each)(void *arg, int64_t at, int64_t available_after), void *arg)
{
	struct stmt *q;

	memset(out, 0, sizeof(*out));
	q = db_prepare(c,
	    "SELECT kind, available, reserved, spent, available_after, at FROM ledger"
	    " WHERE account_id = :account AND at >= :from AND at < :to ORDER BY number /*many*/",
	    db_i(":account", account_id), db_i(":from", from), db_i(":to", to));
	while (db_row(q)) {
		int64_t available = db_int(q, 1), after = db_int(q, 4), at = db_int(q, 5);

		if (out->count++ == 0) {
			out->first_at = at;
			out->opening = after - available;
		}
		out->last_at = at;
		out->closing = after;
		out->reserved += db_int(q, 2);
		ledger_look_add(out, db_text(q, 0), available, db_int(q, 3));
		if (each != NULL)
			each(arg, at, after);
	}
}

/* ---- the invariants of accounts, ledger and jobs */

struct invariant {
	const char *sentence; /* what must never be true */
	const char *sql; /* counts the rows for which it is true */
};

static const struct invariant invariants[] = {
	{ "an account's balance is not the sum of its movements",
	    "SELECT count(*) FROM account a /*scan*/ WHERE"
	    " a.granted <> a.available + a.reserved + a.spent"
	    " OR a.available <> (SELECT coalesce(sum(l.available), 0)"
	    "  FROM ledger l WHERE l.account_id = a.id)"
	    " OR a.reserved <> (SELECT coalesce(sum(l.reserved), 0)"
	    "  FROM ledger l WHERE l.account_id = a.id)"
	    " OR a.spent <> (SELECT coalesce(sum(l.spent), 0)"
	    "  FROM ledger l WHERE l.account_id = a.id)" },
	{ "a movement does not continue the balance before it",
	    "SELECT count(*) FROM ledger l /*scan*/ LEFT JOIN ledger b"
	    " ON b.account_id = l.account_id AND b.number = l.number - 1"
	    " WHERE (l.number <> 1 AND b.number IS NULL)"
	    " OR coalesce(b.available_after, 0) + l.available"
	    "  <> l.available_after"
	    " OR coalesce(b.reserved_after, 0) + l.reserved"
	    "  <> l.reserved_after"
	    " OR coalesce(b.spent_after, 0) + l.spent <> l.spent_after" },
	{ "a movement belongs to another account than its job",
	    "SELECT count(*) FROM ledger l /*scan*/ LEFT JOIN job j"
	    " ON j.id = l.job_id WHERE l.job_id IS NOT NULL"
	    " AND (j.id IS NULL OR j.account_id <> l.account_id)" },
	{ "a job does not have exactly one reservation of its price",
	    "SELECT count(*) FROM job j /*scan*/ WHERE 1 <> (SELECT count(*)"
	    " FROM ledger l WHERE l.job_id = j.id AND l.kind = 'reserve')"
	    " OR 1 <> (SELECT count(*) FROM ledger l WHERE l.job_id = j.id"
	    "  AND l.kind = 'reserve' AND l.reserved = j.reserved_credits)" },
	{ "a job that ended was not settled or refunded exactly once",
	    "SELECT count(*) FROM job j /*scan*/ WHERE j.settled_at IS NOT NULL"
	    " AND (1 <> (SELECT count(*) FROM ledger l WHERE l.job_id = j.id"
	    "   AND l.kind <> 'reserve')"
	    "  OR 1 <> (SELECT count(*) FROM ledger l WHERE l.job_id = j.id"
	    "   AND l.spent = j.cost AND l.reserved = -j.reserved_credits"
	    "   AND l.kind = CASE j.status WHEN 'completed' THEN 'settle'"
	    "    ELSE 'refund' END))" },
	{ "a job that has not ended was settled or refunded",
	    "SELECT count(*) FROM job j /*scan*/ WHERE j.settled_at IS NULL"
	    " AND EXISTS (SELECT 1 FROM ledger l WHERE l.job_id = j.id"
	    "  AND l.kind <> 'reserve')" },
	{ "an account's reserved credits are not those of its open jobs",
	    "SELECT count(*) FROM account a /*scan*/ WHERE a.reserved <>"
	    " (SELECT coalesce(sum(j.reserved_credits), 0) FROM job j"
	    "  WHERE j.account_id = a.id AND j.settled_at IS NULL)" },
	{ "a job belongs to another account or key than its workspace",
	    "SELECT count(*) FROM job j /*scan*/"
	    " LEFT JOIN workspace w ON w.id = j.workspace_id"
	    " LEFT JOIN api_key k ON k.id = j.api_key_id"
	    " WHERE w.id IS NULL OR w.account_id <> j.account_id"
	    " OR (j.api_key_id IS NOT NULL"
	    "  AND (k.id IS NULL OR k.workspace_id <> j.workspace_id))" },
	{ "a job has neither a key nor an orderer, or both",
	    "SELECT count(*) FROM job j /*scan*/"
	    " WHERE (j.api_key_id IS NULL) = (j.ordered_by IS NULL)" },
	{ "a job was ordered with a brief of another workspace",
	    "SELECT count(*) FROM job j /*scan*/ LEFT JOIN job r"
	    " ON r.id = j.research_id WHERE j.research_id IS NOT NULL"
	    " AND (r.brief IS NULL OR r.workspace_id <> j.workspace_id)" },
	{ "the article of a completed job is in another workspace",
	    "SELECT count(*) FROM job j /*scan*/ JOIN article a"
	    " ON a.uuid = j.article_uuid"
	    " WHERE a.workspace_id <> j.workspace_id"
	    " OR j.status <> 'completed'" },
};

int
ledger_verify(
    struct ctx *c, void (*broken)(void *arg, const char *sentence, int64_t rows), void *arg)
{
	int count = 0;

	for (size_t i = 0; i < sizeof(invariants) / sizeof(invariants[0]); i++) {
		struct stmt *q = db_prepare(c, invariants[i].sql);
		int64_t rows = db_row(q) ? db_int(q, 0) : 0;
		db_reset(q);
		if (rows == 0)
			continue;
		broken(arg, invariants[i].sentence, rows);
		count++;
	}
	return count;
}
