#ifndef COMMAND_CALL_USAGE_H
#define COMMAND_CALL_USAGE_H
/* Refusals that say how a command is used: they end the program with exit status 2. */
#include <stdbool.h>

#include "base/err.h"

struct ctx;

/* Makes a refusal that is a usage error. */
MAY_REFUSE struct err *
call_usage(struct ctx *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether the refusal is a usage error: one of call_usage(), or that a workspace
 * must be named. */
bool call_is_usage(const struct err *err);

#endif
