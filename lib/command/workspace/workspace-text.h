#ifndef COMMAND_WORKSPACE_TEXT_H
#define COMMAND_WORKSPACE_TEXT_H
/* Workspaces as operators see them. Inside a transaction. */
#include "access/workspace.h"
#include "command/call.h"

/* The members of the present object. */
void workspace_text_json(struct ctx *c, struct jwrite *j,
    const struct workspace *w);

/* Lines: the settings, then which of them are blank and what that costs. */
void workspace_text_say(struct ctx *c, struct call *call,
    const struct workspace *w);

/* The address of an article by these settings: of the newest that is published,
 * else of one called an-article. NULL where they make none. In the arena. */
const char *workspace_text_sample(struct ctx *c, const struct workspace *w);

#endif
