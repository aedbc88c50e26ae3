#ifndef CONSOLE_SENT_H
#define CONSOLE_SENT_H
/* A form that was sent: whether it came from a page of this console, what it holds, its
 * number, and its passage to a change. Private to this floor. */
#include "console/visit.h"

struct headers;

/* Refuses a form that is not from a page of this console (docs/console.md §3.6). */
MAY_REFUSE struct err *sent_origin(struct ctx *c, const struct visit *v, const struct headers *h);

/* Refuses a form of another session. */
MAY_REFUSE struct err *sent_token(struct ctx *c, const struct visit *v);

/* Counts a form of somebody who is signed in. Refuses more than console_forms_per_minute, and sets
 * v->often then. */
MAY_REFUSE struct err *sent_often(struct ctx *c, struct visit *v);

/* Reads the whole form and its number. */
MAY_REFUSE struct err *sent_read(struct ctx *c, struct visit *v, const struct headers *h);

/* Reads the form's number again, after a step-up put other fields in the form's place. */
void sent_number(struct ctx *c, struct visit *v);

/* Writes the fields that were sent, but the token, as bytes that are kept for later (files are
 * not among them). console_put_back() reads them. */
struct buf;
void sent_write(struct ctx *c, const struct visit *v, struct buf *out);

/* Returns whether this very form was sent before and was done; v->answer is its first answer
 * then. A form that is not done yet is not known: the gate asks again, under the lock. */
bool sent_before(struct ctx *c, struct visit *v);

/* Passes a change: who asks, and that this form was not executed before. What is public
 * passes with the action's own rules alone. It is the gate of a visit. */
MAY_REFUSE struct err *sent_enter(struct ctx *c, struct gate *gate);

/* Records the answer of a change that knows it only now: console_will_tell(). */
void sent_leave(struct ctx *c, struct gate *gate);

#endif
