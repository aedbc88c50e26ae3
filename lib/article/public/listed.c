#include "article/public/listed.h"

#include <string.h>

#include "article/article.h"
#include "article/row.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

#define COLUMNS "l.article_id, l.uuid, l.created_at, l.modified_at"
#define OF                                                                                         \
	" FROM listed l WHERE l.workspace_id = :workspace AND l.kind = :kind"                      \
	" AND l.value = :value"

static const char *const kinds[] = { "all", "language", "tag", "section" };

const char *
listed_language(struct ctx *c, const char *tag)
{
	char *text = arena_text(c->arena, tag);

	for (char *p = text; *p != '\0'; p++)
		*p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
	return text;
}

static void
bind_list(struct ctx *c, struct stmt *q, const struct listed_of *of)
{
	const char *value = of->value == NULL ? "" : of->value;

	db_bind_int(q, ":workspace", of->workspace_id);
	db_bind_text(q, ":kind", kinds[of->kind]);
	db_bind_text(q, ":value", of->kind == LISTED_LANGUAGE ? listed_language(c, value) : value);
}

static void
from_row(struct stmt *q, struct listed *out)
{
	out->article_id = db_int(q, 0);
	out->uuid = db_text(q, 1);
	out->created_at = db_int(q, 2);
	out->modified_at = db_int(q, 3);
}

size_t
listed_page(struct ctx *c, const struct listed_of *of, int64_t before, const char *before_uuid,
    struct listed *out, size_t max, bool *more)
{
	struct stmt *q =
	    before_uuid == NULL
		? db_prepare(c,
		      "SELECT " COLUMNS OF " ORDER BY l.created_at DESC, l.uuid DESC LIMIT :limit")
		: db_prepare(c,
		      "SELECT " COLUMNS OF " AND (l.created_at, l.uuid) < (:created, :uuid)"
		      " ORDER BY l.created_at DESC, l.uuid DESC LIMIT :limit");
	size_t count = 0;

	bind_list(c, q, of);
	db_bind_int(q, ":limit", (int64_t)max + 1);
	if (before_uuid != NULL) {
		db_bind_int(q, ":created", before);
		db_bind_text(q, ":uuid", before_uuid);
	}
	while (count < max && db_row(q))
		from_row(q, &out[count++]);
	if (more != NULL)
		*more = count == max && db_row(q);
	db_reset(q);
	return count;
}

/* Returns the language of the edition that is shown (arena); NULL if none is. */
static const char *
shown_language(struct ctx *c, const struct article *a)
{
	struct stmt *q;
	const char *language;

	if (a->status != ARTICLE_PUBLISHED)
		return NULL;
	q = db_prepare(c, "SELECT language FROM edition"
			  " WHERE article_id = :article AND version = :version");
	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":version", a->version);
	language = db_row(q) ? db_text(q, 0) : NULL;
	db_reset(q);
	return language;
}

static bool
neighbour(struct ctx *c, struct stmt *q, const struct article *a, const char *language,
    struct listed *out)
{
	const struct listed_of of = { a->workspace_id, LISTED_LANGUAGE, language };
	bool found;

	bind_list(c, q, &of);
	db_bind_int(q, ":created", a->created_at);
	db_bind_text(q, ":uuid", a->uuid);
	found = db_row(q);
	if (found)
		from_row(q, out);
	db_reset(q);
	return found;
}

bool
listed_newer(struct ctx *c, const struct article *a, struct listed *out)
{
	const char *language = shown_language(c, a);

	return language != NULL &&
	       neighbour(c,
		   db_prepare(c,
		       "SELECT " COLUMNS OF " AND (l.created_at, l.uuid) > (:created, :uuid)"
		       " ORDER BY l.created_at, l.uuid LIMIT 1"),
		   a, language, out);
}

bool
listed_older(struct ctx *c, const struct article *a, struct listed *out)
{
	const char *language = shown_language(c, a);

	return language != NULL &&
	       neighbour(c,
		   db_prepare(c,
		       "SELECT " COLUMNS OF " AND (l.created_at, l.uuid) < (:created, :uuid)"
		       " ORDER BY l.created_at DESC, l.uuid DESC LIMIT 1"),
		   a, language, out);
}

int64_t
listed_modified_at(struct ctx *c, const struct listed_of *of)
{
	struct stmt *q = db_prepare(c, "SELECT max(l.modified_at)" OF);
	int64_t at;

	bind_list(c, q, of);
	at = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return at;
}

/* ---- slugs */

/* Returns the article that is shown with the slug (its UUID, arena), or NULL. */
static const char *
shown_with(struct ctx *c, int64_t workspace_id, const char *slug)
{
	struct stmt *q = db_prepare(c,
	    "SELECT a.uuid FROM article_name n"
	    " JOIN article a ON a.id = n.article_id JOIN edition e ON e.id = a.edition_id"
	    " WHERE n.workspace_id = :workspace AND n.kind = 'slug' AND n.name = :slug"
	    " AND a.status = 'published' AND e.slug = :slug");
	const char *uuid;

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":slug", slug);
	uuid = db_row(q) ? db_text(q, 0) : NULL;
	db_reset(q);
	return uuid;
}

enum listed_slug
listed_find_slug(struct ctx *c, int64_t workspace_id, const char *slug, const char **uuid)
{
	enum listed_slug found = SLUG_UNKNOWN;
	struct stmt *q;

	*uuid = shown_with(c, workspace_id, slug);
	if (*uuid != NULL)
		return SLUG_SHOWN;
	/* A slug was rarely that of more than one article. */
	q = db_prepare(c, "SELECT a.uuid, a.status = 'published' FROM public_slug p"
			  " JOIN article a ON a.id = p.article_id"
			  " WHERE p.workspace_id = :workspace AND p.slug = :slug"
			  " ORDER BY p.published_at DESC, p.article_id DESC LIMIT 1 /*sort*/");
	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":slug", slug);
	if (db_row(q)) {
		*uuid = db_text(q, 0);
		found = db_int(q, 1) != 0 ? SLUG_MOVED : SLUG_GONE;
	}
	db_reset(q);
	return found;
}

bool
listed_had(struct ctx *c, const struct article *a, const char *slug, const char *language)
{
	struct stmt *q = db_prepare(c,
	    "SELECT 1 FROM public_slug"
	    " WHERE workspace_id = :workspace AND slug = :slug AND article_id = :article"
	    " AND language = :language");
	bool had;

	db_bind_int(q, ":workspace", a->workspace_id);
	db_bind_text(q, ":slug", slug);
	db_bind_int(q, ":article", a->id);
	db_bind_text(q, ":language", listed_language(c, language));
	had = db_row(q);
	db_reset(q);
	return had;
}
