#include "action/article/look.h"

#include "action/action.h"
#include "article/stored.h"
#include "base/ctx.h"

static struct err *
begin(struct ctx *c, const char *id, struct look *l)
{
	struct article *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, id, &a);
	if (err != NULL)
		return err;
	*l = (struct look) { .article = a,
		.workspace = workspace_of(c, a->workspace_id),
		.unfinished = article_unfinished(c, a) };
	later_view(c, a, &l->later);
	return NULL;
}

static struct err *
read_edition_of(struct ctx *c, int64_t version, struct look *l)
{
	struct err *err = find_edition(c, l->article, version, &l->edition);

	if (err != NULL)
		return err;
	l->is_edition = true;
	l->source = stored_edition(c, l->workspace, l->article, &l->edition);
	return NULL;
}

struct err *
look_at_copy(struct ctx *c, const char *id, struct look *out)
{
	struct err *err = begin(c, id, out);

	if (err == NULL)
		out->source = stored_source(c, out->workspace, out->article, true);
	return action_end(c, err);
}

struct err *
look_at_published(struct ctx *c, const char *id, struct look *out)
{
	struct err *err = begin(c, id, out);

	if (err == NULL && out->article->status != ARTICLE_PUBLISHED)
		err = err_hint(c,
		    refuse(c, ERR_CONFLICT, tr_mark("%s is not published."), out->article->title),
		    HINT_EDITIONS, out->article->uuid);
	if (err == NULL)
		err = read_edition_of(c, FIND_NEWEST, out);
	return action_end(c, err);
}

struct err *
look_at_edition(struct ctx *c, const char *id, int64_t version, struct look *out)
{
	struct err *err = begin(c, id, out);

	if (err == NULL)
		err = read_edition_of(c, version, out);
	return action_end(c, err);
}
