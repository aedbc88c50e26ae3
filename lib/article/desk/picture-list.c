#include "article/desk/picture-list.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

#define COLUMNS                                                                                    \
	"p.digest, p.alternative, p.added_at, p.person, m.type, m.width,"                          \
	" m.height, m.bytes"
#define JOINED "SELECT " COLUMNS " FROM picture p JOIN media m ON m.digest = p.digest"

static const char *
extension_of(const char *type)
{
	return strcmp(type, "image/jpeg") == 0 ? "jpg" : type + strlen("image/");
}

static void
from_row(struct ctx *c, struct stmt *q, struct picture_row *out)
{
	memcpy(out->digest, db_text(q, 0), MEDIA_DIGEST);
	out->alternative = db_text(q, 1);
	out->added_at = db_int(q, 2);
	out->person = db_text(q, 3);
	out->name = arena_printf(c->arena, "%s.%s", out->digest, extension_of(db_text(q, 4)));
	out->width = db_int(q, 5);
	out->height = db_int(q, 6);
	out->bytes = db_int(q, 7);
}

bool
picture_list_find(struct ctx *c, int64_t workspace_id, const char *digest, struct picture_row *out)
{
	struct stmt *q =
	    db_prepare(c, JOINED " WHERE p.workspace_id = :workspace AND p.digest = :digest"
				 " AND p.added_at > 0");
	bool found;

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":digest", digest);
	found = db_row(q);
	if (found)
		from_row(c, q, out);
	db_reset(q);
	return found;
}

static size_t
all(struct ctx *c, struct stmt *q, struct picture_row *out)
{
	size_t count = 0;

	while (db_row(q))
		from_row(c, q, &out[count++]);
	return count;
}

size_t
picture_list_page(struct ctx *c, int64_t workspace_id, const struct picture_row *before,
    struct picture_row *out, size_t max)
{
	struct stmt *q =
	    db_prepare(c, JOINED " WHERE p.workspace_id = :workspace"
				 " AND p.added_at > 0 AND (p.added_at, p.digest) < (:at, :digest)"
				 " ORDER BY p.added_at DESC, p.digest DESC LIMIT :limit");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":at", before != NULL ? before->added_at : INT64_MAX);
	db_bind_text(q, ":digest", before != NULL ? before->digest : "");
	db_bind_int(q, ":limit", (int64_t)max);
	return all(c, q, out);
}

size_t
picture_list_back(struct ctx *c, int64_t workspace_id, const struct picture_row *after,
    struct picture_row *out, size_t max)
{
	struct stmt *q =
	    db_prepare(c, JOINED " WHERE p.workspace_id = :workspace"
				 " AND p.added_at > 0 AND (p.added_at, p.digest) > (:at, :digest)"
				 " ORDER BY p.added_at, p.digest LIMIT :limit");
	size_t count;

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":at", after->added_at);
	db_bind_text(q, ":digest", after->digest);
	db_bind_int(q, ":limit", (int64_t)max);
	count = all(c, q, out);
	for (size_t i = 0; i < count / 2; i++) {
		struct picture_row kept = out[i];
		out[i] = out[count - 1 - i];
		out[count - 1 - i] = kept;
	}
	return count;
}

void
picture_list_add(struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative,
    const char *person)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO picture AS p"
			  " (workspace_id, digest, alternative, added_at, person)"
			  " VALUES (:workspace, :digest, :alternative, :now, :person)"
			  " ON CONFLICT (workspace_id, digest) DO UPDATE SET added_at = :now,"
			  " person = :person, alternative = CASE WHEN :alternative = ''"
			  " THEN p.alternative ELSE :alternative END");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":digest", digest);
	db_bind_text(q, ":alternative", alternative);
	db_bind_int(q, ":now", c->now);
	db_bind_text(q, ":person", person);
	db_run(q);
}

static bool
is_stored(struct ctx *c, const char *digest)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM media WHERE digest = :digest");
	bool found;

	db_bind_text(q, ":digest", digest);
	found = db_row(q);
	db_reset(q);
	return found;
}

void
picture_list_found(struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative)
{
	struct stmt *q;

	if (!is_stored(c, digest))
		return;
	q = db_prepare(c, "INSERT INTO picture AS p"
			  " (workspace_id, digest, alternative, added_at)"
			  " VALUES (:workspace, :digest, :alternative, :now)"
			  " ON CONFLICT (workspace_id, digest) DO UPDATE SET added_at = :now,"
			  " alternative = :alternative WHERE p.added_at = 0");
	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":digest", digest);
	db_bind_text(q, ":alternative", alternative);
	db_bind_int(q, ":now", c->now);
	db_run(q);
}

bool
picture_list_describe(
    struct ctx *c, int64_t workspace_id, const char *digest, const char *alternative)
{
	struct stmt *q = db_prepare(c, "UPDATE picture SET alternative = :alternative"
				       " WHERE workspace_id = :workspace AND digest = :digest"
				       " AND added_at > 0");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":digest", digest);
	db_bind_text(q, ":alternative", alternative);
	return db_run_counted(q) > 0;
}

bool
picture_list_remove(struct ctx *c, int64_t workspace_id, const char *digest)
{
	struct stmt *q = db_prepare(c, "UPDATE picture SET added_at = 0,"
				       " person = NULL, alternative = ''"
				       " WHERE workspace_id = :workspace AND digest = :digest"
				       " AND added_at > 0");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":digest", digest);
	return db_run_counted(q) > 0;
}

void
picture_list_remove_all(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM picture"
				       " WHERE workspace_id = :workspace");

	db_bind_int(q, ":workspace", workspace_id);
	db_run(q);
}

void
picture_list_forget(struct ctx *c)
{
	db_run(db_prepare(c, "DELETE FROM picture WHERE digest NOT IN"
			     " (SELECT digest FROM media) /*scan*/"));
}

int64_t
picture_list_bytes(struct ctx *c, int64_t account_id)
{
	struct stmt *q = db_prepare(c, "SELECT coalesce(sum(m.bytes), 0)"
				       " FROM workspace w JOIN picture p ON p.workspace_id = w.id"
				       " JOIN media m ON m.digest = p.digest"
				       " WHERE w.account_id = :account /*scan*/");
	int64_t sum;

	db_bind_int(q, ":account", account_id);
	sum = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return sum;
}
