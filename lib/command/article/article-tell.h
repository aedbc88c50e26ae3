#ifndef COMMAND_ARTICLE_TELL_H
#define COMMAND_ARTICLE_TELL_H
#include "action/article/saved.h"
#include "command/call.h"

/*
 * Prints what a command that saved the working copy ends with. For people: whether
 * there are changes to publish, and from where to where the article will move then.
 * With --json: the members of article/content-state.h and `moved`, {from, to} or
 * null.
 */
void article_tell(struct call *call, const struct saved *s);

#endif
