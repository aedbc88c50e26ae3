#ifndef ACTION_FIRST_OPERATOR_H
#define ACTION_FIRST_OPERATOR_H
/*
 * The first operator, and the reset of an operator who cannot sign in: by the code of a file
 * that only the owner of the instance can read (docs/console.md §2.7).
 */
#include <stdbool.h>

#include "action/person/signing.h"
#include "base/err.h"

struct ctx;

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

/*
 * ---- The code
 *
 * run/console/code.txt: the code of the page Start (docs/console.md §2.7). A person who can
 * read that file owns the instance. A code is good for 24 hours. No function needs a
 * transaction.
 */
/* Writes a code, unless a good one is there. False with errno set. */
bool start_code_make(struct ctx *c);

/* Returns whether a good code is there. */
bool start_code_exists(struct ctx *c);

/* Returns the path of the file (arena). */
const char *start_code_path(struct ctx *c);

/* ---- The address of an instance that has none, set by who has the code */

/* Returns whether the address may be set: plain http may not while require_https is on. */
bool start_address_is_good(struct ctx *c, const char *url);

/*
 * Sets public_url in galley.conf, and nothing else of that file, and gives it to the workspaces
 * where the database is of this release; else the job runner does that. c->conf is then what the
 * file says. `address` is the client's. Refuses as start_check() does, an address that
 * public_url cannot be or start_address_is_good() refuses (ERR_INVALID), and an instance
 * that has one by now (ERR_CONFLICT).
 */
MAY_REFUSE struct err *
start_address(struct ctx *c, const char *code, const char *address, const char *url);

#endif
