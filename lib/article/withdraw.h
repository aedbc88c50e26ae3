#ifndef ARTICLE_WITHDRAW_H
#define ARTICLE_WITHDRAW_H
/*
 * Counts what a workspace shows no longer (column withdrawn of workspace_more). /sync says
 * nothing of it, so that the change clock does not move; websites that are told of changes
 * (tell/notify.h) must hear of it.
 */
#include <stdint.h>

struct ctx;

/* Counts one article that was published until now. In the writing transaction. A workspace
 * without a row, which tells nobody, has no count. */
void withdraw_count(struct ctx *c, int64_t workspace_id);

#endif
