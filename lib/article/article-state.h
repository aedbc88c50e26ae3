#ifndef ARTICLE_ARTICLE_STATE_H
#define ARTICLE_ARTICLE_STATE_H
/*
 * The state of an article as JSON, without its content (docs/design.md §6). A member is
 * named as its column; `changed` says that the working copy differs from the edition,
 * `base` is the token of the working copy. `unfinished` is the number of callouts of
 * kind todo in the working copy (article_unfinished()).
 */
#include "article/article.h"
#include "base/jwrite.h"

/* Writes the state as one object. */
void article_state_write(struct jwrite *j, const struct article *a, int64_t unfinished);

/* Writes the members into the object that is open. */
void article_state_members(struct jwrite *j, const struct article *a, int64_t unfinished);

#endif
