#include "article/desk/handed.h"

#include "article/desk/desk.h"
#include "article/row.h"
#include "base/ctx.h"
#include "store/db.h"

bool
handed_find(struct ctx *c, const struct article *a, struct handed *out)
{
	struct stmt *q;
	bool found;

	*out = (struct handed) { 0 };
	if (a->status == ARTICLE_DELETED)
		return false;
	q = db_prepare(c, "SELECT handed_in_at, handed_in_by FROM desk"
			  " WHERE article_id = :article AND handed_in_at > 0"
			  " AND handed_in_version = :version");
	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":version", a->version);
	found = db_row(q);
	if (found)
		*out = (struct handed) { .at = db_int(q, 0), .by = db_text(q, 1) };
	db_reset(q);
	return found;
}

void
handed_set(struct ctx *c, const struct article *a, const char *person)
{
	struct stmt *q = db_prepare(c, "INSERT INTO desk (article_id, workspace_id,"
				       " handed_in_at, handed_in_by, handed_in_version)"
				       " VALUES (:article, :workspace, :now, :person, :version)"
				       " ON CONFLICT (article_id) DO UPDATE SET"
				       " handed_in_at = excluded.handed_in_at,"
				       " handed_in_by = excluded.handed_in_by,"
				       " handed_in_version = excluded.handed_in_version");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	db_bind_int(q, ":now", c->now);
	db_bind_text(q, ":person", person);
	db_bind_int(q, ":version", a->version);
	db_run(q);
}

void
handed_end(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "UPDATE desk SET handed_in_at = 0,"
				       " handed_in_by = NULL, handed_in_version = NULL"
				       " WHERE article_id = :article AND handed_in_at > 0");

	db_bind_int(q, ":article", a->id);
	db_run(q);
	desk_tidy(c, a);
}

void
handed_list(struct ctx *c, int64_t workspace_id, int64_t limit,
    void (*each)(void *arg, const struct article *a, const struct handed *h), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " ROW_WHOLE ", d.handed_in_at, d.handed_in_by FROM desk d"
			  " JOIN article a ON a.id = d.article_id"
			  " AND a.workspace_id = d.workspace_id"
			  " WHERE d.workspace_id = :workspace AND d.handed_in_at > 0"
			  " AND d.handed_in_version = a.version AND a.status <> 'deleted'"
			  " ORDER BY d.handed_in_at, d.article_id LIMIT :limit");
	struct article a;

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":limit", limit);
	while (db_row(q)) {
		struct handed h;
		row_whole(q, &a);
		h = (struct handed) { .at = db_int(q, ROW_WHOLE_COUNT),
			.by = db_text(q, ROW_WHOLE_COUNT + 1) };
		each(arg, &a, &h);
	}
}
