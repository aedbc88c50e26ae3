#ifndef CONSOLE_KEYS_H
#define CONSOLE_KEYS_H
/* What the screens of keys have in common. */
#include "access/apikey.h"
#include "console/answer.h"

/* Returns what a key may do, in words (arena). */
const char *key_may(struct ctx *c, const struct apikey *key);

#endif
