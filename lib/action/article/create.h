#ifndef ACTION_CREATE_H
#define ACTION_CREATE_H
/* The action that makes an empty draft. It changes the workspace of the draft
 * (DB_CHANGES_WORKSPACE). */
#include "access/workspace.h"
#include "article/article.h"
#include "base/err.h"

/* Makes a draft with this title in workspace `w`, which was read in an earlier
 * transaction. Its slug is made of the title, its language is the workspace's. */
MAY_REFUSE struct err *create_draft(
    struct ctx *c, const struct workspace *w, const char *title, const struct article **out);

#endif
