#include "article/desk/desk.h"

#include "article/desk/share.h"
#include "store/db.h"

void
desk_find(struct ctx *c, const struct article *a, struct desk *out)
{
	struct stmt *q;

	*out = (struct desk) { 0 };
	if (a->status == ARTICLE_DELETED)
		return;
	q = db_prepare(c, "SELECT handed_in_at, handed_in_version, publish_at"
			  " FROM desk WHERE article_id = :article");
	db_bind_int(q, ":article", a->id);
	if (db_row(q)) {
		if (db_int(q, 1) == a->version)
			out->handed_in_at = db_int(q, 0);
		out->publish_at = db_int(q, 2);
	}
	db_reset(q);
}

void
desk_delete(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "DELETE FROM desk WHERE article_id = :article");

	db_bind_int(q, ":article", a->id);
	db_run(q);
	q = db_prepare(c, "DELETE FROM comment WHERE article_id = :article");
	db_bind_int(q, ":article", a->id);
	db_run(q);
	share_delete(c, a->id);
}

void
desk_tidy(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "DELETE FROM desk WHERE article_id = :article"
				       " AND handed_in_at = 0 AND publish_at IS NULL");

	db_bind_int(q, ":article", a->id);
	db_run(q);
}

void
desk_end_shares(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "UPDATE share /*scan*/ SET revoked_at = :now"
				       " WHERE revoked_at IS NULL");

	db_bind_int(q, ":now", c->now);
	db_run(q);
}
