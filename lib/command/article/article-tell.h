#ifndef COMMAND_ARTICLE_TELL_H
#define COMMAND_ARTICLE_TELL_H
#include "article/article.h"
#include "command/call.h"

/*
 * Prints what a command that saved the working copy ends with. For people: whether
 * there are changes to publish, and from where to where the article will move then.
 * With --json: the members of article/article-state.h and `moved`, {from, to} or
 * null. Call it inside a transaction.
 */
void article_tell(struct ctx *c, struct call *call, const struct workspace *w,
    const struct article *a);

#endif
