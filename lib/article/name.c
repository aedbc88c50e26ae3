#include "article/name.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/slug.h"
#include "store/db.h"

#define TRIES_MAX 100000

int64_t
name_find(struct ctx *c, int64_t workspace_id, const char *kind, const char *name)
{
	struct stmt *q = db_prepare(c, "SELECT article_id FROM article_name"
				       " WHERE workspace_id = :workspace AND kind = :kind"
				       " AND name = :name");
	int64_t found;

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":kind", kind);
	db_bind_text(q, ":name", name);
	found = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return found;
}

/* Holds a name for an article. */
static void
insert(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *kind, const char *name)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO article_name (workspace_id, kind, name, article_id)"
			  " VALUES (:workspace, :kind, :name, :article)");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":kind", kind);
	db_bind_text(q, ":name", name);
	db_bind_int(q, ":article", article_id);
	db_run(q);
}

/* Refuses a slug that another article holds, and names that article. */
static struct err *
refuse_taken(
    struct ctx *c, int64_t workspace_id, int64_t article_id, int64_t holder, const char *slug)
{
	struct stmt *q =
	    db_prepare(c, "SELECT uuid, title, (SELECT uuid FROM article"
			  " WHERE id = :mine AND workspace_id = :workspace)"
			  " FROM article WHERE id = :id AND workspace_id = :workspace");
	const char *uuid = "", *title = "", *mine = NULL;

	db_bind_int(q, ":mine", article_id);
	db_bind_int(q, ":id", holder);
	db_bind_int(q, ":workspace", workspace_id);
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
	struct stmt *q = db_prepare(c, "DELETE FROM article_name"
				       " WHERE workspace_id = :workspace AND kind = 'slug'"
				       " AND name = :name AND article_id = :article");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":name", slug);
	db_bind_int(q, ":article", article_id);
	db_run(q);
}

void
name_drop_all(struct ctx *c, int64_t workspace_id, int64_t article_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM article_name"
				       " WHERE workspace_id = :workspace AND article_id = :article"
				       " /*scan*/");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_int(q, ":article", article_id);
	db_run(q);
}

void
name_hold_source(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *source)
{
	insert(c, workspace_id, article_id, "source", source);
}
