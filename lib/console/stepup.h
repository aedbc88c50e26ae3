#ifndef CONSOLE_STEPUP_H
#define CONSOLE_STEPUP_H
/*
 * "Is it you?" (docs/console.md §3.4): the page that comes before what needs a fresh proof.
 * The form is kept on the server meanwhile; one with a file or a password is not, so such a
 * form must ask when it is shown (console_step_up() in the handler of its GET).
 */
#include <stdbool.h>

#include "base/err.h"

struct ctx;
struct reply;
struct visit;

/* Returns whether what was sent is the answer to the page. */
bool stepup_is_answer(const struct visit *v);

/*
 * Reads that answer. *go_on: v->sent is the form that was kept, and the session has another
 * token (v->renewed); else the reply is there.
 */
MAY_REFUSE struct err *
stepup_answer(struct ctx *c, struct visit *v, struct reply *reply, bool *go_on);

#endif
