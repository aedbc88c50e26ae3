#ifndef ARTICLE_EDITION_H
#define ARTICLE_EDITION_H
/*
 * The editions of an article, for people who look back (table edition): what was
 * published when, and under which slugs. They are immutable; publish.c makes
 * them, article_edition() reads what is in them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/article.h"

/* A row without its snapshot. */
struct edition {
	int64_t version; /* publication number, from 1 */
	int64_t published_at;
	unsigned char digest[ARTICLE_DIGEST];
	const char *title;
	const char *slug;
	const char *language;
	int64_t unfinished; /* callouts of kind todo that were left out */
};

/* Reads the edition with this number; false if the article has none. */
bool edition_find(struct ctx *c, const struct article *a, int64_t version, struct edition *out);

/* Calls `each` for the editions of the article, newest first. */
void edition_list(struct ctx *c, const struct article *a,
    void (*each)(void *arg, const struct edition *edition), void *arg);

/* Returns whether publishing the working copy would make an equal edition. */
bool edition_is_current(struct ctx *c, const struct article *a, const struct edition *edition);

/* Returns the slug under which the article is shown; NULL if it is not shown. */
const char *edition_shown_slug(struct ctx *c, const struct article *a);

/*
 * Calls `each` for the slugs under which the published articles of the workspace
 * were shown before they were moved, by article and age, newest first. Left out
 * are slugs that another article holds now.
 */
void edition_list_moved(struct ctx *c, int64_t workspace_id,
    void (*each)(void *arg, const struct article *a, const char *slug), void *arg);

/* Destroys all editions of the article (purge.h). In the writing transaction. */
void edition_delete(struct ctx *c, const struct article *a);

#endif
