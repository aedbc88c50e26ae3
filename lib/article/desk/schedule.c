#include "article/desk/schedule.h"

#include "article/desk/desk.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "store/db.h"

#define LOOKED_AT 64 /* dates that have come, of which one is chosen */
#define COLUMNS                                                                                    \
	"d.publish_at, d.publish_save, d.publish_by, d.publish_unfinished,"                        \
	" d.publish_suspended"

static void
from_row(struct stmt *q, int first, struct schedule *out)
{
	out->at = db_int(q, first);
	out->save_id = db_int(q, first + 1);
	out->person = db_text(q, first + 2);
	out->unfinished = db_int(q, first + 3) != 0;
	out->suspended = db_text(q, first + 4);
}

bool
schedule_find(struct ctx *c, const struct article *a, struct schedule *out)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM desk d"
			  " WHERE d.article_id = :article AND d.publish_at IS NOT NULL");
	bool found;

	db_bind_int(q, ":article", a->id);
	found = db_row(q);
	if (found)
		from_row(q, 0, out);
	db_reset(q);
	return found;
}

void
schedule_set(struct ctx *c, const struct article *a, const struct schedule *s)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO desk (article_id, workspace_id,"
			  " publish_at, publish_save, publish_by, publish_unfinished)"
			  " VALUES (:article, :workspace, :at, :save, :person, :unfinished)"
			  " ON CONFLICT (article_id) DO UPDATE SET"
			  " publish_at = excluded.publish_at,"
			  " publish_save = excluded.publish_save,"
			  " publish_by = excluded.publish_by,"
			  " publish_unfinished = excluded.publish_unfinished,"
			  " publish_suspended = NULL");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	db_bind_int(q, ":at", s->at);
	db_bind_int(q, ":save", s->save_id);
	db_bind_text(q, ":person", s->person);
	db_bind_int(q, ":unfinished", s->unfinished);
	db_run(q);
}

void
schedule_suspend(struct ctx *c, const struct article *a, const char *why)
{
	struct stmt *q = db_prepare(c, "UPDATE desk SET publish_suspended = :why"
				       " WHERE article_id = :article AND publish_at IS NOT NULL");

	db_bind_text(q, ":why", why);
	db_bind_int(q, ":article", a->id);
	db_run(q);
}

void
schedule_end(struct ctx *c, const struct article *a)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE desk SET publish_at = NULL,"
			  " publish_save = NULL, publish_by = NULL, publish_unfinished = 0,"
			  " publish_suspended = NULL"
			  " WHERE article_id = :article AND publish_at IS NOT NULL");

	db_bind_int(q, ":article", a->id);
	if (db_run_counted(q) > 0)
		desk_tidy(c, a);
}

void
schedule_suspend_all(struct ctx *c, const char *why)
{
	struct stmt *q = db_prepare(c, "UPDATE desk SET publish_suspended = :why"
				       " WHERE publish_at > 0 AND publish_suspended IS NULL");

	db_bind_text(q, ":why", why);
	db_run(q);
}

const char *
schedule_due(struct ctx *c)
{
	struct stmt *q =
	    db_prepare(c, "SELECT a.uuid FROM desk d"
			  " JOIN article a ON a.id = d.article_id"
			  " JOIN workspace w ON w.id = d.workspace_id"
			  " JOIN account k ON k.id = w.account_id"
			  " WHERE d.publish_at IS NOT NULL AND d.publish_at <= :now"
			  " AND d.publish_suspended IS NULL AND k.suspended = 0 LIMIT :limit");
	const char *due[LOOKED_AT];
	unsigned char chance;
	size_t count = 0;

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":limit", LOOKED_AT);
	while (db_row(q))
		due[count++] = db_text(q, 0);
	uuid_random_bytes(&chance, 1);
	return count > 0 ? due[chance % count] : NULL;
}

void
schedule_list_suspended(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const char *uuid, const char *title, const struct schedule *s),
    void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT a.uuid, a.title, " COLUMNS " FROM desk d JOIN article a ON a.id = d.article_id"
	    " WHERE d.workspace_id = :workspace AND d.publish_at IS NOT NULL"
	    " AND d.publish_suspended IS NOT NULL ORDER BY d.article_id");
	struct schedule s;

	db_bind_int(q, ":workspace", workspace_id);
	while (db_row(q)) {
		from_row(q, 2, &s);
		each(arg, db_text(q, 0), db_text(q, 1), &s);
	}
}

void
schedule_list_of(struct ctx *c, const char *person,
    void (*each)(void *arg, int64_t workspace_id, const char *uuid), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT d.workspace_id, a.uuid FROM desk d"
				       " JOIN article a ON a.id = d.article_id"
				       " WHERE d.publish_by = :person AND d.publish_at IS NOT NULL"
				       " AND d.publish_suspended IS NULL ORDER BY d.article_id");

	db_bind_text(q, ":person", person);
	while (db_row(q))
		each(arg, db_int(q, 0), db_text(q, 1));
}
