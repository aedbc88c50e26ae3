#ifndef COMMAND_PICK_H
#define COMMAND_PICK_H
/*
 * Finds what an operator names. Ids are UUIDs; the name of an account or a
 * workspace serves where only one has it; a workspace may be left out where one
 * was chosen (chosen.h) or there is only one (docs/design.md §6). An article may be named by
 * its slug, the beginning of its id or its title as well, where one alone has that.
 * What is not there is refused by name, and what may be several things is refused
 * with all of them: a name never means more than one.
 *
 * Inside a transaction.
 */
#include <stdint.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "article/edition.h"
#include "base/err.h"
#include "command/call.h"

MAY_REFUSE struct err *pick_account(struct ctx *c, const char *name,
    struct account **out);

/* `name` NULL: the chosen workspace, which must be there, else the only one; more
 * than one is a usage error. */
MAY_REFUSE struct err *pick_workspace(struct ctx *c, const struct call *call,
    const char *name, struct workspace **out);

/* By its id, or by the whole key: what one has when it has leaked. No refusal
 * quotes what may be a key. */
MAY_REFUSE struct err *pick_key(struct ctx *c, const char *id,
    struct apikey **out);

/*
 * The article, of any status, that operand `i` names; the operand is its id from
 * then on, so that the same article is picked again in a later transaction. By its
 * id it is found in any workspace, by other names in the chosen workspace alone, if
 * one was chosen.
 */
MAY_REFUSE struct err *pick_article(struct ctx *c, struct call *call, size_t i,
    struct article **out);

/* An article of any workspace, of any status, by its id alone. */
MAY_REFUSE struct err *pick_article_id(struct ctx *c, const char *id,
    struct article **out);

/* An edition of it by its number, NULL: the last one. */
MAY_REFUSE struct err *pick_edition(struct ctx *c, const struct article *a,
    const char *number, struct edition *out);

#endif
