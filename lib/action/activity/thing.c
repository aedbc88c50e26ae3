#include "action/activity/thing.h"

#include <string.h>

#include "base/ctx.h"
#include "store/db.h"

void
thing_find(struct ctx *c, const char *id, struct thing *out)
{
	/* The numbers are those of enum thing_kind. A UUID names one thing at most. */
	struct stmt *q = db_prepare(c,
	    "SELECT 1, t.uuid, t.title, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM article t JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE t.uuid = :id"
	    " UNION ALL SELECT 2, t.uuid, CASE WHEN t.label = '' THEN t.display"
	    " ELSE t.label END, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM api_key t JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE t.uuid = :id"
	    " UNION ALL SELECT 3, t.uuid, t.topic, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM job t JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE t.uuid = :id"
	    " UNION ALL SELECT 4, w.uuid, w.name, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM workspace w JOIN account c ON c.id = w.account_id WHERE w.uuid = :id"
	    " UNION ALL SELECT 5, c.uuid, c.name, c.uuid, NULL, NULL, NULL"
	    " FROM account c WHERE c.uuid = :id"
	    " UNION ALL SELECT 6, t.uuid, t.title, c.uuid, w.uuid, w.name, w.deleted_at"
	    " FROM share s JOIN article t ON t.id = s.article_id"
	    " JOIN workspace w ON w.id = t.workspace_id"
	    " JOIN account c ON c.id = w.account_id WHERE s.uuid = :id");

	memset(out, 0, sizeof(*out));
	db_bind_text(q, ":id", id);
	if (db_row(q)) {
		bool deleted = !db_is_null(q, 6);

		out->kind = (enum thing_kind)db_int(q, 0);
		out->id = db_text(q, 1);
		out->name = db_text(q, 2);
		out->account = db_text(q, 3);
		out->workspace = deleted ? NULL : db_text(q, 4);
		out->place = db_text(q, 5);
	}
	db_reset(q);
}
