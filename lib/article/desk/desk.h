#ifndef ARTICLE_DESK_DESK_H
#define ARTICLE_DESK_DESK_H
/*
 * What people agreed about an article in the console: handed in for review, to be
 * published at a time, shown to others by a link (tables desk, comment, share of
 * db/schema.sql; docs/console.md §4.5, §5.1, §5.2). No route of the API reads it.
 */
#include "article/article.h"
#include "base/ctx.h"

/* What is agreed now; all zero is nothing. */
struct desk {
	int64_t handed_in_at; /* 0: it is not handed in (handed.h) */
	int64_t publish_at; /* 0: it has no date; a suspended one counts, too */
};

/* Reads it; of an article in the trash it is nothing. */
void desk_find(struct ctx *c, const struct article *a, struct desk *out);

/* Deletes all of it, before the article's row and its saves are deleted. Call it in a
 * write transaction. */
void desk_delete(struct ctx *c, const struct article *a);

/* Deletes the article's row of desk if nothing of it is set. Who unsets a part calls it, in
 * the same transaction. */
void desk_tidy(struct ctx *c, const struct article *a);

/* Ends all links to previews that are open: for a database that was restored. What was ended
 * meanwhile would be open again, and nobody saw who has the others. */
void desk_end_shares(struct ctx *c);

#endif
