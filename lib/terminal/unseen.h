#ifndef TERMINAL_UNSEEN_H
#define TERMINAL_UNSEEN_H
/* Reads a secret from standard input. A secret must never be a word of a command, which
 * other users can see and shells remember. */
#include <stddef.h>

#include "base/err.h"

struct ctx;

/*
 * Reads standard input to its end, at most `max` bytes, into the arena. From a terminal
 * it reads one line, after `prompt`, that is not shown. Refuses input that cannot be
 * read, is longer than `max` or is not text.
 */
MAY_REFUSE struct err *unseen_read(struct ctx *c, const char *prompt, size_t max, char **text);

#endif
