#ifndef COMMAND_IDS_H
#define COMMAND_IDS_H
/*
 * Ids from standard input, so that one command can work on the list of another:
 *
 *	galley article list -q --search compost | galley article publish -
 *
 * The operand `-` means all ids there (COMMAND_IDS), or, if a command takes one id
 * (COMMAND_ID), the only id there. Spaces or newlines separate them.
 */
#include "base/err.h"

struct call;

/* Puts the ids in the place of the operand; there may be none. A command that takes one
 * id is refused if there is another number of them. Does nothing for other commands. */
MAY_REFUSE struct err *ids_read(struct ctx *c, struct call *call);

#endif
