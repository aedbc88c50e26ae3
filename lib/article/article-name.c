#include "article/article-name.h"

#include <string.h>

#include "article/article-row.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/slug.h"
#include "export/export.h"
#include "store/db.h"

/* ---- slugs and sources */

#define TRIES_MAX 100000

int64_t
name_find(struct ctx *c, int64_t workspace_id, const char *kind, const char *name)
{
	return db_one_int(c, 0,
	    "SELECT article_id FROM article_name WHERE workspace_id = :workspace AND kind = :kind"
	    " AND name = :name",
	    db_i(":workspace", workspace_id), db_t(":kind", kind), db_t(":name", name));
}

/* Holds a name for an article. */
static void
insert(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *kind, const char *name)
{
	db_run(c,
	    "INSERT INTO article_name (workspace_id, kind, name, article_id)"
	    " VALUES (:workspace, :kind, :name, :article)",
	    db_i(":workspace", workspace_id), db_t(":kind", kind), db_t(":name", name),
	    db_i(":article", article_id));
}

/* Refuses a slug that another article holds, and names that article. */
static struct err *
refuse_taken(
    struct ctx *c, int64_t workspace_id, int64_t article_id, int64_t holder, const char *slug)
{
	const char *uuid = "", *title = "", *mine = NULL;
	struct stmt *q = db_prepare(c,
	    "SELECT uuid, title, (SELECT uuid FROM article"
	    " WHERE id = :mine AND workspace_id = :workspace)"
	    " FROM article WHERE id = :id AND workspace_id = :workspace",
	    db_i(":mine", article_id), db_i(":id", holder), db_i(":workspace", workspace_id));

	if (db_row(q)) {
		uuid = db_text(q, 0);
		title = db_text(q, 1);
		mine = db_text(q, 2);
	}
	db_reset(q);
	return err_param(c, "slug",
	    tr_mark("The slug %s belongs to the article %s (%s) already; choose another for %s."),
	    slug, uuid, title, mine != NULL ? mine : "the new article");
}

/* Returns the first of slug-2, slug-3 … that is free or belongs to this article. */
static const char *
first_free(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *slug)
{
	const char *numbered;
	int64_t holder;

	for (unsigned n = 2; n < TRIES_MAX; n++) {
		numbered = slug_numbered(c->arena, slug, n);
		holder = name_find(c, workspace_id, "slug", numbered);
		if (holder == 0 || holder == article_id)
			return numbered;
	}
	return NULL;
}

struct err *
name_choose_slug(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *slug,
    bool derived, const char **chosen)
{
	int64_t holder = name_find(c, workspace_id, "slug", slug);

	*chosen = slug;
	if (holder == 0 || holder == article_id)
		return NULL;
	if (derived)
		*chosen = first_free(c, workspace_id, article_id, slug);
	if (!derived || *chosen == NULL)
		return refuse_taken(c, workspace_id, article_id, holder, slug);
	return NULL;
}

void
name_hold_slug(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *slug)
{
	if (name_find(c, workspace_id, "slug", slug) != article_id)
		insert(c, workspace_id, article_id, "slug", slug);
}

void
name_drop_slug(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *slug)
{
	db_run(c,
	    "DELETE FROM article_name WHERE workspace_id = :workspace AND kind = 'slug'"
	    " AND name = :name AND article_id = :article",
	    db_i(":workspace", workspace_id), db_t(":name", slug), db_i(":article", article_id));
}

void
name_drop_all(struct ctx *c, int64_t workspace_id, int64_t article_id)
{
	db_run(c,
	    "DELETE FROM article_name WHERE workspace_id = :workspace AND article_id = :article"
	    " /*scan*/",
	    db_i(":workspace", workspace_id), db_i(":article", article_id));
}

void
name_hold_source(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *source)
{
	insert(c, workspace_id, article_id, "source", source);
}

/* ---- where an imported article was before */

struct err *
origin_digest(struct ctx *c, const struct snapshot *s, unsigned char out[ARTICLE_DIGEST])
{
	struct snapshot copy = *s;
	struct row_texts texts;

	copy.slug = "";
	TRY(row_texts(c, &copy, &texts));
	memcpy(out, texts.digest, ARTICLE_DIGEST);
	return NULL;
}

bool
origin_find(struct ctx *c, const struct article *a, struct origin *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT o.url, o.digest FROM origin o JOIN article a ON a.id = o.article_id"
	    " WHERE o.article_id = :article AND a.workspace_id = :workspace",
	    db_i(":article", a->id), db_i(":workspace", a->workspace_id));
	bool found = db_row(q);

	if (found) {
		out->url = db_text(q, 0);
		db_blob(q, 1, out->digest, ARTICLE_DIGEST);
	}
	db_reset(q);
	return found;
}

void
origin_set(struct ctx *c, const struct article *a, const struct origin *origin)
{
	db_run(c,
	    "INSERT INTO origin (article_id, url, digest) VALUES (:article, :url, :digest)"
	    " ON CONFLICT (article_id) DO UPDATE SET url = excluded.url, digest = excluded.digest",
	    db_i(":article", a->id), db_t(":url", origin->url),
	    db_b(":digest", origin->digest, ARTICLE_DIGEST));
}

void
origin_delete(struct ctx *c, const struct article *a)
{
	db_run(c, "DELETE FROM origin WHERE article_id = :article", db_i(":article", a->id));
}

void
origin_list(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct article *a, const char *url), void *arg)
{
	/* CROSS JOIN makes SQLite walk origin in the order of its key, and find
	 * each article from there. */
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE ", o.url"
	    " FROM origin o CROSS JOIN article a WHERE a.id = o.article_id"
	    " AND a.workspace_id = :workspace AND a.status <> 'deleted'"
	    " AND o.url IS NOT NULL ORDER BY o.article_id /*scan*/",
	    db_i(":workspace", workspace_id));

	row_each(q, each, arg);
}

/* ---- changes of a slug */

struct err *
moved_check(struct ctx *c, const struct article *a, const char *slug, bool wanted)
{
	const char *shown;

	if (wanted || a->status != ARTICLE_PUBLISHED || strcmp(slug, a->slug) == 0)
		return NULL;
	shown = edition_shown_slug(c, a);
	if (strcmp(slug, shown) == 0)
		return NULL;
	return err_hint(c,
	    err_param(c, "slug",
		"%s is published under the slug %s, and %s would change its address.", a->title,
		shown, slug),
	    HINT_MOVE, NULL);
}

const char *
moved_address(struct ctx *c, const struct workspace *w, const struct article *a, const char *slug)
{
	const struct snapshot snapshot = { .slug = slug };
	const struct export_source source = {
		.snapshot = &snapshot, .settings = &w->settings, .published_url = a->published_url
	};

	return export_canonical(c, &source);
}

bool
moved_find(struct ctx *c, const struct workspace *w, const struct article *a, const char **from,
    const char **to)
{
	const char *shown = edition_shown_slug(c, a);

	if (shown == NULL || strcmp(shown, a->slug) == 0)
		return false;
	*from = moved_address(c, w, a, shown);
	*to = moved_address(c, w, a, a->slug);
	if (*from == NULL || *to == NULL) {
		*from = shown;
		*to = a->slug;
	}
	return strcmp(*from, *to) != 0;
}
