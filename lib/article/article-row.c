#include "article/article-row.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "store/db.h"

/* ---- rows */

static enum article_status
status_of(const char *name)
{
	if (strcmp(name, "published") == 0)
		return ARTICLE_PUBLISHED;
	return strcmp(name, "draft") == 0 ? ARTICLE_DRAFT : ARTICLE_DELETED;
}

void
row_listed(struct stmt *q, struct article *out)
{
	int i = 0;

	memset(out, 0, sizeof(*out));
	out->id = db_int(q, i++);
	out->uuid = db_text(q, i++);
	out->status = status_of(db_text(q, i++));
	out->created_at = db_int(q, i++);
	out->published_url = db_text(q, i++);
	out->version = db_int(q, i++);
	db_blob(q, i++, out->edition_digest, ARTICLE_DIGEST);
	out->first_published_at = db_int(q, i++);
	out->modified_at = db_int(q, i++);
	out->export_length = db_int(q, i++);
	db_blob(q, i++, out->digest, ARTICLE_DIGEST);
}

void
row_head(struct stmt *q, struct article *out)
{
	int i = ROW_LISTED_COUNT;

	row_listed(q, out);
	out->workspace_id = db_int(q, i++);
	out->changed_at = db_int(q, i++);
	out->edition_id = db_int(q, i++);
	db_blob(q, i++, out->edition_of, ARTICLE_DIGEST);
	out->updated_at = db_int(q, i++);
}

void
row_whole(struct stmt *q, struct article *out)
{
	int i = ROW_HEAD_COUNT;

	row_head(q, out);
	out->source = db_text(q, i++);
	out->title = db_text(q, i++);
	out->slug = db_text(q, i++);
	out->language = db_text(q, i++);
}

void
row_each(
    struct stmt *q, void (*each)(void *arg, const struct article *a, const char *text), void *arg)
{
	struct article a;

	while (db_row(q)) {
		row_whole(q, &a);
		each(arg, &a, db_text(q, ROW_HEAD_COUNT + 4));
	}
}

static void
tags_from_json(struct ctx *c, const char *text, struct snapshot *out)
{
	json_t *tags, *tag;
	size_t i;

	if (jread_parse(c, "tags", text, strlen(text), &tags) != NULL)
		die("stored tags are not JSON: %s", text);
	out->tag_count = json_array_size(tags);
	out->tags = arena_array(c->arena, out->tag_count, sizeof(*out->tags));
	json_array_foreach(tags, i, tag)
		out->tags[i] = json_string_value(tag);
}

void
row_fields(struct ctx *c, struct stmt *q, int first, struct snapshot *out)
{
	int i = first;

	memset(out, 0, sizeof(*out));
	out->title = db_text(q, i++);
	out->slug = db_text(q, i++);
	out->language = db_text(q, i++);
	out->author_name = db_text(q, i++);
	out->author_url = db_text(q, i++);
	out->noindex = db_int(q, i++) != 0;
	out->meta_title = db_text(q, i++);
	out->meta_description = db_text(q, i++);
	out->section = db_text(q, i++);
	tags_from_json(c, db_text(q, i++), out);
	out->image = db_text(q, i++);
	out->image_type = db_text(q, i++);
	out->image_width = db_int(q, i++);
	out->image_height = db_int(q, i++);
	out->image_generated = db_int(q, i++) != 0;
}

void
row_snapshot_at(struct ctx *c, struct stmt *q, int first, struct snapshot *out)
{
	row_fields(c, q, first, out);
	content_from_stored(
	    c, db_text(q, first + ROW_SNAPSHOT_COUNT - 1), out->language, &out->content);
}

void
row_snapshot(struct ctx *c, struct stmt *q, struct snapshot *out)
{
	row_snapshot_at(c, q, 0, out);
}

void
row_edition(struct ctx *c, struct stmt *q, struct snapshot *out)
{
	row_snapshot(c, q, out);
	out->unfinished = db_int(q, ROW_SNAPSHOT_COUNT);
}

static const char *
tags_to_json(struct ctx *c, const struct snapshot *s)
{
	struct jwrite w;
	struct buf b;

	buf_init(&b, c->arena, (size_t)256 * 1024);
	jwrite_init(&w, &b);
	jwrite_array(&w);
	for (size_t i = 0; i < s->tag_count; i++)
		jwrite_text(&w, s->tags[i]);
	jwrite_array_end(&w);
	return buf_done(&b);
}

void
row_digest(const struct snapshot *s, struct row_texts *texts)
{
	struct digest d;

	digest_begin(&d, ARTICLE_DIGEST, "galley snapshot 1");
	digest_text(&d, s->title);
	digest_text(&d, s->slug);
	digest_text(&d, s->language);
	digest_text(&d, s->author_name);
	digest_text(&d, s->author_url);
	digest_int(&d, s->noindex);
	digest_text(&d, s->meta_title);
	digest_text(&d, s->meta_description);
	digest_text(&d, s->section);
	digest_text(&d, texts->tags);
	digest_text(&d, s->image);
	digest_text(&d, s->image_type);
	digest_int(&d, s->image_width);
	digest_int(&d, s->image_height);
	digest_int(&d, s->image_generated);
	digest_bytes(&d, texts->content, texts->content_len);
	/* Editions that were made before this count existed keep their digests. */
	if (s->unfinished > 0)
		digest_int(&d, s->unfinished);
	digest_end(&d, texts->digest);
}

struct err *
row_texts(struct ctx *c, const struct snapshot *s, struct row_texts *out)
{
	struct buf b;

	buf_init(&b, c->arena, CONTENT_BYTES_MAX);
	content_to_json(&s->content, NULL, &b);
	if (buf_full(&b))
		return err_param(c, "content",
		    tr_mark(
			"The article's content is longer than %d bytes: make two articles of it."),
		    CONTENT_BYTES_MAX);
	out->content = b.data;
	out->content_len = b.len;
	out->tags = tags_to_json(c, s);
	row_digest(s, out);
	return NULL;
}

size_t
row_size(const struct snapshot *s, const struct row_texts *texts)
{
	const char *const plain[] = { s->title, s->slug, s->author_name, s->author_url,
		s->meta_title, s->meta_description, s->section, s->image, texts->tags };
	size_t size = texts->content_len;

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		size += plain[i] != NULL ? strlen(plain[i]) : 0;
	return size;
}

/* ---- editions */

#define COLUMNS                                                                                    \
	"e.version, e.published_at, e.digest, e.title, e.slug, e.language,"                        \
	" e.unfinished"

static void
edition_from_row(struct stmt *q, struct edition *out)
{
	out->version = db_int(q, 0);
	out->published_at = db_int(q, 1);
	db_blob(q, 2, out->digest, ARTICLE_DIGEST);
	out->title = db_text(q, 3);
	out->slug = db_text(q, 4);
	out->language = db_text(q, 5);
	out->unfinished = db_int(q, 6);
}

bool
edition_find(struct ctx *c, const struct article *a, int64_t version, struct edition *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM edition e"
	    " WHERE e.article_id = :article AND e.version = :version",
	    db_i(":article", a->id), db_i(":version", version));
	bool found = db_row(q);

	if (found)
		edition_from_row(q, out);
	db_reset(q);
	return found;
}

void
edition_list(struct ctx *c, const struct article *a,
    void (*each)(void *arg, const struct edition *edition), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM edition e"
	    " WHERE e.article_id = :article ORDER BY e.version DESC",
	    db_i(":article", a->id));
	struct edition e;

	while (db_row(q)) {
		edition_from_row(q, &e);
		each(arg, &e);
	}
}

bool
edition_is_current(struct ctx *c, const struct article *a, const struct edition *edition)
{
	struct row_texts texts;
	struct err *err = row_texts(c, article_next_edition(c, a), &texts);

	/* The working copy was saved, so it is within its limits. */
	if (err != NULL)
		die("article %s: %s", a->uuid, err->message);
	return memcmp(texts.digest, edition->digest, ARTICLE_DIGEST) == 0;
}

const char *
edition_shown_slug(struct ctx *c, const struct article *a)
{
	struct edition shown;

	if (a->status != ARTICLE_PUBLISHED)
		return NULL;
	if (!edition_find(c, a, a->version, &shown))
		die("article %s lacks its edition %lld", a->uuid, (long long)a->version);
	return shown.slug;
}

void
edition_list_moved(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct article *a, const char *slug), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE ", e.slug FROM article a CROSS JOIN edition e"
	    " WHERE e.article_id = a.id AND a.workspace_id = :workspace AND a.status = 'published'"
	    " AND e.slug <> (SELECT slug FROM edition WHERE id = a.edition_id)"
	    " AND NOT EXISTS (SELECT 1 FROM article_name n"
	    " WHERE n.workspace_id = a.workspace_id AND n.kind = 'slug'"
	    " AND n.name = e.slug AND n.article_id <> a.id)"
	    " AND NOT EXISTS (SELECT 1 FROM edition f"
	    " WHERE f.article_id = a.id AND f.version > e.version AND f.slug = e.slug)"
	    " ORDER BY a.id, e.version DESC /*scan*/ /*sort*/",
	    db_i(":workspace", workspace_id));

	row_each(q, each, arg);
}

void
edition_delete(struct ctx *c, const struct article *a)
{
	db_run(c, "DELETE FROM edition WHERE article_id = :article", db_i(":article", a->id));
}
