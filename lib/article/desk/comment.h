#ifndef ARTICLE_DESK_COMMENT_H
#define ARTICLE_DESK_COMMENT_H
/*
 * What people said about an article (table comment; docs/console.md §5.1), and the acts of a
 * review that they said it with. The newest COMMENT_KEPT of an article stay.
 */
#include <stdint.h>

#include "article/article.h"

#define COMMENT_KEPT 500
#define COMMENT_MAX ((size_t)10000) /* bytes */

enum comment_kind { COMMENT_SAID, COMMENT_HANDED_IN, COMMENT_HANDED_BACK, COMMENT_TAKEN_BACK };

struct comment {
	int64_t at;
	const char *person; /* UUID */
	enum comment_kind kind;
	const char *text; /* "": the act alone */
};

/* Stores a comment, as of c->now. In a writing transaction. */
void comment_insert(struct ctx *c, const struct article *a, enum comment_kind kind,
    const char *person, const char *text);

/* Calls `each` for the comments of an article, newest first, at most `limit`. */
void comment_list(struct ctx *c, const struct article *a, int64_t limit,
    void (*each)(void *arg, const struct comment *comment), void *arg);

#endif
