#include "action/article/saved.h"

#include "article/article-name.h"
#include "base/ctx.h"

void
saved_read(struct ctx *c, const struct workspace *w, const struct article *a, struct saved *out)
{
	out->article = a;
	out->unfinished = article_unfinished(c, a);
	out->moves = moved_find(c, w, a, &out->from, &out->to);
}
