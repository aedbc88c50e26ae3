#ifndef ARTICLE_MOVED_H
#define ARTICLE_MOVED_H
/*
 * A change of a published article's slug: with it the article leaves the address
 * under which others know it, so nobody changes it by accident. The old slug
 * stands in the editions (edition_list_moved()); galley article addresses makes
 * redirects of it.
 */
#include <stdbool.h>

#include "article/article.h"

/* Refuses (param slug) to save a published article under another slug, unless
 * `wanted`. Going back to the slug that is shown is no move. */
MAY_REFUSE struct err *moved_check(struct ctx *c, const struct article *a,
    const char *slug, bool wanted);

/* Whether the article will have another address when it is published again;
 * from where to where: addresses, or slugs where none is configured. */
bool moved_find(struct ctx *c, const struct workspace *w,
    const struct article *a, const char **from, const char **to);

/* The address under a slug; NULL when none is configured. */
const char *moved_address(struct ctx *c, const struct workspace *w,
    const struct article *a, const char *slug);

#endif
