#ifndef COMMAND_MANUAL_H
#define COMMAND_MANUAL_H
/* The commands for other readers than people at a terminal: the part COMMANDS
 * of galley(1), and a shell's completion. Made of the rows of the tables
 * (command.h), so that neither can be out of date. */
#include "base/err.h"

struct buf;

/* Appends a list of all commands in mdoc, the language of manual pages. */
void manual_commands(struct ctx *c, struct buf *out);

/* Appends a script for bash. */
void manual_bash(struct ctx *c, struct buf *out);

#endif
