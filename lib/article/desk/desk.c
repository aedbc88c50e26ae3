#include "article/desk/desk.h"

#include "store/db.h"

void
desk_delete(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "DELETE FROM desk WHERE article_id = :article");

	db_bind_int(q, ":article", a->id);
	db_run(q);
	q = db_prepare(c, "DELETE FROM comment WHERE article_id = :article");
	db_bind_int(q, ":article", a->id);
	db_run(q);
	q = db_prepare(c, "DELETE FROM share WHERE article_id = :article");
	db_bind_int(q, ":article", a->id);
	db_run(q);
}

void
desk_tidy(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "DELETE FROM desk WHERE article_id = :article"
	    " AND handed_in_at = 0 AND publish_at IS NULL");

	db_bind_int(q, ":article", a->id);
	db_run(q);
}
