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
	db_run(c, "DELETE FROM share WHERE workspace_id = :workspace AND expires_at < :expires_at",
	    db_i(":workspace", workspace_id), db_i(":expires_at", c->now - SHARE_KEPT_DAYS * DAY));
}

void
share_insert(struct ctx *c, const struct article *a, const char *person, int days,
    char text[SHARE_TEXT], struct share *out)
{
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
	out->id = db_insert(c,
	    "INSERT INTO share (uuid, workspace_id,"
	    " article_id, digest, person, created_at, expires_at)"
	    " VALUES (:uuid, :workspace, :article, :digest, :person, :created_at,"
	    " :expires_at) RETURNING id",
	    db_t(":uuid", uuid), db_i(":workspace", a->workspace_id), db_i(":article", a->id),
	    db_b(":digest", digest, sizeof(digest)), db_t(":person", person),
	    db_i(":created_at", out->created_at), db_i(":expires_at", out->expires_at));
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
	struct stmt *q;
	unsigned char digest[DIGEST_SIZE];

	share_digest(text, digest);
	q = db_prepare(
	    c, SHARE_SELECT " WHERE s.digest = :digest", db_b(":digest", digest, sizeof(digest)));
	return share_one(q, out);
}

bool
share_find_uuid(struct ctx *c, const char *uuid, struct share *out)
{
	struct stmt *q = db_prepare(c, SHARE_SELECT " WHERE s.uuid = :uuid", db_t(":uuid", uuid));

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
	struct stmt *q = db_prepare(c,
	    SHARE_SELECT " WHERE s.workspace_id = :workspace"
			 " AND s.revoked_at IS NULL ORDER BY s.id DESC",
	    db_i(":workspace", workspace_id));

	share_each(c, q, each, arg);
}

void
share_list_article(struct ctx *c, int64_t article_id, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c,
	    SHARE_SELECT " WHERE s.article_id = :article"
			 " AND s.revoked_at IS NULL ORDER BY s.id DESC",
	    db_i(":article", article_id));

	share_each(c, q, each, arg);
}

void
share_list_person(struct ctx *c, const char *person, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c,
	    SHARE_SELECT " WHERE s.person = :person AND s.revoked_at IS NULL ORDER BY s.id DESC",
	    db_t(":person", person));

	share_each(c, q, each, arg);
}

void
share_list_all(struct ctx *c, share_seen *each, void *arg)
{
	struct stmt *q = db_prepare(c,
	    SHARE_SELECT " WHERE s.revoked_at IS NULL"
			 " AND s.expires_at > :now ORDER BY s.expires_at",
	    db_i(":now", c->now));

	share_each(c, q, each, arg);
}

int64_t
share_end(struct ctx *c, int64_t id)
{
	return db_run_counted(c,
	    "UPDATE share SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL",
	    db_i(":now", c->now), db_i(":id", id));
}

int64_t
share_end_article(struct ctx *c, int64_t article_id)
{
	return db_run_counted(c,
	    "UPDATE share SET revoked_at = :now WHERE article_id = :article AND revoked_at IS NULL"
	    " AND expires_at > :now",
	    db_i(":now", c->now), db_i(":article", article_id));
}

int64_t
share_end_workspace(struct ctx *c, int64_t workspace_id)
{
	return db_run_counted(c,
	    "UPDATE share SET revoked_at = :now"
	    " WHERE workspace_id = :workspace AND revoked_at IS NULL AND expires_at > :now",
	    db_i(":now", c->now), db_i(":workspace", workspace_id));
}

/* Removes all shares of an article that is destroyed. In the writing transaction. */
static void
share_delete(struct ctx *c, int64_t article_id)
{
	db_run(c, "DELETE FROM share WHERE article_id = :article", db_i(":article", article_id));
}

/* ---- the row of an article */

void
desk_find(struct ctx *c, const struct article *a, struct desk *out)
{
	struct stmt *q;

	*out = (struct desk) { 0 };
	if (a->status == ARTICLE_DELETED)
		return;
	q = db_prepare(c,
	    "SELECT handed_in_at, handed_in_version, publish_at"
	    " FROM desk WHERE article_id = :article",
	    db_i(":article", a->id));
	if (db_row(q)) {
		if (db_int(q, 1) == a->version)
			out->handed_in_at = db_int(q, 0);
		out->publish_at = db_int(q, 2);
	}
	db_reset(q);
}

void
desk_end(struct ctx *c, const struct article *a)
{
	db_run(c, "DELETE FROM desk WHERE article_id = :article", db_i(":article", a->id));
}

void
desk_delete(struct ctx *c, const struct article *a)
{
	db_run(c, "DELETE FROM comment WHERE article_id = :article", db_i(":article", a->id));
	share_delete(c, a->id);
}

/* Deletes the article's row of desk if nothing of it is set. Who unsets a part calls it, in
 * the same transaction. */
static void
desk_tidy(struct ctx *c, const struct article *a)
{
	db_run(c,
	    "DELETE FROM desk WHERE article_id = :article"
	    " AND handed_in_at = 0 AND publish_at IS NULL",
	    db_i(":article", a->id));
}

void
desk_end_shares(struct ctx *c)
{
	db_run(c, "UPDATE share /*scan*/ SET revoked_at = :now WHERE revoked_at IS NULL",
	    db_i(":now", c->now));
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
	db_run(c,
	    "DELETE FROM comment WHERE article_id = :article"
	    " AND id <= (SELECT id FROM comment WHERE article_id = :article"
	    " ORDER BY id DESC LIMIT 1 OFFSET :kept)",
	    db_i(":article", a->id), db_i(":kept", COMMENT_KEPT));
}

void
comment_insert(struct ctx *c, const struct article *a, enum comment_kind kind, const char *person,
    const char *text)
{
	db_run(c,
	    "INSERT INTO comment (article_id, created_at, person, kind, text)"
	    " VALUES (:article, :now, :person, :kind, :text)",
	    db_i(":article", a->id), db_i(":now", c->now), db_t(":person", person),
	    db_t(":kind", kinds[kind]), db_t(":text", text));
	text_room_took(c, strlen(text) + TEXT_ROOM_ROW);
	comment_trim(c, a);
}

void
comment_list(struct ctx *c, const struct article *a, int64_t limit,
    void (*each)(void *arg, const struct comment *comment), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT created_at, person, kind, text"
	    " FROM comment WHERE article_id = :article ORDER BY id DESC LIMIT :limit",
	    db_i(":article", a->id), db_i(":limit", limit));

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
	q = db_prepare(c,
	    "SELECT handed_in_at, handed_in_by FROM desk"
	    " WHERE article_id = :article AND handed_in_at > 0 AND handed_in_version = :version",
	    db_i(":article", a->id), db_i(":version", a->version));
	found = db_row(q);
	if (found)
		*out = (struct handed) { .at = db_int(q, 0), .by = db_text(q, 1) };
	db_reset(q);
	return found;
}

void
handed_set(struct ctx *c, const struct article *a, const char *person)
{
	db_run(c,
	    "INSERT INTO desk (article_id, workspace_id,"
	    " handed_in_at, handed_in_by, handed_in_version)"
	    " VALUES (:article, :workspace, :now, :person, :version)"
	    " ON CONFLICT (article_id) DO UPDATE SET handed_in_at = excluded.handed_in_at,"
	    " handed_in_by = excluded.handed_in_by, handed_in_version = excluded.handed_in_version",
	    db_i(":article", a->id), db_i(":workspace", a->workspace_id), db_i(":now", c->now),
	    db_t(":person", person), db_i(":version", a->version));
}

void
handed_end(struct ctx *c, const struct article *a)
{
	db_run(c,
	    "UPDATE desk SET handed_in_at = 0, handed_in_by = NULL, handed_in_version = NULL"
	    " WHERE article_id = :article AND handed_in_at > 0",
	    db_i(":article", a->id));
	desk_tidy(c, a);
}

void
handed_list(struct ctx *c, int64_t workspace_id, int64_t limit,
    void (*each)(void *arg, const struct article *a, const struct handed *h), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE ", d.handed_in_at, d.handed_in_by FROM desk d"
	    " JOIN article a ON a.id = d.article_id AND a.workspace_id = d.workspace_id"
	    " WHERE d.workspace_id = :workspace AND d.handed_in_at > 0"
	    " AND d.handed_in_version = a.version AND a.status <> 'deleted'"
	    " ORDER BY d.handed_in_at, d.article_id LIMIT :limit",
	    db_i(":workspace", workspace_id), db_i(":limit", limit));
	struct article a;

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
	struct stmt *q = db_prepare(c,
	    "SELECT " SCHEDULE_COLUMNS " FROM desk d"
	    " WHERE d.article_id = :article AND d.publish_at IS NOT NULL",
	    db_i(":article", a->id));
	bool found = db_row(q);

	if (found)
		schedule_from_row(q, 0, out);
	db_reset(q);
	return found;
}

void
schedule_set(struct ctx *c, const struct article *a, const struct schedule *s)
{
	db_run(c,
	    "INSERT INTO desk (article_id, workspace_id,"
	    " publish_at, publish_save, publish_by, publish_unfinished)"
	    " VALUES (:article, :workspace, :at, :save, :person, :unfinished)"
	    " ON CONFLICT (article_id) DO UPDATE SET publish_at = excluded.publish_at,"
	    " publish_save = excluded.publish_save, publish_by = excluded.publish_by,"
	    " publish_unfinished = excluded.publish_unfinished, publish_suspended = NULL",
	    db_i(":article", a->id), db_i(":workspace", a->workspace_id), db_i(":at", s->at),
	    db_i(":save", s->save_id), db_t(":person", s->person),
	    db_i(":unfinished", s->unfinished));
}

void
schedule_suspend(struct ctx *c, const struct article *a, const char *why)
{
	db_run(c,
	    "UPDATE desk SET publish_suspended = :why"
	    " WHERE article_id = :article AND publish_at IS NOT NULL",
	    db_t(":why", why), db_i(":article", a->id));
}

void
schedule_end(struct ctx *c, const struct article *a)
{
	if (db_run_counted(c,
		"UPDATE desk SET publish_at = NULL,"
		" publish_save = NULL, publish_by = NULL, publish_unfinished = 0,"
		" publish_suspended = NULL WHERE article_id = :article AND publish_at IS NOT NULL",
		db_i(":article", a->id)) > 0)
		desk_tidy(c, a);
}

void
schedule_suspend_all(struct ctx *c, const char *why)
{
	db_run(c,
	    "UPDATE desk SET publish_suspended = :why"
	    " WHERE publish_at > 0 AND publish_suspended IS NULL",
	    db_t(":why", why));
}

const char *
schedule_due(struct ctx *c)
{
	struct stmt *q = db_prepare(c,
	    "SELECT a.uuid FROM desk d JOIN article a ON a.id = d.article_id"
	    " JOIN workspace w ON w.id = d.workspace_id JOIN account k ON k.id = w.account_id"
	    " WHERE d.publish_at IS NOT NULL AND d.publish_at <= :now"
	    " AND d.publish_suspended IS NULL AND k.suspended = 0 LIMIT :limit",
	    db_i(":now", c->now), db_i(":limit", LOOKED_AT));
	const char *due[LOOKED_AT];
	unsigned char chance;
	size_t count = 0;

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
	    "SELECT a.uuid, a.title, " SCHEDULE_COLUMNS
	    " FROM desk d JOIN article a ON a.id = d.article_id"
	    " WHERE d.workspace_id = :workspace AND d.publish_at IS NOT NULL"
	    " AND d.publish_suspended IS NOT NULL ORDER BY d.article_id",
	    db_i(":workspace", workspace_id));
	struct schedule s;

	while (db_row(q)) {
		schedule_from_row(q, 2, &s);
		each(arg, db_text(q, 0), db_text(q, 1), &s);
	}
}

void
schedule_list_of(struct ctx *c, const char *person,
    void (*each)(void *arg, int64_t workspace_id, const char *uuid), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT d.workspace_id, a.uuid FROM desk d JOIN article a ON a.id = d.article_id"
	    " WHERE d.publish_by = :person AND d.publish_at IS NOT NULL"
	    " AND d.publish_suspended IS NULL ORDER BY d.article_id",
	    db_t(":person", person));

	while (db_row(q))
		each(arg, db_int(q, 0), db_text(q, 1));
}
