#include "people/uploading.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

#define COLUMNS                                                                                    \
	"id, uuid, person, account, workspace, kind, size, got, mark,"                             \
	" created_at, changed_at"

static struct uploading *
one(struct ctx *c, struct stmt *q)
{
	struct uploading *u = NULL;

	if (db_row(q)) {
		u = arena_alloc(c->arena, sizeof(*u));
		*u = (struct uploading) { .id = db_int(q, 0),
			.uuid = db_text(q, 1),
			.person = db_text(q, 2),
			.account = db_text(q, 3),
			.workspace = db_text(q, 4),
			.kind = db_text(q, 5),
			.size = db_int(q, 6),
			.got = db_int(q, 7),
			.mark = db_text(q, 8),
			.created_at = db_int(q, 9),
			.changed_at = db_int(q, 10) };
	}
	db_reset(q);
	return u;
}

void
uploading_insert(struct ctx *c, struct uploading *u)
{
	u->created_at = u->changed_at = c->now;
	u->id = db_insert(c,
	    "INSERT INTO upload (uuid, person, account, workspace,"
	    " kind, size, got, mark, created_at, changed_at) VALUES (:uuid, :person, :account,"
	    " :workspace, :kind, :size, :got, :mark, :now, :now) RETURNING id",
	    db_t(":uuid", u->uuid), db_t(":person", u->person), db_t(":account", u->account),
	    db_t(":workspace", u->workspace), db_t(":kind", u->kind), db_i(":size", u->size),
	    db_i(":got", u->got), db_t(":mark", u->mark), db_i(":now", c->now));
}

struct uploading *
uploading_find(struct ctx *c, const char *uuid)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM upload WHERE uuid = :uuid", db_t(":uuid", uuid));

	return one(c, q);
}

struct uploading *
uploading_find_same(struct ctx *c, const struct uploading *like)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM upload"
	    " WHERE account = :account AND person = :person AND workspace = :workspace"
	    " AND kind = :kind AND size = :size AND mark = :mark AND got < size"
	    " ORDER BY id DESC LIMIT 1",
	    db_t(":account", like->account), db_t(":person", like->person),
	    db_t(":workspace", like->workspace), db_t(":kind", like->kind),
	    db_i(":size", like->size), db_t(":mark", like->mark));

	return one(c, q);
}

void
uploading_list(struct ctx *c, const struct uploading *like, int64_t limit,
    void (*each)(void *arg, const struct uploading *u), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT uuid, size, got, created_at, changed_at"
	    " FROM upload WHERE account = :account AND person = :person"
	    " AND workspace = :workspace AND kind = :kind ORDER BY id DESC LIMIT :limit",
	    db_t(":account", like->account), db_t(":person", like->person),
	    db_t(":workspace", like->workspace), db_t(":kind", like->kind), db_i(":limit", limit));

	while (db_row(q))
		each(arg, &(struct uploading) { .uuid = db_text(q, 0),
			      .size = db_int(q, 1),
			      .got = db_int(q, 2),
			      .created_at = db_int(q, 3),
			      .changed_at = db_int(q, 4) });
}

int64_t
uploading_count(struct ctx *c, const char *account, int64_t *bytes)
{
	struct stmt *q = db_prepare(c,
	    "SELECT sum(CASE WHEN got < size THEN 1 ELSE 0 END),"
	    " sum(size) FROM upload WHERE account = :account",
	    db_t(":account", account));
	int64_t count = 0;

	*bytes = 0;
	if (db_row(q)) {
		count = db_int(q, 0);
		*bytes = db_int(q, 1);
	}
	db_reset(q);
	return count;
}

bool
uploading_advance(struct ctx *c, const struct uploading *u, int64_t got)
{
	return db_run_counted(c,
		   "UPDATE upload SET got = :now_got, changed_at = :now WHERE id = :id AND got = :got",
		   db_i(":now_got", got), db_i(":now", c->now), db_i(":id", u->id),
		   db_i(":got", u->got)) == 1;
}

void
uploading_touch(struct ctx *c, const char *uuid)
{
	db_run(c, "UPDATE upload SET changed_at = :now WHERE uuid = :uuid", db_i(":now", c->now),
	    db_t(":uuid", uuid));
}

void
uploading_delete(struct ctx *c, int64_t id)
{
	db_run(c, "DELETE FROM upload WHERE id = :id", db_i(":id", id));
}

struct uploading *
uploading_oldest(struct ctx *c, int64_t since)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM upload WHERE changed_at < :since ORDER BY changed_at LIMIT 1",
	    db_i(":since", since));

	return one(c, q);
}
