#include "people/locked-out.h"

#include <stddef.h>

#include "base/ctx.h"
#include "store/db.h"

void
locked_out_note(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "UPDATE person SET locked_out_at = :now"
				       " WHERE id = :id AND locked_out_at IS NULL");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":id", person_id);
	db_run(q);
}

void
locked_out_end(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "UPDATE person SET locked_out_at = NULL WHERE id = :id");

	db_bind_int(q, ":id", person_id);
	db_run(q);
}

void
locked_out_list(struct ctx *c, int64_t max,
    void (*each)(
	void *arg, const struct person *p, int64_t at, const char *account, const char *membership),
    void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT p.id, p.locked_out_at, m.account, m.uuid"
			  " FROM person p LEFT JOIN membership m ON m.id = (SELECT min(n.id)"
			  " FROM membership n WHERE n.person_id = p.id AND n.account <> ''"
			  " AND n.begun_at IS NOT NULL)"
			  " WHERE p.locked_out_at > 0 /*sort*/ ORDER BY p.created_at, p.id"
			  " LIMIT :max");

	db_bind_int(q, ":max", max);
	while (db_row(q))
		each(arg, person_of(c, db_int(q, 0)), db_int(q, 1), db_text(q, 2), db_text(q, 3));
}
