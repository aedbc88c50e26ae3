#ifndef COMMAND_ASK_H
#define COMMAND_ASK_H
/*
 * Questions to the person at the terminal. Where standard input or standard
 * error is none (pipes, cron) nobody is asked: a script means what it says.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct call;

/* Whether there is somebody to ask. */
bool ask_can(void);

/* Asks on standard error and reads a line; what begins with y or n is an answer,
 * all else is `otherwise`. Only where ask_can(). */
bool ask(const char *question, bool otherwise);

/* Asks on standard error and reads a line, into the arena, without its end; "" at
 * the end of input. Only where ask_can(). */
const char *ask_line(struct ctx *c, const char *question);

/*
 * Before more than one thing is done that is hard to undo: shows the `count`
 * names and asks whether they are to be `done` ("deleted"). Refuses where the
 * answer is no. Nothing with --yes, which the command must have as an option,
 * or where nobody can be asked.
 */
MAY_REFUSE struct err *ask_about(struct ctx *c, const struct call *call, const char *done,
    const char *const *names, size_t count);

#endif
