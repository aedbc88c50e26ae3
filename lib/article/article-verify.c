#include "article/article-verify.h"

#include <inttypes.h>
#include <string.h>

#include "article/article-row.h"
#include "article/revision.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "export/export.h"
#include "store/db.h"

#define SCRATCH_MAX ((size_t)256 * 1024 * 1024)

/* Calls `tell` for each row of `q`: its first column, a space, and `what`. */
static void
tell_rows(struct ctx *c, struct stmt *q, article_verify_tell *tell, void *arg, const char *what)
{
	while (db_row(q))
		(void)tell(arg, arena_printf(c->arena, "%s %s", db_text(q, 0), what));
}

void
article_verify_editions(struct ctx *c, article_verify_tell *tell, void *arg)
{
	tell_rows(c,
	    db_prepare(c,
		"SELECT a.uuid FROM article a /*scan*/ LEFT JOIN edition e ON e.id = a.edition_id"
		" WHERE a.version > 0 AND (e.id IS NULL OR e.article_id <> a.id"
		" OR e.version <> a.version OR e.digest <> a.edition_digest)"),
	    tell, arg, "has not the edition that it says it has");
	tell_rows(c,
	    db_prepare(c, "SELECT a.uuid FROM article a /*scan*/"
			  " WHERE a.version > 0 AND (a.first_published_at IS NULL"
			  " OR a.modified_at IS NULL OR a.edition_of IS NULL"
			  " OR a.modified_at < a.first_published_at)"),
	    tell, arg, "has no proper dates of publication");
}

/* Reads ROW_EDITION from column `first` on, without parsing tags and content:
 * both may be damaged. */
static void
raw_snapshot(struct stmt *q, int first, struct snapshot *s, struct row_texts *texts)
{
	int i = first;

	memset(s, 0, sizeof(*s));
	s->title = db_text(q, i++);
	s->slug = db_text(q, i++);
	s->language = db_text(q, i++);
	s->author_name = db_text(q, i++);
	s->author_url = db_text(q, i++);
	s->noindex = db_int(q, i++) != 0;
	s->meta_title = db_text(q, i++);
	s->meta_description = db_text(q, i++);
	s->section = db_text(q, i++);
	texts->tags = db_text(q, i++);
	s->image = db_text(q, i++);
	s->image_type = db_text(q, i++);
	s->image_width = db_int(q, i++);
	s->image_height = db_int(q, i++);
	s->image_generated = db_int(q, i++) != 0;
	texts->content = db_bytes(q, i++, &texts->content_len);
	s->unfinished = db_int(q, i);
}

/* Compares each row's digest with its texts. The rows are (uuid, digest, version,
 * ROW_EDITION). */
static void
check_digests(struct ctx *c, struct stmt *q, article_verify_tell *tell, void *arg, const char *what)
{
	unsigned char stored[ARTICLE_DIGEST];
	struct arena scratch, *kept = c->arena;
	struct row_texts texts;
	struct snapshot s;

	arena_init(&scratch, SCRATCH_MAX);
	c->arena = &scratch;
	while (db_row(q)) {
		const char *uuid = db_text(q, 0);
		db_blob(q, 1, stored, sizeof(stored));
		raw_snapshot(q, 3, &s, &texts);
		row_digest(&s, &texts);
		if (memcmp(stored, texts.digest, ARTICLE_DIGEST) != 0)
			(void)tell(arg,
			    arena_printf(kept, "%s: %s %" PRId64 " is not what its digest says",
				uuid, what, db_int(q, 2)));
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	c->arena = kept;
}

void
article_verify_digests(struct ctx *c, article_verify_tell *tell, void *arg)
{
	check_digests(c,
	    db_prepare(c,
		"SELECT uuid, digest, version, " ROW_SNAPSHOT ", 0 FROM article /*scan*/ /*many*/"),
	    tell, arg, "the working copy after version");
	check_digests(c,
	    db_prepare(c, "SELECT (SELECT a.uuid FROM article a"
			  " WHERE a.id = edition.article_id), digest, version, " ROW_EDITION
			  " FROM edition /*scan*/ /*many*/"),
	    tell, arg, "edition");
}

void
article_verify_names(struct ctx *c, article_verify_tell *tell, void *arg)
{
	tell_rows(c,
	    db_prepare(c,
		"SELECT a.uuid FROM article a /*scan*/ WHERE NOT EXISTS (SELECT 1 FROM article_name n"
		" WHERE n.workspace_id = a.workspace_id AND n.kind = 'slug'"
		" AND n.name = a.slug AND n.article_id = a.id)"),
	    tell, arg, "does not hold the slug of its working copy");
	tell_rows(c,
	    db_prepare(c,
		"SELECT a.uuid FROM article a /*scan*/ JOIN edition e ON e.id = a.edition_id"
		" WHERE a.status = 'published' AND NOT EXISTS (SELECT 1 FROM article_name n"
		" WHERE n.workspace_id = a.workspace_id AND n.kind = 'slug'"
		" AND n.name = e.slug AND n.article_id = a.id)"),
	    tell, arg, "does not hold the slug of its edition");
	tell_rows(c,
	    db_prepare(c,
		"SELECT n.kind || ' ' || n.name FROM article_name n /*scan*/"
		" JOIN article a ON a.id = n.article_id LEFT JOIN edition e ON e.id = a.edition_id"
		" AND a.status = 'published' WHERE a.workspace_id <> n.workspace_id"
		" OR (n.kind = 'slug' AND n.name <> a.slug AND (e.slug IS NULL OR n.name <> e.slug))"
		" OR (n.kind = 'source' AND (a.source IS NULL OR n.name <> a.source))"),
	    tell, arg, "is held by an article that has another");
}

void
article_verify_clocks(struct ctx *c, article_verify_tell *tell, void *arg)
{
	tell_rows(c,
	    db_prepare(c,
		"SELECT a.uuid FROM article a /*scan*/ JOIN workspace w ON w.id = a.workspace_id"
		" WHERE a.changed_at > w.clock"),
	    tell, arg, "was changed after the clock of its workspace");
	tell_rows(c,
	    db_prepare(c, "SELECT w.uuid FROM workspace w /*scan*/ WHERE w.announced_at > w.clock"),
	    tell, arg, "(a workspace) announced a change after its clock");
	tell_rows(c,
	    db_prepare(c,
		"SELECT min(a.uuid) /*scan*/ /*sort*/ FROM article a WHERE a.changed_at > 0"
		" GROUP BY a.workspace_id, a.changed_at HAVING count(*) > 1"),
	    tell, arg, "shares its stamp with another article");
}

/* An export that is looked at: the head, the revision and the bytes that are stored, and what is
 * shown come in one row. */
#define SHOWN(t) "SELECT " ROW_HEAD ", x.revision, x.body, " ROW_SNAPSHOT_OF(t)

struct look {
	article_verify_tell *tell;
	void *arg;
	const struct workspace *w; /* of the row before */
	struct arena *kept; /* for what outlives a row */
	bool more;
};

/* Returns the workspace of a row: most rows have that of the row before. */
static const struct workspace *
workspace_for(struct ctx *c, struct look *l, int64_t id)
{
	struct arena *scratch = c->arena;

	if (l->w == NULL || l->w->id != id) {
		c->arena = l->kept;
		l->w = workspace_of(c, id);
		c->arena = scratch;
	}
	return l->w;
}

/* Returns whether the stored bytes of an article are those that rendering gives.
 * Bytes of another revision are never served, and so do not count. */
static bool
is_exact(struct ctx *c, struct look *l, const struct article *a, struct stmt *q)
{
	const struct workspace *w = workspace_for(c, l, a->workspace_id);
	const char *stored = db_text(q, ROW_HEAD_COUNT);
	char revision[TOKEN_TEXT];
	struct snapshot shown;
	struct buf fresh;
	const void *body;
	size_t len;

	token_export(w, a, revision);
	if (stored == NULL || strcmp(stored, revision) != 0)
		return true;
	row_snapshot_at(c, q, ROW_HEAD_COUNT + 2, &shown);
	shown.unfinished =
	    a->status == ARTICLE_PUBLISHED ? db_int(q, ROW_HEAD_COUNT + 2 + ROW_SNAPSHOT_COUNT) : 0;
	buf_init(&fresh, c->arena, 4 * EXPORT_BYTES_MAX);
	export_render(c, stored_source_of(c, w, a, &shown), &fresh);
	body = db_bytes(q, ROW_HEAD_COUNT + 1, &len);
	return len == fresh.len && memcmp(body, fresh.data, len) == 0;
}

static void
check_exports(struct ctx *c, struct look *l, struct stmt *q)
{
	struct arena scratch;
	struct article a;

	arena_init(&scratch, SCRATCH_MAX);
	l->kept = c->arena;
	c->arena = &scratch;
	while (l->more && db_row(q)) {
		row_head(q, &a);
		if (!is_exact(c, l, &a, q))
			(void)l->tell(l->arg,
			    arena_printf(l->kept,
				"%s: the stored export is not what rendering gives", a.uuid));
		l->more = l->tell(l->arg, NULL);
		arena_reset(&scratch);
	}
	db_reset(q);
	arena_release(&scratch);
	c->arena = l->kept;
}

void
article_verify_exports(struct ctx *c, article_verify_tell *tell, void *arg)
{
	struct look l = { .tell = tell, .arg = arg, .more = true };

	check_exports(c, &l,
	    db_prepare(c,
		SHOWN("e.") ", e.unfinished"
			    " FROM article a /*scan*/ JOIN edition e ON e.article_id = a.id"
			    " AND e.version = a.version LEFT JOIN export x ON x.article_id = a.id"
			    " WHERE a.status = 'published' /*many*/"));
	check_exports(c, &l,
	    db_prepare(c,
		SHOWN("a.") " FROM article a /*scan*/ LEFT JOIN export x ON x.article_id = a.id"
			    " WHERE a.status = 'draft' /*many*/"));
}

int64_t
article_verify_slow_rows(struct ctx *c)
{
	return db_one_int(c, 0,
	    "SELECT (SELECT count(*) FROM article /*scan*/ WHERE status <> 'deleted')"
	    " + (SELECT count(*) FROM media)");
}
