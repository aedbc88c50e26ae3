#ifndef SIGN_START_H
#define SIGN_START_H
/*
 * The first operator, and the reset of an operator who cannot sign in: by the code of a file
 * that only the owner of the instance can read (docs/console.md §2.7).
 */
#include "action/sign/sign.h"
#include "base/err.h"

struct start_order {
	const char *code; /* as typed */
	const char *person; /* the operator who is reset: a UUID; NULL: the first one */
	const char *email; /* of the first operator, as the name */
	const char *name;
	const char *password; /* the new one */
	struct sign_order from; /* the browser alone */
};

/* Compares a code. Refuses a wrong one (ERR_INVALID, `param` "code"), and too many of them
 * from one address (ERR_RATE_LIMITED). */
MAY_REFUSE struct err *start_check(struct ctx *c, const char *code, const char *address);

/* Calls `each` for every operator with a password, oldest first; for the page with the
 * choice. */
void start_operators(struct ctx *c, void (*each)(void *arg, const struct person *p), void *arg);

/*
 * Makes the first operator, or resets one: password, second factor and sessions. Signs the
 * person in, and uses the code up. Refuses as start_check() and password_read() do, a first
 * operator where there is one (ERR_CONFLICT), and a person who is no operator.
 */
MAY_REFUSE struct err *
start_finish(struct ctx *c, const struct start_order *order, struct signed_in *out);

#endif
