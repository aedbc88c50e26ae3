#ifndef COMMAND_ARTICLE_JSON_H
#define COMMAND_ARTICLE_JSON_H
/* The state of an article as one JSON object, without its content: members are
 * named as the columns (docs/design.md §6), `changed` tells of pending changes,
 * `unfinished` how many callouts of kind todo the working copy has. Inside a
 * transaction. */
#include "article/article.h"
#include "base/jwrite.h"
#include "command/call.h"

void article_json_write(struct ctx *c, struct jwrite *j,
    const struct article *a);

/*
 * What a command that saved the working copy ends with. For people: that there
 * are changes to publish, and from where to where its address will move then.
 * With --json the object, and its member `moved`: {from, to} or null.
 */
void article_json_tell(struct ctx *c, struct call *call,
    const struct workspace *w, const struct article *a);

#endif
