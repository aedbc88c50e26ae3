#include "access/time-zone.h"

#include <string.h>

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

const char *
time_zone_of_account(struct ctx *c, int64_t account_id, const char *only)
{
	struct stmt *q = db_prepare(c,
	    "SELECT w.uuid, coalesce(m.time_zone, 'UTC')"
	    " FROM workspace w /*scan*/ LEFT JOIN workspace_more m ON m.workspace_id = w.id"
	    " WHERE w.account_id = :account AND w.deleted_at IS NULL");
	const char *name = NULL;
	bool differ = false;

	db_bind_int(q, ":account", account_id);
	while (db_row(q)) {
		if (only != NULL && strcmp(db_text(q, 0), only) != 0)
			continue;
		differ = differ || (name != NULL && strcmp(db_text(q, 1), name) != 0);
		name = db_text(q, 1);
	}
	return name != NULL && !differ ? name : "UTC";
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
