#ifndef CONSOLE_HOLD_H
#define CONSOLE_HOLD_H
/*
 * A text that was sent in a session which had ended by time, or to a suspended account
 * (docs/console.md §3.9): it is kept, and the same person sends it again later. Private to this
 * floor.
 */
#include "console/visit.h"

/* Keeps what was sent, if the row holds it and the session ended by time, and answers with the
 * way to the sign-in. Returns false, with no answer, if nothing was kept. The form was read
 * and its token fits. */
bool hold_keep(struct ctx *c, const struct visit *v, struct reply *reply);

/* Keeps what was sent to a suspended account, if the row holds it, and answers with `err` and where
 * it is. Returns false, with no answer, if nothing was kept. The form was read and its token
 * fits. */
bool hold_resting(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

/* Puts what was kept in the place of the form that sends it again: v is then a visit of the
 * address to which it was sent. Refuses what that address refuses, and what is not there. */
MAY_REFUSE struct err *hold_again(struct ctx *c, struct visit *v, const char **uuid);

/* Removes what was sent again, once it is done. */
void hold_done(struct ctx *c, const struct visit *v, const char *uuid);

#endif
