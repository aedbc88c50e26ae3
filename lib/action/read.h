#ifndef ACTION_READ_H
#define ACTION_READ_H
/*
 * Actions that only read: they find what is named (find.h) in a transaction of their
 * own, so that a person can be asked before anything is changed, and a wrong name
 * changes nothing.
 */
#include <stddef.h>

#include "action/find.h"

/* Reads the workspace of `place`. */
MAY_REFUSE struct err *
read_workspace(struct ctx *c, const struct find_place *place, struct workspace **out);

/* Reads the article that has this name. */
MAY_REFUSE struct err *
read_article(struct ctx *c, const struct find_place *place, const char *name, struct article **out);

/* Reads the articles that have these names: all or none of them. out[i] is the article
 * of names[i]. */
MAY_REFUSE struct err *read_articles(struct ctx *c, const struct find_place *place,
    const char *const *names, size_t count, struct article **out);

/* Reads an edition of the article; `version` may be FIND_NEWEST. */
MAY_REFUSE struct err *
read_edition(struct ctx *c, const struct article *a, int64_t version, struct edition *out);

#endif
