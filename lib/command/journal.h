#ifndef COMMAND_JOURNAL_H
#define COMMAND_JOURNAL_H
/*
 * log/operator.log: one line for each command that changes something (docs/design.md
 * §1): time, user, the command's words, the ids that it changed, the result. A
 * whole key, which `key revoke` takes, is made unreadable (base/mask.h), and none
 * of what a command prints comes here.
 */
#include "base/err.h"

struct call;

/* From here on the log is operator.log, and what the process may die of is
 * written there too. After the process has become the owner. */
void journal_begin(struct ctx *c, struct call *call);

/* Adds the line, where journal_begin() was called; `err` NULL: it succeeded. */
void journal_end(const struct call *call, const struct err *err);

#endif
