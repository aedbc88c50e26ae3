#include "article/article.h"

#include <string.h>

#include "article/article-name.h"
#include "article/article-pictures.h"
#include "article/article-row.h"
#include "article/desk/text-room.h"
#include "article/media.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"

const char *
article_status_name(enum article_status status)
{
	static const char *const names[] = { "draft", "published", "deleted" };

	return names[status];
}

bool
article_has_changes(const struct article *a)
{
	return a->version > 0 && memcmp(a->digest, a->edition_of, ARTICLE_DIGEST) != 0;
}

static struct article *
one(struct ctx *c, struct stmt *q)
{
	struct article *found = NULL;

	if (db_row(q)) {
		found = arena_alloc(c->arena, sizeof(*found));
		row_whole(q, found);
	}
	db_reset(q);
	return found;
}

struct article *
article_find(struct ctx *c, int64_t workspace_id, const char *uuid)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_WHOLE " FROM article a"
				       " WHERE a.uuid = :uuid"
				       " AND (a.workspace_id = :workspace OR :workspace = 0)");
	char canonical[UUID_TEXT];

	if (!uuid_parse(uuid, canonical))
		return NULL;
	db_bind_text(q, ":uuid", canonical);
	db_bind_int(q, ":workspace", workspace_id);
	return one(c, q);
}

struct article *
article_find_prefix(struct ctx *c, int64_t workspace_id, const char *prefix)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_WHOLE " FROM article a"
				       " WHERE a.uuid >= :first AND a.uuid <= :last"
				       " AND a.workspace_id = :workspace LIMIT 2");
	struct article *found = NULL;

	db_bind_text(q, ":first", arena_printf(c->arena, "%s-0000-0000-0000-000000000000", prefix));
	db_bind_text(q, ":last", arena_printf(c->arena, "%s-ffff-ffff-ffff-ffffffffffff", prefix));
	db_bind_int(q, ":workspace", workspace_id);
	if (db_row(q)) {
		found = arena_alloc(c->arena, sizeof(*found));
		row_whole(q, found);
		if (db_row(q))
			found = NULL;
	}
	db_reset(q);
	return found;
}

/* Returns the article with this internal id, or NULL for 0. */
static struct article *
by_id(struct ctx *c, int64_t workspace_id, int64_t id)
{
	struct stmt *q;

	if (id == 0)
		return NULL;
	q = db_prepare(c, "SELECT " ROW_WHOLE " FROM article a"
			  " WHERE a.id = :id AND a.workspace_id = :workspace");
	db_bind_int(q, ":id", id);
	db_bind_int(q, ":workspace", workspace_id);
	return one(c, q);
}

struct article *
article_find_by_source(struct ctx *c, int64_t workspace_id, const char *source)
{
	return by_id(c, workspace_id, name_find(c, workspace_id, "source", source));
}

void
article_list(struct ctx *c, int64_t workspace_id, enum article_status status, int64_t limit,
    void (*each)(void *arg, const struct article *article), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " ROW_WHOLE " FROM article a"
			  " WHERE a.workspace_id = :workspace AND a.status = :status"
			  " ORDER BY a.created_at DESC, a.uuid DESC LIMIT :limit /*many*/");
	struct article a;

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":status", article_status_name(status));
	db_bind_int(q, ":limit", limit);
	while (db_row(q)) {
		row_whole(q, &a);
		each(arg, &a);
	}
}

bool
article_any(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM article"
				       " WHERE workspace_id = :workspace LIMIT 1");
	bool found;

	db_bind_int(q, ":workspace", workspace_id);
	found = db_row(q);
	db_reset(q);
	return found;
}

int64_t
article_count(struct ctx *c, int64_t workspace_id, enum article_status status)
{
	struct stmt *q = db_prepare(c, "SELECT count(*) FROM article"
				       " WHERE workspace_id = :workspace AND status = :status");
	int64_t count;

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":status", article_status_name(status));
	count = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return count;
}

static struct snapshot *
one_snapshot(struct ctx *c, struct stmt *q,
    void (*read)(struct ctx *c, struct stmt *q, struct snapshot *out))
{
	struct snapshot *s = NULL;

	if (db_row(q)) {
		s = arena_alloc(c->arena, sizeof(*s));
		read(c, q, s);
	}
	db_reset(q);
	return s;
}

struct snapshot *
article_working_copy(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_SNAPSHOT " FROM article"
				       " WHERE id = :id AND workspace_id = :workspace");
	struct snapshot *s;

	db_bind_int(q, ":id", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	s = one_snapshot(c, q, row_snapshot);
	if (s == NULL)
		die("article %s is not there", a->uuid);
	return s;
}

int64_t
article_unfinished(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "SELECT content FROM article"
				       " WHERE id = :id AND workspace_id = :workspace");
	int64_t count = 0;
	const void *json;
	size_t len;

	db_bind_int(q, ":id", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	if (db_row(q)) {
		json = db_bytes(q, 0, &len);
		count = content_stored_todos(json, len);
	}
	db_reset(q);
	return count;
}

struct snapshot *
article_edition(struct ctx *c, const struct article *a, int64_t version)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_EDITION " FROM edition"
				       " WHERE article_id = :article AND version = :version");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":version", version);
	return one_snapshot(c, q, row_edition);
}

/* Keeps what was written, so that article_publish() need not read it, and which pictures
 * it shows. */
static void
note_written(struct ctx *c, struct article *a, const struct snapshot *snapshot,
    const struct row_texts *texts)
{
	struct row_written *written = arena_alloc(c->arena, sizeof(*written));
	const struct picture_use_text text = { .workspace_id = a->workspace_id,
		.article_id = a->id,
		.snapshot = snapshot,
		.json = texts->content,
		.json_len = texts->content_len };

	written->snapshot = snapshot;
	written->texts = *texts;
	a->written = written;
	picture_use_note(c, &text);
}

static struct article *
insert_row(struct ctx *c, const struct workspace *w, const struct snapshot *snapshot,
    const struct row_texts *texts, const struct article_new *how)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO article (uuid, workspace_id, status, created_at,"
			  " published_url, digest, updated_at, source, " ROW_SNAPSHOT ")"
			  " VALUES (:uuid, :workspace, 'draft', :created, :published_url,"
			  " :digest, :now, :source, " ROW_SNAPSHOT_VALUES ") RETURNING id");
	char uuid[UUID_TEXT];

	uuid_random(uuid);
	db_bind_text(q, ":uuid", how->uuid != NULL ? how->uuid : uuid);
	db_bind_int(q, ":workspace", w->id);
	db_bind_int(q, ":created", how->created_at != 0 ? how->created_at : c->now);
	db_bind_text(q, ":published_url", how->published_url);
	db_bind_blob(q, ":digest", texts->digest, ARTICLE_DIGEST);
	db_bind_int(q, ":now", c->now);
	db_bind_text(q, ":source", how->source);
	row_bind(q, snapshot, texts);
	return by_id(c, w->id, db_insert(q));
}

struct err *
article_insert(struct ctx *c, struct workspace *w, struct snapshot *snapshot,
    const struct article_new *how, struct article **out)
{
	struct row_texts texts;
	struct err *err;

	snapshot->unfinished = 0;
	cover_fit(c, snapshot);
	err = snapshot_check(c, snapshot);
	if (err == NULL)
		err = text_room_check(c);
	if (err == NULL)
		err = name_choose_slug(
		    c, w->id, 0, snapshot->slug, how->slug_is_derived, &snapshot->slug);
	if (err == NULL)
		err = row_texts(c, snapshot, &texts);
	if (err != NULL)
		return err;
	*out = insert_row(c, w, snapshot, &texts, how);
	text_room_took(c, row_size(snapshot, &texts) + TEXT_ROOM_ARTICLE);
	name_hold_slug(c, w->id, (*out)->id, snapshot->slug);
	if (how->source != NULL)
		name_hold_source(c, w->id, (*out)->id, how->source);
	note_written(c, *out, snapshot, &texts);
	return how->published_next ? NULL : stored_write(c, w, *out, snapshot);
}

static void
save_row(struct ctx *c, const struct article *a, const struct snapshot *snapshot,
    const struct row_texts *texts)
{
	struct stmt *q = db_prepare(c, "UPDATE article SET (digest, updated_at, " ROW_SNAPSHOT ") ="
				       " (:digest, :now, " ROW_SNAPSHOT_VALUES ")"
				       " WHERE id = :id AND workspace_id = :workspace");

	db_bind_blob(q, ":digest", texts->digest, ARTICLE_DIGEST);
	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":id", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	row_bind(q, snapshot, texts);
	db_run(q);
}

/* Changes the slug of the working copy. The slug of the shown edition stays held. */
static struct err *
move_slug(struct ctx *c, const struct article *a, const char *slug)
{
	const char *shown, *chosen;
	struct err *err;

	if (strcmp(slug, a->slug) == 0)
		return NULL;
	err = name_choose_slug(c, a->workspace_id, a->id, slug, false, &chosen);
	if (err != NULL)
		return err;
	shown = edition_shown_slug(c, a);
	if (shown == NULL || strcmp(shown, a->slug) != 0)
		name_drop_slug(c, a->workspace_id, a->id, a->slug);
	name_hold_slug(c, a->workspace_id, a->id, slug);
	return NULL;
}

/* Returns whether the working copy is what is shown. */
static bool
is_shown(const struct article *a)
{
	if (a->status == ARTICLE_PUBLISHED)
		return memcmp(a->digest, a->edition_digest, ARTICLE_DIGEST) == 0;
	return a->status == ARTICLE_DRAFT;
}

struct err *
article_save(struct ctx *c, struct workspace *w, struct article *a, struct snapshot *snapshot,
    bool published_next, bool *changed)
{
	struct row_texts texts;
	struct err *err;
	bool differs;

	snapshot->unfinished = 0;
	cover_fit(c, snapshot);
	err = snapshot_check(c, snapshot);
	if (err == NULL)
		err = row_texts(c, snapshot, &texts);
	if (err != NULL)
		return err;
	differs = memcmp(texts.digest, a->digest, ARTICLE_DIGEST) != 0;
	if (changed != NULL)
		*changed = differs;
	if (!differs)
		return NULL;
	err = text_room_check(c);
	if (err == NULL)
		err = move_slug(c, a, snapshot->slug);
	if (err != NULL)
		return err;
	save_row(c, a, snapshot, &texts);
	*a = *by_id(c, w->id, a->id);
	note_written(c, a, snapshot, &texts);
	if (published_next)
		return NULL;
	return is_shown(a) ? stored_write(c, w, a, snapshot) : stored_measure(c, w, a, snapshot);
}
