#include "people/restored.h"

#include "base/ctx.h"
#include "store/db.h"

int64_t
restored_count(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "SELECT count(*) FROM person /*scan*/");
	int64_t count = db_row(q) ? db_int(q, 0) : 0;

	db_reset(q);
	return count;
}

void
restored_settle(struct ctx *c)
{
	struct stmt *q;

	db_run(db_prepare(c, "DELETE FROM session /*scan*/"));
	db_run(db_prepare(c, "DELETE FROM device /*scan*/"));
	db_run(db_prepare(c, "DELETE FROM link /*scan*/"));
	db_run(db_prepare(c, "DELETE FROM held /*scan*/"));
	db_run(db_prepare(c, "DELETE FROM form /*scan*/"));
	db_run(db_prepare(c, "DELETE FROM task /*scan*/"));
	q = db_prepare(c, "UPDATE person SET disabled_at = :disabled_at"
	    " WHERE disabled_at IS NULL /*scan*/");
	db_bind_int(q, ":disabled_at", c->now);
	db_run(q);
}
