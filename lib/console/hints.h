#ifndef CONSOLE_HINTS_H
#define CONSOLE_HINTS_H
/* The words of hints (base/hint.h) for a person in a browser, and where they lead. Private to
 * this floor. */
#include <stdbool.h>

#include "base/err.h"

struct visit;

/* Is the `hint` of a struct ctx: returns the sentence with the words of the hint, in the
 * person's language and in the arena; the sentence alone if a browser needs none. */
const char *hints_say(struct ctx *c, const char *sentence, enum hint hint, const char *about);

/* Finds the screen to which the hint of a refusal leads this person. Returns false if there is
 * none. */
bool hints_link(struct ctx *c, const struct visit *v, const struct err *err, const char **address,
    const char **label);

#endif
