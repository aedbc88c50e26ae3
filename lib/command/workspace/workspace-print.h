#ifndef COMMAND_WORKSPACE_PRINT_H
#define COMMAND_WORKSPACE_PRINT_H
#include "access/workspace.h"
#include "command/call.h"

/* Prints a workspace for people: its settings, then which of them are empty and what
 * that costs. Call it inside a transaction. */
void workspace_print_lines(struct ctx *c, struct call *call, const struct workspace *w);

#endif
