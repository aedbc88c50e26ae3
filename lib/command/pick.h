#ifndef COMMAND_PICK_H
#define COMMAND_PICK_H
/*
 * Finds what the words of a call name (action/find.h): it brings the operands, the
 * options and the workspace that was chosen (chosen.h).
 *
 * Call these functions inside a transaction.
 */
#include "action/find.h"
#include "command/call.h"

/* Returns the place that `name` names; NULL is the chosen workspace, or the only one. */
struct find_place pick_place(struct ctx *c, const struct call *call, const char *name);

/* Finds a workspace; more than one is a usage error if `name` is NULL and none was
 * chosen. */
MAY_REFUSE struct err *
pick_workspace(struct ctx *c, const struct call *call, const char *name, struct workspace **out);

/* Finds the article that operand `i` names. The operand is the article's id afterwards,
 * so that a later transaction finds the same article. */
MAY_REFUSE struct err *
pick_article(struct ctx *c, struct call *call, size_t i, struct article **out);

/* Reads the article that operand `i` names, outside a transaction. The operand is the
 * article's id afterwards. */
MAY_REFUSE struct err *
pick_one_article(struct ctx *c, struct call *call, size_t i, struct article **out);

/* Reads the number of an edition: the option --edition, else FIND_NEWEST. */
MAY_REFUSE struct err *pick_version(struct ctx *c, const struct call *call, int64_t *version);

/* Finds an edition of the article by its number; NULL is the newest edition. */
MAY_REFUSE struct err *
pick_edition(struct ctx *c, const struct article *a, const char *number, struct edition *out);

#endif
