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
	struct stmt *q = db_prepare(c,
	    "INSERT INTO upload (uuid, person, account, workspace,"
	    " kind, size, got, mark, created_at, changed_at) VALUES (:uuid, :person, :account,"
	    " :workspace, :kind, :size, :got, :mark, :now, :now) RETURNING id");

	db_bind_text(q, ":uuid", u->uuid);
	db_bind_text(q, ":person", u->person);
	db_bind_text(q, ":account", u->account);
	db_bind_text(q, ":workspace", u->workspace);
	db_bind_text(q, ":kind", u->kind);
	db_bind_int(q, ":size", u->size);
	db_bind_int(q, ":got", u->got);
	db_bind_text(q, ":mark", u->mark);
	db_bind_int(q, ":now", c->now);
	u->created_at = u->changed_at = c->now;
	u->id = db_insert(q);
}

struct uploading *
uploading_find(struct ctx *c, const char *uuid)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM upload"
				       " WHERE uuid = :uuid");

	db_bind_text(q, ":uuid", uuid);
	return one(c, q);
}

struct uploading *
uploading_find_same(struct ctx *c, const struct uploading *like)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM upload"
	    " WHERE account = :account AND person = :person AND workspace = :workspace"
	    " AND kind = :kind AND size = :size AND mark = :mark AND got < size"
	    " ORDER BY id DESC LIMIT 1");

	db_bind_text(q, ":account", like->account);
	db_bind_text(q, ":person", like->person);
	db_bind_text(q, ":workspace", like->workspace);
	db_bind_text(q, ":kind", like->kind);
	db_bind_int(q, ":size", like->size);
	db_bind_text(q, ":mark", like->mark);
	return one(c, q);
}

void
uploading_list(struct ctx *c, const struct uploading *like, int64_t limit,
    void (*each)(void *arg, const struct uploading *u), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT uuid, size, got, created_at, changed_at"
	    " FROM upload WHERE account = :account AND person = :person"
	    " AND workspace = :workspace AND kind = :kind ORDER BY id DESC LIMIT :limit");

	db_bind_text(q, ":account", like->account);
	db_bind_text(q, ":person", like->person);
	db_bind_text(q, ":workspace", like->workspace);
	db_bind_text(q, ":kind", like->kind);
	db_bind_int(q, ":limit", limit);
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
	struct stmt *q = db_prepare(c, "SELECT sum(CASE WHEN got < size THEN 1 ELSE 0 END),"
				       " sum(size) FROM upload WHERE account = :account");
	int64_t count = 0;

	db_bind_text(q, ":account", account);
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
	struct stmt *q = db_prepare(c, "UPDATE upload SET got = :now_got, changed_at = :now"
				       " WHERE id = :id AND got = :got");

	db_bind_int(q, ":now_got", got);
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":id", u->id);
	db_bind_int(q, ":got", u->got);
	return db_run_counted(q) == 1;
}

void
uploading_touch(struct ctx *c, const char *uuid)
{
	struct stmt *q = db_prepare(c, "UPDATE upload SET changed_at = :now WHERE uuid = :uuid");

	db_bind_int(q, ":now", c->now);
	db_bind_text(q, ":uuid", uuid);
	db_run(q);
}

void
uploading_delete(struct ctx *c, int64_t id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM upload WHERE id = :id");

	db_bind_int(q, ":id", id);
	db_run(q);
}

struct uploading *
uploading_oldest(struct ctx *c, int64_t since)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM upload"
				       " WHERE changed_at < :since ORDER BY changed_at LIMIT 1");

	db_bind_int(q, ":since", since);
	return one(c, q);
}
