#ifndef ACTION_CHOOSE_H
#define ACTION_CHOOSE_H
/* The cover of an article, as a form of the console sets it in memory (action/article/set.h).
 * Nothing here reads a file that a person names. */
#include "access/workspace.h"
#include "action/article/set.h"
#include "base/err.h"

struct upload;

/*
 * Sets a field of action/article/set.h. The cover, "image", is "", which removes it with its
 * words; an https address; the short name of a picture of the workspace
 * (media:<digest>.<ext>); with `upload`, that picture, which the transaction inserts. The
 * alternative text becomes that of the picture. No transaction may be open. Refuses every
 * other cover, and words for a cover where there is none.
 */
MAY_REFUSE struct err *choose_field(struct ctx *c, const struct workspace *w, struct set *set,
    const char *field, const char *value, const struct upload *upload);

/* Refuses a cover that the save brings, is a stored picture, and is in no list of the workspace
 * any more: somebody removed it since choose_field(). `now` is the present cover, or NULL. In the
 * writing transaction. */
MAY_REFUSE struct err *
choose_check(struct ctx *c, const struct workspace *w, const struct snapshot *s, const char *now);

#endif
