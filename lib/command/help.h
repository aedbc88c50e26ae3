#ifndef COMMAND_HELP_H
#define COMMAND_HELP_H
/* Finding commands by their words, and telling about them: help, the manual page, completion. All
 * texts come from the rows of the tables (command.h). */
#include "base/err.h"
#include "command/command.h"

struct buf;

/* The row of a noun and verb, or of a command of one word (noun NULL); NULL
 * when there is none. */
const struct command *help_find(const char *noun, const char *verb);

/* "galley article import", in the arena. */
const char *help_name(struct ctx *c, const struct command *command);

/* The refusal for words that are no command, with the nearest one that is. */
MAY_REFUSE struct err *help_unknown(struct ctx *c, const char *first, const char *second);

/* Appends all about one command. */
void help_of_command(struct ctx *c, const struct command *row, struct buf *out);

#endif
