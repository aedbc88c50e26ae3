#ifndef ARTICLE_CONTENT_STATE_H
#define ARTICLE_CONTENT_STATE_H
/*
 * The state of an article as JSON, without its content (docs/design.md §6). A member is
 * named as its column; `changed` says that the working copy differs from the edition,
 * `base` is the token of the working copy. `unfinished` is the number of callouts of
 * kind todo in the working copy (article_unfinished()).
 */
#include <stddef.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/jwrite.h"

/* Writes the state as one object. */
void article_state_write(struct jwrite *j, const struct article *a, int64_t unfinished);

/* Writes the members into the object that is open. */
void article_state_members(struct jwrite *j, const struct article *a, int64_t unfinished);

/* The state of a workspace as JSON, and what its settings lead to. Call these functions
 * inside a transaction. */

/* Writes the members into the object that is open. */
void workspace_state_members(struct ctx *c, struct jwrite *j, const struct workspace *w);

/* A setting that is empty, and what that costs. */
struct workspace_blank {
	const char *field;
	const char *cost;
};

/* Writes the members of its pages (access/pages-settings.h), in a transaction of the
 * content. */
void workspace_state_pages(struct ctx *c, struct jwrite *j, const struct workspace *w);

/* Returns the next empty setting of a workspace, or NULL; *i begins as 0. */
const struct workspace_blank *workspace_state_blank(const struct workspace *w, size_t *i);

/* Returns the address that these settings give the newest published article, or one
 * called an-article where none is published. NULL if they give no address. In the
 * arena. */
const char *workspace_state_sample(struct ctx *c, const struct workspace *w);

#endif
