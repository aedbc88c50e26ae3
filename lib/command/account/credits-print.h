#ifndef COMMAND_CREDITS_PRINT_H
#define COMMAND_CREDITS_PRINT_H
/* The credits of an account, as commands tell them. */
#include "access/account.h"
#include "command/call.h"

/* Four members of the present object: granted, available, reserved, spent. */
void credits_print_json(struct jwrite *w, const struct account *a);

/* "20 available, 0 reserved and 5 spent, of 25 granted". In the arena. */
const char *credits_print_text(struct ctx *c, const struct account *a);

#endif
