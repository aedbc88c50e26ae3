#include "action/article/state.h"

#include "action/action.h"
#include "action/article/failing.h"
#include "action/article/unfinished.h"
#include "article/article-row.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"

bool
state_is_current(struct ctx *c, const struct article *a)
{
	struct edition shown;

	return a->status == ARTICLE_PUBLISHED && !article_has_changes(a) &&
	       edition_find(c, a, a->version, &shown) && edition_is_current(c, a, &shown);
}

static void
find_failing(struct ctx *c, const struct workspace *w, const struct article *a, struct state *s)
{
	struct export_check checks[EXPORT_CHECKS];

	s->failing_count = failing_checks(c, stored_source(c, w, a, false), checks);
	s->failing = arena_array(c->arena, EXPORT_CHECKS, sizeof(*s->failing));
	for (size_t i = 0; i < s->failing_count; i++)
		s->failing[i] = failing_line(c, &checks[i]);
}

/* Publishes the article, inside the transaction. */
static struct err *
publish(struct ctx *c, struct workspace *w, struct article *a, struct state *s)
{
	struct err *err = NULL;

	if (a->status != ARTICLE_DELETED && !s->unfinished)
		err = unfinished_check(c, a);
	if (err != NULL)
		return err;
	s->changed = s->again || !state_is_current(c, a);
	if (s->changed)
		err = article_publish(c, w, a, 0, 0);
	if (err == NULL)
		find_failing(c, w, a, s);
	return err;
}

struct err *
state_publish(struct ctx *c, struct state *s)
{
	struct workspace *w;
	struct article *a;
	struct err *err = begin_article(c, s->id, &w, &a);

	if (err == NULL)
		err = publish(c, w, a, s);
	if (err == NULL)
		s->article = a;
	return action_end(c, err);
}

typedef struct err *move(struct ctx *c, struct workspace *w, struct article *a);

static struct err *
move_article(struct ctx *c, struct state *s, move *run)
{
	struct workspace *w;
	struct article *a;
	struct err *err = begin_article(c, s->id, &w, &a);

	if (err == NULL && s->version != 0 && s->version != a->version)
		err = refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This article was published again meanwhile, so nothing was done. Open it, and look."));
	if (err == NULL)
		err = run(c, w, a);
	if (err == NULL) {
		s->article = a;
		s->changed = true;
	}
	return action_end(c, err);
}

struct err *
state_unpublish(struct ctx *c, struct state *s)
{
	return move_article(c, s, article_unpublish);
}

struct err *
state_publish_again(struct ctx *c, struct state *s)
{
	return move_article(c, s, article_publish_again);
}

struct err *
state_delete(struct ctx *c, struct state *s)
{
	return move_article(c, s, article_delete);
}

struct err *
state_undelete(struct ctx *c, struct state *s)
{
	return move_article(c, s, article_undelete);
}
