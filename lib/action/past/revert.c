#include "action/past/revert.h"

#include "action/action.h"
#include "article/article-name.h"
#include "base/ctx.h"

/* Returns the snapshot that the working copy becomes. */
static struct snapshot *
reverted(struct ctx *c, const struct revert *r, const struct article *a)
{
	struct snapshot *s = article_edition(c, a, r->version);

	if (moved_check(c, a, s->slug, r->move) != NULL)
		s->slug = a->slug;
	return s;
}

struct err *
revert_article(struct ctx *c, struct revert *r)
{
	struct workspace *w;
	struct article *a;
	struct err *err = begin_article(c, r->id, &w, &a);

	if (err == NULL)
		err = article_save(c, w, a, reverted(c, r, a), false, NULL);
	if (err == NULL)
		saved_read(c, w, a, &r->saved);
	return action_end(c, err);
}
