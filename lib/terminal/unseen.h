#ifndef TERMINAL_UNSEEN_H
#define TERMINAL_UNSEEN_H
/* Secrets from standard input: never words of a command, which others can see
 * and shells remember. */
#include <stddef.h>

#include "base/err.h"

struct ctx;

/*
 * Reads standard input to its end, at most `max` bytes, into the arena. From a
 * terminal one line is read, after `prompt`, and not shown. Refuses what cannot
 * be read, is longer or is no text.
 */
MAY_REFUSE struct err *unseen_read(struct ctx *c, const char *prompt,
    size_t max, char **text);

#endif
