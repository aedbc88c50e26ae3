#ifndef ARTICLE_NAME_H
#define ARTICLE_NAME_H
/*
 * Names that articles hold in their workspace (table article_name): slugs, of
 * working copies and of shown editions, unique together (docs/design.md §6), and the
 * files they were imported from.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The longest name, in bytes, that fits an index of each store (docs/postgres.md §9). Slugs have a
 * smaller bound; who imports a file refuses a longer path. */
#define NAME_BYTES_MAX ((size_t)2000)

/*
 * The slug that the article may hold: `slug`, or where it is derived and taken
 * the first free of slug-2, slug-3 … Refuses an explicit one that another
 * article holds (param slug; the sentence names both). article_id 0: of an
 * article that is about to be made. Holds nothing yet.
 */
MAY_REFUSE struct err *name_choose_slug(struct ctx *c, int64_t workspace_id, int64_t article_id,
    const char *slug, bool derived, const char **chosen);

/* Makes the article hold the slug. Does nothing if it already does. */
void name_hold_slug(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *slug);

/* Frees the slug. Does nothing if the article does not hold it. */
void name_drop_slug(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *slug);

/* Frees all names of the article. */
void name_drop_all(struct ctx *c, int64_t workspace_id, int64_t article_id);

/* The article, a new one, is what the file at this path made; no other is. */
void name_hold_source(struct ctx *c, int64_t workspace_id, int64_t article_id, const char *source);

/* Returns the internal id of the article that holds the name; 0 if none does. */
int64_t name_find(struct ctx *c, int64_t workspace_id, const char *kind, const char *name);

#endif
