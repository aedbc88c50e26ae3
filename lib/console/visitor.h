#ifndef CONSOLE_VISITOR_H
#define CONSOLE_VISITOR_H
/* Who asks, where, and what they may do there. Private to this floor. */
#include "console/request.h"

struct headers;
struct matched;

/* Reads the workspace and account of the path; false if there is none. */
bool visitor_place(struct ctx *c, struct visit *v, const struct matched *m);

/* Finds who asks, what that person may do in the place of the path, and begins the person's
 * language. */
void visitor_find(struct ctx *c, struct visit *v, const struct headers *h);

/* Finds what the visitor may do in the place of the path. */
void visitor_rights(struct ctx *c, struct visit *v);

/* Refuses who is signed in and may not do this: 404 in a place that they do not know of. */
MAY_REFUSE struct err *visitor_right(struct ctx *c, const struct visit *v);

/* Refuses a change where the account is suspended (console_rests()), and sets v->rests then. */
MAY_REFUSE struct err *visitor_suspended(struct ctx *c, struct visit *v);

/* Looks again, in a transaction, whether the visitor may do this: session, person, rights,
 * and whether the account is suspended. The request may have waited for the lock. */
MAY_REFUSE struct err *visitor_again(struct ctx *c, struct visit *v);

#endif
