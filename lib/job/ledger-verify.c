/* Verifies the invariants of accounts, ledger and jobs. */
#include <stddef.h>

#include "base/ctx.h"
#include "job/ledger.h"
#include "store/db.h"

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
