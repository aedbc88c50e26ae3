#ifndef COMMAND_PICK_H
#define COMMAND_PICK_H
/*
 * Finds what an operator names. Ids are UUIDs; the name of an account or a
 * workspace serves where only one has it; a workspace may be left out where
 * there is only one (design §6). What is not there is refused by name.
 *
 * Inside a transaction.
 */
#include <stdint.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "article/edition.h"
#include "base/err.h"

MAY_REFUSE struct err *pick_account(struct ctx *c, const char *name,
    struct account **out);

/* `name` NULL: the only workspace; more than one is a usage error. */
MAY_REFUSE struct err *pick_workspace(struct ctx *c, const char *name,
    struct workspace **out);

/* By its id, or by the whole key: what one has when it has leaked. No refusal
 * quotes what may be a key. */
MAY_REFUSE struct err *pick_key(struct ctx *c, const char *id,
    struct apikey **out);

/* An article of any workspace, of any status. */
MAY_REFUSE struct err *pick_article(struct ctx *c, const char *id,
    struct article **out);

/* An edition of it by its number, NULL: the last one. */
MAY_REFUSE struct err *pick_edition(struct ctx *c, const struct article *a,
    const char *number, struct edition *out);

#endif
