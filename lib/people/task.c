#include "people/task.h"

#include "base/ctx.h"
#include "store/db.h"

void
task_end_all(struct ctx *c, const char *person)
{
	struct stmt *q = db_prepare(c, "UPDATE task SET state = 'ended',"
	    " ended_at = :ended_at WHERE state IN ('waiting', 'running')"
	    " AND person = :person");

	db_bind_int(q, ":ended_at", c->now);
	db_bind_text(q, ":person", person);
	db_run(q);
}
