/* The ledger as people look at it (ledger.h): whole, by pages, and added up. */
#include <string.h>

#include "base/ctx.h"
#include "job/ledger.h"
#include "store/db.h"

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
			" ORDER BY l.number /*many*/");
	struct ledger_row row;

	db_bind_int(q, ":account", account_id);
	db_bind_int(q, ":from", from);
	db_bind_int(q, ":to", to);
	while (db_row(q)) {
		from_row(q, &row);
		each(arg, &row);
	}
}

size_t
ledger_page(struct ctx *c, int64_t account_id, int64_t from, int64_t to, int64_t before,
    struct ledger_row *out, size_t max)
{
	struct stmt *q =
	    db_prepare(c, LEDGER_ROWS " WHERE l.account_id = :account AND l.number < :before"
				      " AND l.at >= :from AND l.at < :to"
				      " ORDER BY l.number DESC LIMIT :max");
	size_t count = 0;

	db_bind_int(q, ":account", account_id);
	db_bind_int(q, ":before", before);
	db_bind_int(q, ":from", from);
	db_bind_int(q, ":to", to);
	db_bind_int(q, ":max", (int64_t)max);
	while (db_row(q))
		from_row(q, &out[count++]);
	return count;
}

/* Adds a movement of this kind. */
static void
add(struct ledger_sum *sum, const char *kind, int64_t available, int64_t spent)
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
	struct stmt *q =
	    db_prepare(c, "SELECT kind, available, reserved, spent, available_after, at FROM ledger"
			  " WHERE account_id = :account AND at >= :from AND at < :to"
			  " ORDER BY number /*many*/");

	memset(out, 0, sizeof(*out));
	db_bind_int(q, ":account", account_id);
	db_bind_int(q, ":from", from);
	db_bind_int(q, ":to", to);
	while (db_row(q)) {
		int64_t available = db_int(q, 1), after = db_int(q, 4), at = db_int(q, 5);

		if (out->count++ == 0) {
			out->first_at = at;
			out->opening = after - available;
		}
		out->last_at = at;
		out->closing = after;
		out->reserved += db_int(q, 2);
		add(out, db_text(q, 0), available, db_int(q, 3));
		if (each != NULL)
			each(arg, at, after);
	}
}
