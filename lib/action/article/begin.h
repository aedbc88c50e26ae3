#ifndef ACTION_BEGIN_H
#define ACTION_BEGIN_H
/*
 * The beginning of an action that changes articles of one workspace. Its scope is
 * DB_CHANGES_WORKSPACE of that workspace. The action ends with action_end(), also when
 * the beginning refuses.
 */
#include "access/workspace.h"
#include "article/article.h"
#include "base/err.h"

/* Begins the transaction in the workspace of the article with this id, and reads both
 * inside it. Refuses an id that no article has, and a workspace that was deleted or
 * restored from a backup at the same time. */
MAY_REFUSE struct err *
begin_article(struct ctx *c, const char *id, struct workspace **w, struct article **a);

#endif
