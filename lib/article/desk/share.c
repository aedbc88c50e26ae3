#include "article/desk/share.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "store/db.h"

#define DAY (24 * 3600 * CLOCK_SECOND)
#define RANDOM 16 /* bytes */
#define KEPT_DAYS 365
/* A clock that was set back by more must not give a link a longer life. */
#define BACK (3600 * CLOCK_SECOND)

#define SELECT                                                                                     \
	"SELECT s.id, s.uuid, s.workspace_id, s.article_id, a.uuid, a.title,"                      \
	" s.person, s.created_at, s.expires_at, s.revoked_at"                                      \
	" FROM share s JOIN article a ON a.id = s.article_id"

static void
from_row(struct stmt *q, struct share *out)
{
	*out = (struct share) { .id = db_int(q, 0),
		.uuid = db_text(q, 1),
		.workspace_id = db_int(q, 2),
		.article_id = db_int(q, 3),
		.article = db_text(q, 4),
		.title = db_text(q, 5),
		.person = db_text(q, 6),
		.created_at = db_int(q, 7),
		.expires_at = db_int(q, 8),
		.revoked_at = db_int(q, 9) };
}

/* The link has enough random bits to need no key. */
static void
digest_of(const char *text, unsigned char out[DIGEST_SIZE])
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley share 1");
	digest_text(&d, text);
	digest_end(&d, out);
}

static void
draw(char text[SHARE_TEXT])
{
	unsigned char chance[RANDOM];

	uuid_random_bytes(chance, sizeof(chance));
	memcpy(text, SHARE_PREFIX, strlen(SHARE_PREFIX));
	digest_hex(text + strlen(SHARE_PREFIX), chance, sizeof(chance));
	explicit_bzero(chance, sizeof(chance));
}

/* Removes shares of the workspace that have been over for a long time. */
static void
sweep(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM share"
			  " WHERE workspace_id = :workspace AND expires_at < :expires_at");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":expires_at", c->now - KEPT_DAYS * DAY);
	db_run(q);
}

void
share_insert(struct ctx *c, const struct article *a, const char *person, int days,
    char text[SHARE_TEXT], struct share *out)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO share (uuid, workspace_id,"
			  " article_id, digest, person, created_at, expires_at)"
			  " VALUES (:uuid, :workspace, :article, :digest, :person, :created_at,"
			  " :expires_at) RETURNING id");
	unsigned char digest[DIGEST_SIZE];
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	draw(text);
	digest_of(text, digest);
	uuid_random(uuid);
	*out = (struct share) { .uuid = uuid,
		.workspace_id = a->workspace_id,
		.article_id = a->id,
		.article = a->uuid,
		.title = a->title,
		.person = person,
		.created_at = c->now,
		.expires_at = c->now + days * DAY };
	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":workspace", a->workspace_id);
	db_bind_int(q, ":article", a->id);
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	db_bind_text(q, ":person", person);
	db_bind_int(q, ":created_at", out->created_at);
	db_bind_int(q, ":expires_at", out->expires_at);
	out->id = db_insert(q);
	sweep(c, a->workspace_id);
}

static bool
one(struct stmt *q, struct share *out)
{
	bool found = db_row(q);

	if (found)
		from_row(q, out);
	db_reset(q);
	return found;
}

bool
share_find(struct ctx *c, const char *text, struct share *out)
{
	struct stmt *q = db_prepare(c, SELECT " WHERE s.digest = :digest");
	unsigned char digest[DIGEST_SIZE];

	digest_of(text, digest);
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	return one(q, out);
}

bool
share_find_uuid(struct ctx *c, const char *uuid, struct share *out)
{
	struct stmt *q = db_prepare(c, SELECT " WHERE s.uuid = :uuid");

	db_bind_text(q, ":uuid", uuid);
	return one(q, out);
}

bool
share_is_alive(const struct ctx *c, const struct share *s)
{
	return s->revoked_at == 0 && c->now < s->expires_at && c->now > s->created_at - BACK;
}

static void
list(struct ctx *c, struct stmt *q, share_seen *each, void *arg)
{
	struct share s;

	while (db_row(q)) {
		from_row(q, &s);
		/* What a clock that was set back closes may be revoked, too. */
		if (c->now < s.expires_at)
			each(arg, &s);
	}
}

void
share_list(struct ctx *c, int64_t workspace_id, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c, SELECT " WHERE s.workspace_id = :workspace"
					      " AND s.revoked_at IS NULL ORDER BY s.id DESC");

	db_bind_int(q, ":workspace", workspace_id);
	list(c, q, each, arg);
}

void
share_list_article(struct ctx *c, int64_t article_id, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c, SELECT " WHERE s.article_id = :article"
					      " AND s.revoked_at IS NULL ORDER BY s.id DESC");

	db_bind_int(q, ":article", article_id);
	list(c, q, each, arg);
}

void
share_list_person(struct ctx *c, const char *person, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c, SELECT " WHERE s.person = :person"
					      " AND s.revoked_at IS NULL ORDER BY s.id DESC");

	db_bind_text(q, ":person", person);
	list(c, q, each, arg);
}

void
share_list_all(struct ctx *c, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c, SELECT " WHERE s.revoked_at IS NULL"
					      " AND s.expires_at > :now ORDER BY s.expires_at");

	db_bind_int(q, ":now", c->now);
	list(c, q, each, arg);
}

int64_t
share_end(struct ctx *c, int64_t id)
{
	struct stmt *q = db_prepare(c, "UPDATE share SET revoked_at = :now"
				       " WHERE id = :id AND revoked_at IS NULL");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":id", id);
	return db_run_counted(q);
}

int64_t
share_end_article(struct ctx *c, int64_t article_id)
{
	struct stmt *q = db_prepare(c, "UPDATE share SET revoked_at = :now"
				       " WHERE article_id = :article AND revoked_at IS NULL"
				       " AND expires_at > :now");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":article", article_id);
	return db_run_counted(q);
}

int64_t
share_end_workspace(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "UPDATE share SET revoked_at = :now"
				       " WHERE workspace_id = :workspace AND revoked_at IS NULL"
				       " AND expires_at > :now");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":workspace", workspace_id);
	return db_run_counted(q);
}

void
share_delete(struct ctx *c, int64_t article_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM share WHERE article_id = :article");

	db_bind_int(q, ":article", article_id);
	db_run(q);
}
