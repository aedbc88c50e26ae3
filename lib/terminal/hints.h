#ifndef TERMINAL_HINTS_H
#define TERMINAL_HINTS_H
/* The words of hints (base/hint.h) for a person at a shell: the command or option that helps. */
#include "base/hint.h"

struct ctx;

/* Is the `hint` of a struct ctx: returns the sentence with the words of the hint, in the arena.
 * A hint without words is a BUG. */
const char *hints_tell(struct ctx *c, const char *sentence, enum hint hint, const char *about);

#endif
