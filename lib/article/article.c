#include "article/article.h"

#include <string.h>

#include "article/article-name.h"
#include "article/article-pictures.h"
#include "article/article-row.h"
#include "article/desk.h"
#include "article/listed.h"
#include "article/media.h"
#include "article/revision.h"
#include "article/stored.h"
#include "article/text-room.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/uuid.h"
#include "content/lang.h"
#include "export/todo.h"
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
	struct stmt *q;
	char canonical[UUID_TEXT];

	if (!uuid_parse(uuid, canonical))
		return NULL;
	q = db_prepare(c,
	    "SELECT " ROW_WHOLE " FROM article a WHERE a.uuid = :uuid"
	    " AND (a.workspace_id = :workspace OR :workspace = 0)",
	    db_t(":uuid", canonical), db_i(":workspace", workspace_id));
	return one(c, q);
}

struct article *
article_find_prefix(struct ctx *c, int64_t workspace_id, const char *prefix)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE " FROM article a WHERE a.uuid >= :first AND a.uuid <= :last"
	    " AND a.workspace_id = :workspace LIMIT 2",
	    db_t(":first", arena_printf(c->arena, "%s-0000-0000-0000-000000000000", prefix)),
	    db_t(":last", arena_printf(c->arena, "%s-ffff-ffff-ffff-ffffffffffff", prefix)),
	    db_i(":workspace", workspace_id));
	struct article *found = NULL;

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
	q = db_prepare(c,
	    "SELECT " ROW_WHOLE " FROM article a WHERE a.id = :id AND a.workspace_id = :workspace",
	    db_i(":id", id), db_i(":workspace", workspace_id));
	return one(c, q);
}

struct article *
article_find_by_source(struct ctx *c, int64_t workspace_id, const char *source)
{
	return by_id(c, workspace_id, name_find(c, workspace_id, "source", source));
}

struct stmt *
article_list(struct ctx *c, int64_t workspace_id, enum article_status status, int64_t limit)
{
	return db_prepare(c,
	    "SELECT " ROW_WHOLE " FROM article a"
	    " WHERE a.workspace_id = :workspace AND a.status = :status"
	    " ORDER BY a.created_at DESC, a.uuid DESC LIMIT :limit /*many*/",
	    db_i(":workspace", workspace_id), db_t(":status", article_status_name(status)),
	    db_i(":limit", limit));
}

bool
article_next(struct stmt *q, struct article *out)
{
	if (!db_row(q))
		return false;
	row_whole(q, out);
	return true;
}

bool
article_any(struct ctx *c, int64_t workspace_id)
{
	return db_exists(c, "SELECT 1 FROM article WHERE workspace_id = :workspace LIMIT 1",
	    db_i(":workspace", workspace_id));
}

int64_t
article_count(struct ctx *c, int64_t workspace_id, enum article_status status)
{
	return db_one_int(c, 0,
	    "SELECT count(*) FROM article WHERE workspace_id = :workspace AND status = :status",
	    db_i(":workspace", workspace_id), db_t(":status", article_status_name(status)));
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
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_SNAPSHOT " FROM article WHERE id = :id AND workspace_id = :workspace",
	    db_i(":id", a->id), db_i(":workspace", a->workspace_id));
	struct snapshot *s;

	s = one_snapshot(c, q, row_snapshot);
	if (s == NULL)
		die("article %s is not there", a->uuid);
	return s;
}

int64_t
article_unfinished(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c,
	    "SELECT content FROM article WHERE id = :id AND workspace_id = :workspace",
	    db_i(":id", a->id), db_i(":workspace", a->workspace_id));
	int64_t count = 0;
	const void *json;
	size_t len;

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
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_EDITION " FROM edition"
	    " WHERE article_id = :article AND version = :version",
	    db_i(":article", a->id), db_i(":version", version));

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
	char uuid[UUID_TEXT];
	int64_t id;

	uuid_random(uuid);
	id = db_insert(c,
	    "INSERT INTO article (uuid, workspace_id, status, created_at,"
	    " published_url, digest, updated_at, source, " ROW_SNAPSHOT ")"
	    " VALUES (:uuid, :workspace, 'draft', :created, :published_url,"
	    " :digest, :now, :source, " ROW_SNAPSHOT_VALUES ") RETURNING id",
	    db_t(":uuid", how->uuid != NULL ? how->uuid : uuid), db_i(":workspace", w->id),
	    db_i(":created", how->created_at != 0 ? how->created_at : c->now),
	    db_t(":published_url", how->published_url),
	    db_b(":digest", texts->digest, ARTICLE_DIGEST), db_i(":now", c->now),
	    db_t(":source", how->source), ROW_BIND(snapshot, texts));
	return by_id(c, w->id, id);
}

struct err *
article_insert(struct ctx *c, struct workspace *w, struct snapshot *snapshot,
    const struct article_new *how, struct article **out)
{
	struct row_texts texts;

	snapshot->unfinished = 0;
	cover_fit(c, snapshot);
	TRY(snapshot_check(c, snapshot));
	TRY(text_room_check(c));
	TRY(name_choose_slug(c, w->id, 0, snapshot->slug, how->slug_is_derived, &snapshot->slug));
	TRY(row_texts(c, snapshot, &texts));
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
	db_run(c,
	    "UPDATE article SET (digest, updated_at, " ROW_SNAPSHOT ") ="
	    " (:digest, :now, " ROW_SNAPSHOT_VALUES ")"
	    " WHERE id = :id AND workspace_id = :workspace",
	    db_b(":digest", texts->digest, ARTICLE_DIGEST), db_i(":now", c->now),
	    db_i(":id", a->id), db_i(":workspace", a->workspace_id), ROW_BIND(snapshot, texts));
}

/* Changes the slug of the working copy. The slug of the shown edition stays held. */
static struct err *
move_slug(struct ctx *c, const struct article *a, const char *slug)
{
	const char *shown, *chosen;

	if (strcmp(slug, a->slug) == 0)
		return NULL;
	TRY(name_choose_slug(c, a->workspace_id, a->id, slug, false, &chosen));
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
	int64_t length;
	bool differs;

	snapshot->unfinished = 0;
	cover_fit(c, snapshot);
	TRY(snapshot_check(c, snapshot));
	TRY(row_texts(c, snapshot, &texts));
	differs = memcmp(texts.digest, a->digest, ARTICLE_DIGEST) != 0;
	if (changed != NULL)
		*changed = differs;
	if (!differs)
		return NULL;
	TRY(text_room_check(c));
	TRY(move_slug(c, a, snapshot->slug));
	save_row(c, a, snapshot, &texts);
	*a = *by_id(c, w->id, a->id);
	note_written(c, a, snapshot, &texts);
	if (published_next)
		return NULL;
	return is_shown(a) ? stored_write(c, w, a, snapshot)
			   : stored_measure(c, w, a, snapshot, &length);
}

/* ---- what a person may mean with a word */

enum { DIGITS_MIN = 6, DIGITS_MAX = 32 };

/* The articles that were found so far, each once. */
struct found {
	struct article *list;
	size_t count, max;
};

static void
take(struct stmt *q, struct found *f)
{
	struct article a;

	while (db_row(q)) {
		size_t i = 0;
		row_whole(q, &a);
		while (i < f->count && f->list[i].id != a.id)
			i++;
		if (i == f->count && f->count < f->max)
			f->list[f->count++] = a;
	}
}

/* Returns `name` as the beginning of an id, in the form in which ids are written.
 * `name` must have 6 to 32 hexadecimal digits, with or without hyphens; else
 * returns NULL. */
static const char *
id_begin(struct ctx *c, const char *name)
{
	char *out = arena_alloc(c->arena, UUID_TEXT + 1);
	size_t digits = 0, len = 0;

	for (; *name != '\0'; name++) {
		char digit = *name >= 'A' && *name <= 'F' ? (char)(*name - 'A' + 'a') : *name;
		if (digit == '-')
			continue;
		if (digits == DIGITS_MAX ||
		    !((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f')))
			return NULL;
		if (digits == 8 || digits == 12 || digits == 16 || digits == 20)
			out[len++] = '-';
		out[len++] = digit;
		digits++;
	}
	out[len] = '\0';
	return digits >= DIGITS_MIN ? out : NULL;
}

static void
find_by_id(struct ctx *c, int64_t workspace_id, const char *begin, struct found *f)
{
	/* "g" sorts after every digit and the hyphen. */
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE " FROM article a WHERE a.uuid >= :begin AND a.uuid < :end"
	    " AND (a.workspace_id = :workspace OR :workspace = 0) ORDER BY a.uuid LIMIT :max",
	    db_t(":begin", begin), db_t(":end", arena_printf(c->arena, "%sg", begin)),
	    db_i(":workspace", workspace_id), db_i(":max", (int64_t)f->max));

	take(q, f);
}

static void
find_by_slug(struct ctx *c, int64_t workspace_id, const char *slug, struct found *f)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE " FROM workspace w /*scan*/ CROSS JOIN article_name n"
	    " CROSS JOIN article a WHERE n.workspace_id = w.id"
	    " AND n.kind = 'slug' AND n.name = :slug AND a.id = n.article_id"
	    " AND (w.id = :workspace OR :workspace = 0) LIMIT :max",
	    db_t(":slug", slug), db_i(":workspace", workspace_id), db_i(":max", (int64_t)f->max));

	take(q, f);
}

static void
find_by_title(struct ctx *c, int64_t workspace_id, const char *title, struct found *f)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE " FROM article a /*scan*/ WHERE a.title = :title"
	    " AND (a.workspace_id = :workspace OR :workspace = 0) LIMIT :max",
	    db_t(":title", title), db_i(":workspace", workspace_id), db_i(":max", (int64_t)f->max));

	take(q, f);
}

size_t
article_find_named(
    struct ctx *c, int64_t workspace_id, const char *name, struct article *out, size_t max)
{
	struct found f = { .list = out, .max = max };
	const char *begin = id_begin(c, name);

	name = lang_nfc(c->arena, name);
	if (begin != NULL)
		find_by_id(c, workspace_id, begin, &f);
	find_by_slug(c, workspace_id, name, &f);
	find_by_title(c, workspace_id, name, &f);
	return f.count;
}

/* ---- between draft, published and deleted */

/* Counts one article that was published until now (column withdrawn of workspace_more). /sync
 * says nothing of it, so that the change clock does not move; websites that are told of changes
 * (notify/notify-url.h) must hear of it. A workspace without a row, which tells nobody, has no
 * count. */
static void
count_withdrawn(struct ctx *c, int64_t workspace_id)
{
	db_run(c,
	    "UPDATE workspace_more SET withdrawn = withdrawn + 1 WHERE workspace_id = :workspace",
	    db_i(":workspace", workspace_id));
}

/* Writes the status, stamps and published URL that `a` has, and what is listed of it. */
static void
update_state(struct ctx *c, const struct article *a)
{
	bool shown = a->version > 0;

	db_run(c,
	    "UPDATE article SET status = :status, changed_at = :changed,"
	    " created_at = :created, published_url = :url, version = :version,"
	    " edition_id = :edition, edition_digest = :digest,"
	    " edition_of = :of, first_published_at = :first,"
	    " modified_at = :modified, updated_at = :updated"
	    " WHERE id = :id AND workspace_id = :workspace",
	    db_t(":status", article_status_name(a->status)), db_i(":changed", a->changed_at),
	    db_i(":created", a->created_at), db_t(":url", a->published_url),
	    db_i(":version", a->version), db_i(":updated", a->updated_at), db_i(":id", a->id),
	    db_i(":workspace", a->workspace_id),
	    shown ? db_i(":edition", a->edition_id) : db_null(":edition"),
	    db_b(":digest", shown ? a->edition_digest : NULL, ARTICLE_DIGEST),
	    db_b(":of", shown ? a->edition_of : NULL, ARTICLE_DIGEST),
	    shown ? db_i(":first", a->first_published_at) : db_null(":first"),
	    shown ? db_i(":modified", a->modified_at) : db_null(":modified"));
	listed_note(c, a);
}

/* Stores the edition and returns its internal id. */
static int64_t
insert_edition(struct ctx *c, const struct article *a, const struct snapshot *snapshot,
    const struct row_texts *texts)
{
	return db_insert(c,
	    "INSERT INTO edition (article_id, version, published_at, digest, " ROW_EDITION
	    ") VALUES (:article, :version, :now, :digest, " ROW_EDITION_VALUES ") RETURNING id",
	    db_i(":article", a->id), db_i(":version", a->version), db_i(":now", c->now),
	    db_b(":digest", texts->digest, ARTICLE_DIGEST), ROW_BIND_EDITION(snapshot, texts));
}

/* Frees the slug of the edition that was shown until now, unless the working copy
 * has the same slug. */
static void
release_shown_slug(struct ctx *c, const struct article *a)
{
	const char *slug = edition_shown_slug(c, a);

	if (slug != NULL && strcmp(slug, a->slug) != 0)
		name_drop_slug(c, a->workspace_id, a->id, slug);
}

struct snapshot *
article_next_edition(struct ctx *c, const struct article *a)
{
	struct snapshot *s = article_working_copy(c, a);

	s->unfinished = todo_count(&s->content);
	s->content = *todo_removed(c->arena, &s->content);
	return s;
}

/* Makes the edition that publishing a copy creates, and its texts: the copy without its
 * to-dos, and their number. What a save of this transaction wrote is used again. */
static struct err *
make_edition(struct ctx *c, const struct snapshot *copy, const struct row_written *written,
    struct snapshot *out, struct row_texts *texts)
{
	const struct content *content = todo_removed(c->arena, &copy->content);

	*out = *copy;
	out->unfinished = todo_count(&copy->content);
	out->content = *content;
	if (written != NULL && content == &copy->content) {
		*texts = written->texts;
		return NULL;
	}
	return row_texts(c, out, texts);
}

static struct err *
check_trash(struct ctx *c, const struct article *a)
{
	if (a->status != ARTICLE_DELETED)
		return NULL;
	return err_hint(c, refuse(c, ERR_CONFLICT, tr_mark("%s is in the trash."), a->title),
	    HINT_ARTICLE_UNDELETE, a->uuid);
}

/* What a new edition needs. An old one that is shown again takes no room. */
static struct err *
check_new(struct ctx *c, const struct article *a)
{
	struct err *err = check_trash(c, a);

	return err != NULL ? err : text_room_check(c);
}

/* Stores and shows an edition; `of` is the digest of the copy that it was made of. What people
 * agreed about the article has no meaning any more. */
static struct err *
show_edition(struct ctx *c, struct workspace *w, struct article *a, const struct snapshot *snapshot,
    const struct row_texts *texts, const unsigned char of[ARTICLE_DIGEST], int64_t first_at,
    int64_t modified_at)
{
	desk_end(c, a);
	a->status = ARTICLE_PUBLISHED;
	if (a->version == 0)
		a->first_published_at = first_at != 0 ? first_at : c->now;
	a->version++;
	a->modified_at = modified_at != 0 ? modified_at : c->now;
	if (a->modified_at < a->first_published_at)
		a->modified_at = a->first_published_at;
	a->edition_id = insert_edition(c, a, snapshot, texts);
	text_room_took(c, row_size(snapshot, texts) + TEXT_ROOM_ROW);
	picture_use_note(c, &(struct picture_use_text) { .workspace_id = w->id,
				.article_id = a->id,
				.published = true,
				.snapshot = snapshot,
				.json = texts->content,
				.json_len = texts->content_len });
	memcpy(a->edition_digest, texts->digest, ARTICLE_DIGEST);
	memcpy(a->edition_of, of, ARTICLE_DIGEST);
	a->changed_at = change_stamp(c, w);
	update_state(c, a);
	return stored_write(c, w, a, snapshot);
}

struct err *
article_publish(
    struct ctx *c, struct workspace *w, struct article *a, int64_t first_at, int64_t modified_at)
{
	const struct row_written *written = a->written;
	const struct snapshot *copy;
	struct snapshot snapshot;
	struct row_texts texts;

	TRY(check_new(c, a));
	copy = written != NULL ? written->snapshot : article_working_copy(c, a);
	TRY(make_edition(c, copy, written, &snapshot, &texts));
	release_shown_slug(c, a);
	return show_edition(c, w, a, &snapshot, &texts, a->digest, first_at, modified_at);
}

struct err *
article_publish_copy(struct ctx *c, struct workspace *w, struct article *a,
    const struct snapshot *copy, const unsigned char digest[ARTICLE_DIGEST])
{
	struct snapshot snapshot;
	struct row_texts texts;
	const char *slug;

	TRY(check_new(c, a));
	TRY(name_choose_slug(c, w->id, a->id, copy->slug, false, &slug));
	TRY(make_edition(c, copy, NULL, &snapshot, &texts));
	release_shown_slug(c, a);
	/* The working copy may have given this slug up meanwhile. */
	name_hold_slug(c, w->id, a->id, slug);
	return show_edition(c, w, a, &snapshot, &texts, digest, 0, 0);
}

struct err *
article_publish_again(struct ctx *c, struct workspace *w, struct article *a)
{
	struct edition last;
	const char *slug;

	TRY(check_trash(c, a));
	if (a->status != ARTICLE_DRAFT || !edition_find(c, a, a->version, &last))
		return refuse(c, ERR_CONFLICT,
		    tr_mark("%s is published, or never was: there is nothing to publish again."),
		    a->title);
	TRY(name_choose_slug(c, w->id, a->id, last.slug, false, &slug));
	name_hold_slug(c, w->id, a->id, slug);
	schedule_end(c, a);
	a->status = ARTICLE_PUBLISHED;
	a->changed_at = change_stamp(c, w);
	update_state(c, a);
	return stored_write(c, w, a, article_edition(c, a, a->version));
}

struct err *
article_unpublish(struct ctx *c, struct workspace *w, struct article *a)
{
	if (a->status != ARTICLE_PUBLISHED)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is not published."), a->title);
	schedule_end(c, a);
	release_shown_slug(c, a);
	a->status = ARTICLE_DRAFT;
	update_state(c, a);
	count_withdrawn(c, w->id);
	return stored_write(c, w, a, article_working_copy(c, a));
}

struct err *
article_delete(struct ctx *c, struct workspace *w, struct article *a)
{
	if (a->status == ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is in the trash already."), a->title);
	desk_end(c, a);
	release_shown_slug(c, a);
	if (a->status == ARTICLE_PUBLISHED)
		count_withdrawn(c, w->id);
	a->status = ARTICLE_DELETED;
	a->updated_at = c->now;
	update_state(c, a);
	(void)share_end_article(c, a->id);
	return NULL;
}

struct err *
article_undelete(struct ctx *c, struct workspace *w, struct article *a)
{
	if (a->status != ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is not in the trash."), a->title);
	a->status = ARTICLE_DRAFT;
	a->updated_at = c->now;
	update_state(c, a);
	return stored_write(c, w, a, article_working_copy(c, a));
}

static bool
same(const char *x, const char *y)
{
	if (x == NULL || y == NULL)
		return x == y;
	return strcmp(x, y) == 0;
}

/* Renders the stored bytes again after a change that is not in the snapshot. They
 * can grow by the length of one address only, so that the ceiling of a saved
 * article cannot be passed. */
static void
store_again(struct ctx *c, struct workspace *w, struct article *a)
{
	struct snapshot *s;
	struct err *err;

	if (a->status == ARTICLE_DELETED)
		return;
	s = a->status == ARTICLE_PUBLISHED ? article_edition(c, a, a->version)
					   : article_working_copy(c, a);
	err = stored_write(c, w, a, s);
	(void)err;
}

void
article_set_published_url(struct ctx *c, struct workspace *w, struct article *a, const char *url)
{
	if (same(a->published_url, url))
		return;
	a->published_url = url;
	if (a->status == ARTICLE_PUBLISHED)
		a->changed_at = change_stamp(c, w);
	update_state(c, a);
	store_again(c, w, a);
}

void
article_set_created_at(struct ctx *c, struct workspace *w, struct article *a, int64_t created_at)
{
	(void)w;
	a->created_at = created_at;
	update_state(c, a);
}
