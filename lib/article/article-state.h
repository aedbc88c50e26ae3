#ifndef ARTICLE_ARTICLE_STATE_H
#define ARTICLE_ARTICLE_STATE_H
/*
 * The state of an article as JSON, without its content (docs/design.md §6). A member is
 * named as its column; `changed` says that the working copy differs from the edition,
 * `unfinished` counts the callouts of kind todo in the working copy, `base` is the
 * token of the working copy. Call both functions inside a transaction.
 */
#include "article/article.h"
#include "base/jwrite.h"

/* Writes the state as one object. */
void
article_state_write(struct ctx *c, struct jwrite *j, const struct article *a);

/* Writes the members into the object that is open. */
void
article_state_members(struct ctx *c, struct jwrite *j, const struct article *a);

#endif
