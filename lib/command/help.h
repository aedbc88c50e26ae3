#ifndef COMMAND_HELP_H
#define COMMAND_HELP_H
/* What is told about commands: help, the manual page, completion. All texts come from the rows of
 * the tables (command.h). */
#include "base/err.h"
#include "command/command.h"

struct buf;

/* Appends all about one command. */
void help_of_command(struct ctx *c, const struct command *row, struct buf *out);

#endif
