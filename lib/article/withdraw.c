#include "article/withdraw.h"

#include "base/ctx.h"
#include "store/db.h"

void
withdraw_count(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE workspace_more"
			  " SET withdrawn = withdrawn + 1 WHERE workspace_id = :workspace");

	db_bind_int(q, ":workspace", workspace_id);
	db_run(q);
}
