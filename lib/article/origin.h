#ifndef ARTICLE_ORIGIN_H
#define ARTICLE_ORIGIN_H
/*
 * The place of an article before its import (table origin): its address there, and a
 * digest of what the other program's export held. So a second import of the same export
 * changes nothing, whatever an editor changed here meanwhile, and old addresses can lead
 * to new ones.
 */
#include <stdbool.h>

#include "article/article.h"

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

#endif
