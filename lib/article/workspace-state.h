#ifndef ARTICLE_WORKSPACE_STATE_H
#define ARTICLE_WORKSPACE_STATE_H
/* The state of a workspace as JSON, and what its settings lead to. Call these functions
 * inside a transaction. */
#include <stddef.h>

#include "access/workspace.h"
#include "base/jwrite.h"

/* Writes the members into the object that is open. */
void workspace_state_members(struct ctx *c, struct jwrite *j, const struct workspace *w);

/* A setting that is empty, and what that costs. */
struct workspace_blank {
	const char *field;
	const char *cost;
};

/* Writes the members of its pages (access/word.h, access/pages-look.h), in a transaction of the
 * content. */
void workspace_state_pages(struct ctx *c, struct jwrite *j, const struct workspace *w);

/* Returns the next empty setting of a workspace, or NULL; *i begins as 0. */
const struct workspace_blank *workspace_state_blank(const struct workspace *w, size_t *i);

/* Returns the address that these settings give the newest published article, or one
 * called an-article where none is published. NULL if they give no address. In the
 * arena. */
const char *workspace_state_sample(struct ctx *c, const struct workspace *w);

#endif
