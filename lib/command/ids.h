#ifndef COMMAND_IDS_H
#define COMMAND_IDS_H
/*
 * Ids from standard input, so that one command's list can be another's work:
 *
 *	galley article list -q --search compost | galley article publish -
 *
 * The operand `-` stands for all ids there (COMMAND_IDS), or where a command
 * takes one id (COMMAND_ID) for the only one. They are divided by blanks or
 * newlines.
 */
#include "base/err.h"

struct call;

/* Puts them in the place of the operand; none may be left of it. A command that
 * takes one is refused another number. Nothing for other commands. */
MAY_REFUSE struct err *ids_read(struct ctx *c, struct call *call);

#endif
