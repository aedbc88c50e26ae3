#include "article/edition.h"

#include <string.h>

#include "article/row.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"

#define COLUMNS                                                                                    \
	"e.version, e.published_at, e.digest, e.title, e.slug, e.language,"                        \
	" e.unfinished"

static void
from_row(struct stmt *q, struct edition *out)
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
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM edition e"
				       " WHERE e.article_id = :article AND e.version = :version");
	bool found;

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":version", version);
	found = db_row(q);
	if (found)
		from_row(q, out);
	db_reset(q);
	return found;
}

void
edition_list(struct ctx *c, const struct article *a,
    void (*each)(void *arg, const struct edition *edition), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM edition e"
				       " WHERE e.article_id = :article ORDER BY e.version DESC");
	struct edition e;

	db_bind_int(q, ":article", a->id);
	while (db_row(q)) {
		from_row(q, &e);
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
	    "SELECT " ROW_WHOLE ", e.slug"
	    " FROM article a CROSS JOIN edition e"
	    " WHERE e.article_id = a.id AND a.workspace_id = :workspace AND a.status = 'published'"
	    " AND e.slug <> (SELECT slug FROM edition WHERE id = a.edition_id)"
	    " AND NOT EXISTS (SELECT 1 FROM article_name n"
	    " WHERE n.workspace_id = a.workspace_id AND n.kind = 'slug'"
	    " AND n.name = e.slug AND n.article_id <> a.id)"
	    " AND NOT EXISTS (SELECT 1 FROM edition f"
	    " WHERE f.article_id = a.id AND f.version > e.version"
	    " AND f.slug = e.slug)"
	    " ORDER BY a.id, e.version DESC /*scan*/ /*sort*/");

	db_bind_int(q, ":workspace", workspace_id);
	row_each(q, each, arg);
}

void
edition_delete(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "DELETE FROM edition"
				       " WHERE article_id = :article");

	db_bind_int(q, ":article", a->id);
	db_run(q);
}
