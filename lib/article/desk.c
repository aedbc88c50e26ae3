#include "article/desk.h"

#include <string.h>

#include "article/article-row.h"
#include "article/text-room.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"

#define COMMENT_KEPT 500
#define SHARE_PREFIX "ab_share_"

#define DAY (24 * 3600 * CLOCK_SECOND)
#define SHARE_RANDOM 16 /* bytes */
#define SHARE_KEPT_DAYS 365
/* A clock that was set back by more must not give a link a longer life. */
#define SHARE_BACK (3600 * CLOCK_SECOND)

#define SHARE_SELECT                                                                               \
	"SELECT s.id, s.uuid, s.workspace_id, s.article_id, a.uuid, a.title,"                      \
	" s.person, s.created_at, s.expires_at, s.revoked_at"                                      \
	" FROM share s JOIN article a ON a.id = s.article_id"

/* ---- links to previews */

static void
share_from_row(struct stmt *q, struct share *out)
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
share_digest(const char *text, unsigned char out[DIGEST_SIZE])
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley share 1");
	digest_text(&d, text);
	digest_end(&d, out);
}

static void
share_draw(char text[SHARE_TEXT])
{
	unsigned char chance[SHARE_RANDOM];

	uuid_random_bytes(chance, sizeof(chance));
	memcpy(text, SHARE_PREFIX, strlen(SHARE_PREFIX));
	digest_hex(text + strlen(SHARE_PREFIX), chance, sizeof(chance));
	explicit_bzero(chance, sizeof(chance));
}

/* Removes shares of the workspace that have been over for a long time. */
static void
share_sweep(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM share"
			  " WHERE workspace_id = :workspace AND expires_at < :expires_at");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":expires_at", c->now - SHARE_KEPT_DAYS * DAY);
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

	share_draw(text);
	share_digest(text, digest);
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
	share_sweep(c, a->workspace_id);
}

static bool
share_one(struct stmt *q, struct share *out)
{
	bool found = db_row(q);

	if (found)
		share_from_row(q, out);
	db_reset(q);
	return found;
}

bool
share_find(struct ctx *c, const char *text, struct share *out)
{
	struct stmt *q = db_prepare(c, SHARE_SELECT " WHERE s.digest = :digest");
	unsigned char digest[DIGEST_SIZE];

	share_digest(text, digest);
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	return share_one(q, out);
}

bool
share_find_uuid(struct ctx *c, const char *uuid, struct share *out)
{
	struct stmt *q = db_prepare(c, SHARE_SELECT " WHERE s.uuid = :uuid");

	db_bind_text(q, ":uuid", uuid);
	return share_one(q, out);
}

bool
share_is_alive(const struct ctx *c, const struct share *s)
{
	return s->revoked_at == 0 && c->now < s->expires_at && c->now > s->created_at - SHARE_BACK;
}

static void
share_each(struct ctx *c, struct stmt *q, share_seen *each, void *arg)
{
	struct share s;

	while (db_row(q)) {
		share_from_row(q, &s);
		/* What a clock that was set back closes may be revoked, too. */
		if (c->now < s.expires_at)
			each(arg, &s);
	}
}

void
share_list(struct ctx *c, int64_t workspace_id, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c, SHARE_SELECT " WHERE s.workspace_id = :workspace"
						    " AND s.revoked_at IS NULL ORDER BY s.id DESC");

	db_bind_int(q, ":workspace", workspace_id);
	share_each(c, q, each, arg);
}

void
share_list_article(struct ctx *c, int64_t article_id, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c, SHARE_SELECT " WHERE s.article_id = :article"
						    " AND s.revoked_at IS NULL ORDER BY s.id DESC");

	db_bind_int(q, ":article", article_id);
	share_each(c, q, each, arg);
}

void
share_list_person(struct ctx *c, const char *person, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c, SHARE_SELECT " WHERE s.person = :person"
						    " AND s.revoked_at IS NULL ORDER BY s.id DESC");

	db_bind_text(q, ":person", person);
	share_each(c, q, each, arg);
}

void
share_list_all(struct ctx *c, share_seen *each, void *arg)
{
	struct stmt *q =
	    db_prepare(c, SHARE_SELECT " WHERE s.revoked_at IS NULL"
				       " AND s.expires_at > :now ORDER BY s.expires_at");

	db_bind_int(q, ":now", c->now);
	share_each(c, q, each, arg);
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

/* Removes all shares of an article that is destroyed. In the writing transaction. */
static void
share_delete(struct ctx *c, int64_t article_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM share WHERE article_id = :article");

	db_bind_int(q, ":article", article_id);
	db_run(q);
}

/* ---- the row of an article */

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

/* Deletes the article's row of desk if nothing of it is set. Who unsets a part calls it, in
 * the same transaction. */
static void
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

/* ---- comments */

static const char *const kinds[] = { [COMMENT_SAID] = "said",
	[COMMENT_HANDED_IN] = "handed-in",
	[COMMENT_HANDED_BACK] = "handed-back",
	[COMMENT_TAKEN_BACK] = "taken-back" };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static enum comment_kind
kind_of(const char *name)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (strcmp(kinds[i], name) == 0)
			return (enum comment_kind)i;
	}
	die("comment: the kind %s is not known", name);
}

/* Drops the oldest ones. */
static void
comment_trim(struct ctx *c, const struct article *a)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM comment WHERE article_id = :article"
			  " AND id <= (SELECT id FROM comment WHERE article_id = :article"
			  " ORDER BY id DESC LIMIT 1 OFFSET :kept)");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":kept", COMMENT_KEPT);
	db_run(q);
}

void
comment_insert(struct ctx *c, const struct article *a, enum comment_kind kind, const char *person,
    const char *text)
{
	struct stmt *q = db_prepare(c, "INSERT INTO comment"
				       " (article_id, created_at, person, kind, text)"
				       " VALUES (:article, :now, :person, :kind, :text)");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":now", c->now);
	db_bind_text(q, ":person", person);
	db_bind_text(q, ":kind", kinds[kind]);
	db_bind_text(q, ":text", text);
	db_run(q);
	text_room_took(c, strlen(text) + TEXT_ROOM_ROW);
	comment_trim(c, a);
}

void
comment_list(struct ctx *c, const struct article *a, int64_t limit,
    void (*each)(void *arg, const struct comment *comment), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT created_at, person, kind, text"
				       " FROM comment WHERE article_id = :article ORDER BY id DESC"
				       " LIMIT :limit");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":limit", limit);
	while (db_row(q)) {
		const struct comment comment = { .at = db_int(q, 0),
			.person = db_text(q, 1),
			.kind = kind_of(db_text(q, 2)),
			.text = db_text(q, 3) };
		each(arg, &comment);
	}
}

/* ---- articles that were handed in */

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

/* ---- dates */

#define LOOKED_AT 64 /* dates that have come, of which one is chosen */
#define SCHEDULE_COLUMNS                                                                           \
	"d.publish_at, d.publish_save, d.publish_by, d.publish_unfinished,"                        \
	" d.publish_suspended"

static void
schedule_from_row(struct stmt *q, int first, struct schedule *out)
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
	    db_prepare(c, "SELECT " SCHEDULE_COLUMNS " FROM desk d"
			  " WHERE d.article_id = :article AND d.publish_at IS NOT NULL");
	bool found;

	db_bind_int(q, ":article", a->id);
	found = db_row(q);
	if (found)
		schedule_from_row(q, 0, out);
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
	struct stmt *q =
	    db_prepare(c, "SELECT a.uuid, a.title, " SCHEDULE_COLUMNS
			  " FROM desk d JOIN article a ON a.id = d.article_id"
			  " WHERE d.workspace_id = :workspace AND d.publish_at IS NOT NULL"
			  " AND d.publish_suspended IS NOT NULL ORDER BY d.article_id");
	struct schedule s;

	db_bind_int(q, ":workspace", workspace_id);
	while (db_row(q)) {
		schedule_from_row(q, 2, &s);
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
