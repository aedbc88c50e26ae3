#ifndef ARTICLE_ARTICLE_NAME_H
#define ARTICLE_ARTICLE_NAME_H
/*
 * Names that articles hold in their workspace (table article_name): slugs, of
 * working copies and of shown editions, unique together (docs/design.md §6), and the
 * files they were imported from.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/article.h"
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

/*
 * The place of an article before its import (table origin): its address there, and a
 * digest of what the other program's export held. So a second import of the same export
 * changes nothing, whatever an editor changed here meanwhile, and old addresses can lead
 * to new ones.
 */

struct origin {
	const char *url; /* a clean web address, or NULL */
	unsigned char digest[ARTICLE_DIGEST];
};

/* The digest of a snapshot whatever its slug: that may have been taken. Refuses
 * content over CONTENT_BYTES_MAX. */
MAY_REFUSE struct err *
origin_digest(struct ctx *c, const struct snapshot *s, unsigned char out[ARTICLE_DIGEST]);

/* Reads the article's origin; false if it has none. */
bool origin_find(struct ctx *c, const struct article *a, struct origin *out);

/* Sets the origin, in the writing transaction. */
void origin_set(struct ctx *c, const struct article *a, const struct origin *origin);

/* Deletes the origin, in the writing transaction. */
void origin_delete(struct ctx *c, const struct article *a);

/* Calls `each` for the articles of the workspace that had an address and are
 * not in the trash, in the order of their ids. */
void origin_list(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct article *a, const char *url), void *arg);

/*
 * A change of a published article's slug. The article then leaves the address under which
 * others know it, so no command may change the slug by accident. The editions keep the old
 * slug (edition_list_moved()); `galley article addresses` makes redirects of it.
 */

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
