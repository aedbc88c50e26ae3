#ifndef ARTICLE_MOVED_H
#define ARTICLE_MOVED_H
/*
 * A change of a published article's slug. The article then leaves the address under which
 * others know it, so no command may change the slug by accident. The editions keep the old
 * slug (edition_list_moved()); `galley article addresses` makes redirects of it.
 */
#include <stdbool.h>

#include "article/article.h"

/* Refuses (param slug) to save a published article under another slug, unless
 * `wanted`. Going back to the slug that is shown is no move. */
MAY_REFUSE struct err *
moved_check(struct ctx *c, const struct article *a, const char *slug, bool wanted);

/* Returns whether the article will have another address when it is published again.
 * *from and *to are the addresses, or the slugs if no address is configured. */
bool moved_find(struct ctx *c, const struct workspace *w, const struct article *a,
    const char **from, const char **to);

/* Returns the address for a slug; NULL if no address is configured. */
const char *
moved_address(struct ctx *c, const struct workspace *w, const struct article *a, const char *slug);

#endif
