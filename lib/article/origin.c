#include "article/origin.h"

#include <string.h>

#include "article/row.h"
#include "base/ctx.h"
#include "store/db.h"

struct err *
origin_digest(struct ctx *c, const struct snapshot *s, unsigned char out[ARTICLE_DIGEST])
{
	struct snapshot copy = *s;
	struct row_texts texts;
	struct err *err;

	copy.slug = "";
	err = row_texts(c, &copy, &texts);
	if (err == NULL)
		memcpy(out, texts.digest, ARTICLE_DIGEST);
	return err;
}

bool
origin_find(struct ctx *c, const struct article *a, struct origin *out)
{
	struct stmt *q =
	    db_prepare(c, "SELECT o.url, o.digest FROM origin o"
			  " JOIN article a ON a.id = o.article_id"
			  " WHERE o.article_id = :article AND a.workspace_id = :workspace");
	bool found;

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	found = db_row(q);
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
	struct stmt *q = db_prepare(c, "INSERT INTO origin (article_id, url, digest)"
				       " VALUES (:article, :url, :digest)"
				       " ON CONFLICT (article_id) DO UPDATE"
				       " SET url = excluded.url, digest = excluded.digest");

	db_bind_int(q, ":article", a->id);
	db_bind_text(q, ":url", origin->url);
	db_bind_blob(q, ":digest", origin->digest, ARTICLE_DIGEST);
	db_run(q);
}

void
origin_delete(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "DELETE FROM origin"
				       " WHERE article_id = :article");

	db_bind_int(q, ":article", a->id);
	db_run(q);
}

void
origin_list(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct article *a, const char *url), void *arg)
{
	/* CROSS JOIN makes SQLite walk origin in the order of its key, and find
	 * each article from there. */
	struct stmt *q =
	    db_prepare(c, "SELECT " ROW_WHOLE ", o.url"
			  " FROM origin o CROSS JOIN article a WHERE a.id = o.article_id"
			  " AND a.workspace_id = :workspace AND a.status <> 'deleted'"
			  " AND o.url IS NOT NULL ORDER BY o.article_id /*scan*/");

	db_bind_int(q, ":workspace", workspace_id);
	row_each(q, each, arg);
}
