#ifndef COMMAND_JOURNAL_H
#define COMMAND_JOURNAL_H
/*
 * log/operator.log: one line for each command that changes something (docs/design.md
 * §1): time, user, the command's words, the ids that it changed, the result. A
 * whole key, which `key revoke` takes, is made unreadable (base/mask.h). Nothing that a
 * command prints is written here.
 */
#include "base/err.h"

struct call;

/* Makes operator.log the log of the process, which also records why the process dies.
 * Call it after the process has become the owner. */
void journal_begin(struct ctx *c, struct call *call);

/* Adds the line, if journal_begin() was called. `err` NULL means success. */
void journal_end(const struct call *call, const struct err *err);

#endif
