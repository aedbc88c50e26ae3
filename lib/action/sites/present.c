#include "action/sites/present.h"

#include <stdlib.h>
#include <string.h>

#include "article/article-list.h"
#include "base/arena.h"
#include "base/ctx.h"

#define PREFIX 3 /* "x1_" */

static int
by_article(const void *a, const void *b)
{
	return strcmp(((const struct present *)a)->article, ((const struct present *)b)->article);
}

void
present_read(struct ctx *c, const struct workspace *w, struct present_list *out)
{
	struct feed_page page;

	feed_list(c, w, false, NULL, 0, PRESENT_MAX, INT64_MAX, &page);
	out->list = arena_array(c->arena, page.count + 1, sizeof(*out->list));
	out->count = page.count;
	out->more = page.more;
	for (size_t i = 0; i < page.count; i++) {
		out->list[i].article = page.articles[i].uuid;
		memcpy(out->list[i].revision, page.revisions[i] + PREFIX, READER_REVISION - 1);
	}
	if (page.count > 0)
		qsort(out->list, page.count, sizeof(*out->list), by_article);
}

const struct present *
present_find(const struct present_list *p, const char *article)
{
	const struct present wanted = { .article = article };

	return p->count == 0 ? NULL
			     : bsearch(&wanted, p->list, p->count, sizeof(wanted), by_article);
}
