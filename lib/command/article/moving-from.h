#ifndef COMMAND_MOVING_FROM_H
#define COMMAND_MOVING_FROM_H
/* galley article import --from PROGRAM: exports of other programs. */
#include "access/workspace.h"
#include "command/call.h"

MAY_REFUSE struct err *moving_from(struct ctx *c, struct call *call,
    const struct workspace *w, const char *program);

#endif
