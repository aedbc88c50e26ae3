#ifndef SIGN_SIGN_H
#define SIGN_SIGN_H
/*
 * Signing in and out (docs/console.md §3.1 to §3.5). These actions are for who is not signed
 * in yet, so no gate is passed; each looks at the person and the session again under the
 * lock. What fails and what succeeds is a line of log/sign-in.log.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "people/person.h"
#include "people/session.h"

/* What somebody typed, and from where. */
struct sign_order {
	const char *email;
	const char *password;
	bool trusted; /* "This is my own device" */
	const char *device; /* the device cookie, or NULL */
	const char *address; /* of the client */
	const char *browser; /* User-Agent, or "" */
	const struct session *before; /* of the cookie that was sent: it ends; or NULL */
};

/* What became of it. The caller clears both tokens. */
struct signed_in {
	const struct person *person;
	bool half; /* the second step is still to come: sign_in_code() */
	bool trusted;
	bool again; /* another sending of the form has done it: the browser has its token */
	bool recovered; /* by a recovery code */
	bool wronged; /* wrong codes had been typed since the last right one */
	char token[SESSION_TOKEN + 1];
	char device[DEVICE_TOKEN + 1]; /* "": the browser's own stays */
};

/*
 * Checks a password and begins a session, which is half if the person has a second factor.
 * One sentence (ERR_INVALID, no `param`) is for an unknown address, a wrong password and a
 * disabled person, and all three take the same time. Refuses with ERR_RATE_LIMITED and
 * ERR_UNAVAILABLE as people/throttle.h and people/password.h say.
 */
MAY_REFUSE struct err *
sign_in(struct ctx *c, const struct sign_order *order, struct signed_in *out);

/*
 * The second step: makes the half session whole, with another token, if the code is right.
 * Refuses a wrong code (ERR_INVALID, `param` "code"), and one that comes too early
 * (ERR_RATE_LIMITED). After five attempts the session is gone: ERR_UNAUTHORIZED.
 */
MAY_REFUSE struct err *sign_in_code(struct ctx *c, const struct session *half, const char *typed,
    const struct sign_order *order, struct signed_in *out);

/* Ends a half session, so that somebody signs in from the first step. Nothing else ends: what is
 * held for the person stays. *whole: the session became whole meanwhile, and goes on. */
MAY_REFUSE struct err *sign_back(struct ctx *c, const struct session *half, bool *whole);

/* Begins a session in the present writing transaction, for a person who has just proven who
 * they are; `half` if the second step is still to come. Uses the order's browser alone. */
void sign_begin(struct ctx *c, const struct person *p, bool half, const struct sign_order *order,
    struct signed_in *out);

/* Ends the session. */
MAY_REFUSE struct err *
sign_out(struct ctx *c, const struct session *s, const char *person, const char *address);

#endif
