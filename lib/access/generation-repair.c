#include "access/generation-repair.h"

#include "base/ctx.h"
#include "store/db.h"
#include "store/generation.h"

/* Commits. If a writer died before, db_commit() writes even if the transaction
 * changed nothing. */
static void
commit_under(struct ctx *c, enum db_change change, int64_t workspace_id)
{
	db_begin_write(c, DB_CONTENT, change, workspace_id, 0);
	db_commit(c);
}

static int64_t
next_workspace(struct ctx *c, int64_t after)
{
	struct stmt *q;
	int64_t id;

	db_begin_read(c, DB_CONTENT);
	q = db_prepare(c, "SELECT id FROM workspace WHERE id > :after"
			  " ORDER BY id LIMIT 1");
	db_bind_int(q, ":after", after);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_commit(c);
	return id;
}

int64_t
generation_repair(struct ctx *c)
{
	int64_t id = 0, repaired = 0;

	while ((id = next_workspace(c, id)) != 0) {
		if (!generation_is_broken(c, id))
			continue;
		commit_under(c, DB_CHANGES_WORKSPACE, id);
		repaired++;
	}
	if (generation_is_broken(c, 0)) {
		commit_under(c, DB_CHANGES_KEYS, 0);
		repaired++;
	}
	return repaired;
}
