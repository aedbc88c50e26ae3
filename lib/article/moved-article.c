#include "article/moved-article.h"

#include <stdlib.h>
#include <string.h>

#include "article/article-pictures.h"
#include "article/article-row.h"
#include "article/listed.h"
#include "article/media.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "content/content-read.h"
#include "content/lang.h"
#include "export/todo.h"
#include "store/db.h"

#define VERSION_MAX 1000000

/* ---- out */

static void
write_snapshot(struct ctx *c, struct jwrite *w, const struct snapshot *s)
{
	struct buf content;

	buf_init(&content, c->arena, CONTENT_BYTES_MAX);
	content_to_json(&s->content, NULL, &content);
	jwrite_member_text(w, "title", s->title);
	jwrite_member_text(w, "slug", s->slug);
	jwrite_member_text(w, "language", s->language);
	jwrite_member_text(w, "author_name", s->author_name);
	jwrite_member_text(w, "author_url", s->author_url);
	jwrite_member_bool(w, "noindex", s->noindex);
	jwrite_member_text(w, "meta_title", s->meta_title);
	jwrite_member_text(w, "meta_description", s->meta_description);
	jwrite_member_text(w, "section", s->section);
	jwrite_member_array(w, "tags");
	for (size_t i = 0; i < s->tag_count; i++)
		jwrite_text(w, s->tags[i]);
	jwrite_array_end(w);
	jwrite_member_text(w, "image", s->image);
	jwrite_member_text(w, "image_type", s->image_type);
	jwrite_member_int(w, "image_width", s->image_width);
	jwrite_member_int(w, "image_height", s->image_height);
	jwrite_member_bool(w, "image_generated", s->image_generated);
	jwrite_name(w, "content");
	jwrite_raw(w, buf_done(&content), content.len);
}

void
moved_write_article(struct ctx *c, const struct article *a, struct buf *out)
{
	char digest[2 * ARTICLE_DIGEST + 1];
	struct origin origin = { 0 };
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(&w, "id", a->uuid);
	jwrite_member_text(&w, "status", article_status_name(a->status));
	jwrite_member_int(&w, "created_at", a->created_at);
	jwrite_member_int(&w, "updated_at", a->updated_at);
	jwrite_member_text(&w, "published_url", a->published_url);
	jwrite_member_int(&w, "version", a->version);
	jwrite_member_int(&w, "first_published_at", a->first_published_at);
	jwrite_member_int(&w, "modified_at", a->modified_at);
	if (origin_find(c, a, &origin)) {
		digest_hex(digest, origin.digest, ARTICLE_DIGEST);
		jwrite_member_text(&w, "origin_url", origin.url);
		jwrite_member_text(&w, "origin_digest", digest);
	}
	write_snapshot(c, &w, article_working_copy(c, a));
	jwrite_object_end(&w);
}

bool
moved_write_edition(struct ctx *c, const struct article *a, int64_t version, struct buf *out)
{
	struct edition e;
	struct jwrite w;

	if (!edition_find(c, a, version, &e))
		return false;
	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_int(&w, "version", e.version);
	jwrite_member_int(&w, "published_at", e.published_at);
	jwrite_member_int(&w, "unfinished", e.unfinished);
	write_snapshot(c, &w, article_edition(c, a, version));
	jwrite_object_end(&w);
	return true;
}

/* ---- in */

#define SNAPSHOT_NAMES                                                                             \
	" title slug language author_name author_url noindex meta_title meta_description section"  \
	" tags image image_type image_width image_height image_generated content"

static const char *
read_language(struct jread *r, json_t *o)
{
	const char *text = jread_line(r, o, "language", JREAD_NEEDED, SNAPSHOT_NAME_MAX);
	const char *tag = text != NULL ? lang_clean(r->c->arena, text) : NULL;

	if (text != NULL && tag == NULL)
		jread_refuse(r, "language", "must be a language tag.");
	return tag != NULL ? tag : "en";
}

static struct err *
read_snapshot(struct jread *r, json_t *o, struct snapshot *s)
{
	struct ctx *c = r->c;
	json_t *content = jread_object(r, o, "content", JREAD_NEEDED);

	memset(s, 0, sizeof(*s));
	s->title = content_text_line(r, o, "title", JREAD_NEEDED, SNAPSHOT_TITLE_MAX);
	s->slug = jread_line(r, o, "slug", JREAD_NEEDED, SNAPSHOT_SLUG_MAX);
	s->language = read_language(r, o);
	s->author_name = content_text_line_or_null(r, o, "author_name", SNAPSHOT_NAME_MAX);
	s->author_url = content_text_address(r, o, "author_url", JREAD_ANY, false);
	s->noindex = jread_bool(r, o, "noindex", JREAD_NEEDED, false);
	s->meta_title = content_text_line_or_null(r, o, "meta_title", SNAPSHOT_META_TITLE_MAX);
	s->meta_description =
	    content_text_line_or_null(r, o, "meta_description", SNAPSHOT_META_DESCRIPTION_MAX);
	s->section = content_text_line_or_null(r, o, "section", SNAPSHOT_NAME_MAX);
	s->tags = content_text_array(r, o, "tags", JREAD_NEEDED, SNAPSHOT_TAGS_MAX, &s->tag_count);
	s->image = content_text_address(r, o, "image", JREAD_ANY, true);
	s->image_type = jread_line(r, o, "image_type", JREAD_ANY, SNAPSHOT_NAME_MAX);
	s->image_width = jread_int(r, o, "image_width", JREAD_NEEDED, 0, SNAPSHOT_SIDE_MAX, 0);
	s->image_height = jread_int(r, o, "image_height", JREAD_NEEDED, 0, SNAPSHOT_SIDE_MAX, 0);
	s->image_generated = jread_bool(r, o, "image_generated", JREAD_NEEDED, false);
	TRY(jread_end(r));
	TRY(content_from_json(c, "content", content, s->language, &s->content));
	return snapshot_check(c, s);
}

/* Reads a time; one in the future is now. */
static int64_t
read_time(struct jread *r, json_t *o, const char *name)
{
	int64_t at = jread_int(r, o, name, JREAD_NEEDED, 0, INT64_MAX, 0);

	return at < r->c->now ? at : r->c->now;
}

static enum article_status
read_status(struct jread *r, json_t *o)
{
	const char *name = jread_line(r, o, "status", JREAD_NEEDED, SNAPSHOT_NAME_MAX);
	int status = ARTICLE_DRAFT;

	while (name != NULL && status <= ARTICLE_DELETED &&
	       strcmp(article_status_name((enum article_status)status), name) != 0)
		status++;
	if (status > ARTICLE_DELETED)
		jread_refuse(r, "status", "must be draft, published or deleted.");
	return status > ARTICLE_DELETED ? ARTICLE_DRAFT : (enum article_status)status;
}

static int
digit_of(char hex)
{
	const char *digits = "0123456789abcdef", *at = strchr(digits, hex);

	return hex == '\0' || at == NULL ? -1 : (int)(at - digits);
}

static void
read_origin(struct jread *r, json_t *o, struct moved_article *out)
{
	const char *hex = jread_line(r, o, "origin_digest", JREAD_ANY, (size_t)2 * ARTICLE_DIGEST);

	out->origin.url = content_text_address(r, o, "origin_url", JREAD_ANY, false);
	out->has_origin = hex != NULL && strlen(hex) == (size_t)2 * ARTICLE_DIGEST;
	for (size_t i = 0; out->has_origin && i < ARTICLE_DIGEST; i++) {
		int high = digit_of(hex[2 * i]), low = digit_of(hex[2 * i + 1]);
		out->has_origin = high >= 0 && low >= 0;
		out->origin.digest[i] = (unsigned char)(high << 4 | (low & 15));
	}
	if (hex != NULL && !out->has_origin)
		jread_refuse(
		    r, "origin_digest", "must be %d hexadecimal digits.", 2 * ARTICLE_DIGEST);
}

/* Finds what publishing the working copy would make (article_next_edition()). */
static struct err *
find_next(struct ctx *c, struct moved_article *m)
{
	struct snapshot next = m->working;
	struct row_texts texts;

	memcpy(m->next, m->a.digest, ARTICLE_DIGEST);
	next.unfinished = todo_count(&next.content);
	if (next.unfinished == 0)
		return NULL;
	next.content = *todo_removed(c->arena, &next.content);
	TRY(row_texts(c, &next, &texts));
	memcpy(m->next, texts.digest, ARTICLE_DIGEST);
	return NULL;
}

static struct err *
read_head(struct jread *r, json_t *o, struct moved_article *m)
{
	const char *id = jread_line(r, o, "id", JREAD_NEEDED, UUID_TEXT - 1);
	char *uuid = arena_alloc(r->c->arena, UUID_TEXT);
	struct article *a = &m->a;

	if (id != NULL && !uuid_parse(id, uuid))
		jread_refuse(r, "id", "must be a UUID.");
	a->uuid = uuid;
	a->status = read_status(r, o);
	a->created_at = read_time(r, o, "created_at");
	a->updated_at = read_time(r, o, "updated_at");
	a->published_url = content_text_address(r, o, "published_url", JREAD_ANY, false);
	a->version = jread_int(r, o, "version", JREAD_NEEDED, 0, VERSION_MAX, 0);
	a->first_published_at = read_time(r, o, "first_published_at");
	a->modified_at = read_time(r, o, "modified_at");
	if (a->modified_at < a->first_published_at)
		a->modified_at = a->first_published_at;
	if (a->version == 0 && a->status == ARTICLE_PUBLISHED)
		jread_refuse(r, "version", "must be above 0: the article is published.");
	read_origin(r, o, m);
	jread_only(r, o,
	    "id status created_at updated_at published_url version first_published_at modified_at"
	    " origin_url origin_digest" SNAPSHOT_NAMES);
	return jread_end(r);
}

struct err *
moved_read_article(struct ctx *c, const char *text, size_t len, struct moved_article *out)
{
	struct jread r;
	json_t *o;

	memset(out, 0, sizeof(*out));
	TRY(jread_parse(c, "article", text, len, &o));
	jread_begin(&r, c, "article");
	o = jread_element_object(&r, o);
	TRY(jread_end(&r));
	TRY(read_head(&r, o, out));
	TRY(read_snapshot(&r, o, &out->working));
	TRY(row_texts(c, &out->working, &out->texts));
	memcpy(out->a.digest, out->texts.digest, ARTICLE_DIGEST);
	out->a.title = out->working.title;
	out->a.slug = out->working.slug;
	out->a.language = out->working.language;
	return find_next(c, out);
}

struct err *
moved_set_slug(struct ctx *c, struct moved_article *m, struct snapshot *s, const char *slug)
{
	s->slug = slug;
	TRY(row_texts(c, s, &m->texts));
	memcpy(
	    s == &m->edition ? m->a.edition_digest : m->a.digest, m->texts.digest, ARTICLE_DIGEST);
	if (s == &m->edition)
		return NULL;
	m->a.slug = slug;
	return find_next(c, m);
}

struct err *
moved_read_edition(struct ctx *c, const char *text, size_t len, struct moved_article *m)
{
	struct snapshot *s = &m->edition;
	int64_t unfinished;
	struct jread r;
	json_t *o;

	TRY(jread_parse(c, "edition", text, len, &o));
	jread_begin(&r, c, "edition");
	o = jread_element_object(&r, o);
	TRY(jread_end(&r));
	m->version =
	    jread_int(&r, o, "version", JREAD_NEEDED, m->version + 1, m->a.version, m->a.version);
	m->edition_at = read_time(&r, o, "published_at");
	unfinished = jread_int(&r, o, "unfinished", JREAD_NEEDED, 0, CONTENT_BYTES_MAX, 0);
	jread_only(&r, o, "version published_at unfinished" SNAPSHOT_NAMES);
	TRY(read_snapshot(&r, o, s));
	s->unfinished = unfinished;
	/* No edition holds what is left to write. */
	s->content = *todo_removed(c->arena, &s->content);
	TRY(row_texts(c, s, &m->texts));
	memcpy(m->a.edition_digest, m->texts.digest, ARTICLE_DIGEST);
	return NULL;
}

/* ---- rows */

static int
by_id(const void *a, const void *b)
{
	return strcmp(a, b);
}

const char *
moved_find_ordered(struct ctx *c, char (*ids)[UUID_TEXT], size_t count)
{
	struct stmt *q;
	const char *id, *found = NULL;

	if (count == 0)
		return NULL;
	qsort(ids, count, sizeof(*ids), by_id);
	q = db_prepare(
	    c, "SELECT article_uuid FROM job /*scan*/ /*many*/ WHERE article_uuid IS NOT NULL");
	while (found == NULL && db_row(q)) {
		id = db_text(q, 0);
		if (bsearch(id, ids, count, sizeof(*ids), by_id) != NULL)
			found = id;
	}
	db_reset(q);
	return found;
}

/* Gives a cover that is stored here the type and size of its row. The texts of others fit. */
static struct err *
fit_cover(struct ctx *c, struct snapshot *s, struct row_texts *texts)
{
	const struct snapshot was = *s;

	cover_fit(c, s);
	if (s->image_width == was.image_width && s->image_height == was.image_height &&
	    (s->image_type == was.image_type || (s->image_type != NULL && was.image_type != NULL &&
						    strcmp(s->image_type, was.image_type) == 0)))
		return NULL;
	return row_texts(c, s, texts);
}

static void
note_pictures(struct ctx *c, const struct workspace *w, const struct article *a,
    const struct snapshot *s, const struct row_texts *texts, bool published)
{
	picture_use_note(c, &(struct picture_use_text) { .workspace_id = w->id,
				.article_id = a->id,
				.published = published,
				.snapshot = s,
				.json = texts->content,
				.json_len = texts->content_len });
}

struct err *
moved_insert_article(
    struct ctx *c, const struct workspace *w, struct moved_article *m, int64_t length)
{
	struct article *a = &m->a;
	const char *slug;

	a->workspace_id = w->id;
	TRY(fit_cover(c, &m->working, &m->texts));
	memcpy(a->digest, m->texts.digest, ARTICLE_DIGEST);
	TRY(find_next(c, m));
	TRY(name_choose_slug(c, w->id, 0, a->slug, false, &slug));
	a->id = db_insert(c,
	    "INSERT INTO article (uuid, workspace_id, status, created_at, published_url,"
	    " export_length, digest, updated_at, " ROW_SNAPSHOT ")"
	    " VALUES (:uuid, :workspace, 'draft', :created, :published_url,"
	    " :length, :digest, :updated, " ROW_SNAPSHOT_VALUES ") RETURNING id",
	    db_t(":uuid", a->uuid), db_i(":workspace", w->id), db_i(":created", a->created_at),
	    db_t(":published_url", a->published_url), db_i(":length", length),
	    db_b(":digest", a->digest, ARTICLE_DIGEST), db_i(":updated", a->updated_at),
	    ROW_BIND(&m->working, &m->texts));
	name_hold_slug(c, w->id, a->id, slug);
	note_pictures(c, w, a, &m->working, &m->texts, false);
	if (m->has_origin)
		origin_set(c, a, &m->origin);
	return NULL;
}

struct err *
moved_insert_edition(struct ctx *c, const struct workspace *w, struct moved_article *m)
{
	struct article *a = &m->a;

	TRY(fit_cover(c, &m->edition, &m->texts));
	memcpy(a->edition_digest, m->texts.digest, ARTICLE_DIGEST);
	a->edition_id = db_insert(c,
	    "INSERT INTO edition (article_id, version, published_at, digest, " ROW_EDITION
	    ") VALUES (:article, :version, :at, :digest, " ROW_EDITION_VALUES ") RETURNING id",
	    db_i(":article", a->id), db_i(":version", m->version), db_i(":at", m->edition_at),
	    db_b(":digest", m->texts.digest, ARTICLE_DIGEST),
	    ROW_BIND_EDITION(&m->edition, &m->texts));
	if (m->version == a->version)
		note_pictures(c, w, a, &m->edition, &m->texts, true);
	return NULL;
}

/* Holds the slug of the edition that is shown, too. */
static struct err *
hold_shown(struct ctx *c, const struct workspace *w, const struct article *a)
{
	struct edition shown;
	const char *slug;

	if (a->status != ARTICLE_PUBLISHED || !edition_find(c, a, a->version, &shown))
		return NULL;
	TRY(name_choose_slug(c, w->id, a->id, shown.slug, false, &slug));
	name_hold_slug(c, w->id, a->id, slug);
	return NULL;
}

struct err *
moved_insert_state(struct ctx *c, struct workspace *w, struct moved_article *m)
{
	struct article *a = &m->a;
	bool shown = a->version > 0;

	/* The edition is that of the working copy if publishing it again would make the same. */
	if (shown)
		memcpy(a->edition_of,
		    memcmp(m->next, a->edition_digest, ARTICLE_DIGEST) == 0 ? a->digest
									    : a->edition_digest,
		    ARTICLE_DIGEST);
	if (a->status == ARTICLE_PUBLISHED)
		a->changed_at = change_stamp(c, w);
	db_run(c,
	    "UPDATE article SET status = :status, changed_at = :changed, version = :version,"
	    " edition_id = :edition, edition_digest = :digest, edition_of = :of,"
	    " first_published_at = :first, modified_at = :modified"
	    " WHERE id = :id AND workspace_id = :workspace",
	    db_t(":status", article_status_name(a->status)), db_i(":changed", a->changed_at),
	    db_i(":version", a->version), db_i_or_null(":edition", a->edition_id),
	    db_b(":digest", shown ? a->edition_digest : NULL, ARTICLE_DIGEST),
	    db_b(":of", shown ? a->edition_of : NULL, ARTICLE_DIGEST),
	    shown ? db_i(":first", a->first_published_at) : db_null(":first"),
	    shown ? db_i(":modified", a->modified_at) : db_null(":modified"), db_i(":id", a->id),
	    db_i(":workspace", w->id));
	TRY(hold_shown(c, w, a));
	listed_repair(c, a);
	return NULL;
}

void
moved_insert_picture(struct ctx *c, const struct workspace *w, const char *digest,
    const char *alternative, int64_t added_at)
{
	db_run(c,
	    "INSERT INTO picture (workspace_id, digest, alternative, added_at)"
	    " VALUES (:workspace, :digest, :alternative, :at)"
	    " ON CONFLICT (workspace_id, digest) DO NOTHING",
	    db_i(":workspace", w->id), db_t(":digest", digest), db_t(":alternative", alternative),
	    db_i(":at", added_at));
}
