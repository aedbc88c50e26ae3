#include "article/browse.h"

#include "article/row.h"
#include "base/ctx.h"
#include "store/db.h"

#define FROM                                                                   \
	" FROM article a WHERE a.workspace_id = :workspace"                    \
	" AND a.status = :status"
#define CHANGED " AND a.digest <> a.edition_of"
#define OLDER                                                                  \
	" AND (a.created_at, a.uuid) < (:at, :uuid)"                           \
	" ORDER BY a.created_at DESC, a.uuid DESC LIMIT :limit"
#define NEWER                                                                  \
	" AND (a.created_at, a.uuid) > (:at, :uuid)"                           \
	" ORDER BY a.created_at, a.uuid LIMIT :limit"
#define NEWEST " ORDER BY a.created_at DESC, a.uuid DESC LIMIT :limit"

static struct stmt *
prepare_all(struct ctx *c, const struct browse *b)
{
	if (b->uuid == NULL)
		return db_prepare(c, "SELECT " ROW_WHOLE FROM NEWEST);
	if (b->newer)
		return db_prepare(c, "SELECT " ROW_WHOLE FROM NEWER);
	return db_prepare(c, "SELECT " ROW_WHOLE FROM OLDER);
}

static struct stmt *
prepare_changed(struct ctx *c, const struct browse *b)
{
	if (b->uuid == NULL)
		return db_prepare(c, "SELECT " ROW_WHOLE FROM CHANGED NEWEST);
	if (b->newer)
		return db_prepare(c, "SELECT " ROW_WHOLE FROM CHANGED NEWER);
	return db_prepare(c, "SELECT " ROW_WHOLE FROM CHANGED OLDER);
}

void
browse_articles(struct ctx *c, const struct browse *b,
    void (*each)(void *arg, const struct article *a), void *arg)
{
	struct stmt *q = b->changed ? prepare_changed(c, b) : prepare_all(c, b);
	struct article a;

	db_bind_int(q, ":workspace", b->workspace_id);
	db_bind_text(q, ":status", article_status_name(b->status));
	db_bind_int(q, ":limit", b->limit);
	if (b->uuid != NULL) {
		db_bind_int(q, ":at", b->at);
		db_bind_text(q, ":uuid", b->uuid);
	}
	while (db_row(q)) {
		row_whole(q, &a);
		each(arg, &a);
	}
}
