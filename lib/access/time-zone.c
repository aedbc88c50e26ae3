#include "access/time-zone.h"

#include "base/ctx.h"
#include "store/db.h"

const char *
time_zone_of(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "SELECT time_zone FROM workspace_more"
	    " WHERE workspace_id = :workspace");
	const char *name;

	db_bind_int(q, ":workspace", workspace_id);
	name = db_row(q) ? db_text(q, 0) : "UTC";
	db_reset(q);
	return name;
}

void
time_zone_set(struct ctx *c, int64_t workspace_id, const char *name)
{
	struct stmt *q = db_prepare(c, "INSERT INTO workspace_more"
	    " (workspace_id, time_zone) VALUES (:workspace, :name)"
	    " ON CONFLICT (workspace_id) DO UPDATE SET"
	    " time_zone = excluded.time_zone");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":name", name);
	db_run(q);
}
