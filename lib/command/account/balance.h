#ifndef COMMAND_BALANCE_H
#define COMMAND_BALANCE_H
/* The credits of an account, as commands tell them. */
#include "access/account.h"
#include "command/call.h"

/* Four members of the present object: granted, available, reserved, spent. */
void balance_to_json(struct jwrite *w, const struct account *a);

/* "20 available, 0 reserved and 5 spent, of 25 granted". In the arena. */
const char *balance_text(struct ctx *c, const struct account *a);

#endif
