#ifndef SIGN_PROVE_H
#define SIGN_PROVE_H
/* The step-up: a person who is signed in proves again who they are (docs/console.md §3.4). */
#include <stddef.h>

#include "base/err.h"
#include "base/uuid.h"
#include "people/person.h"
#include "people/session.h"

struct prove_order {
	const struct session *session;
	const struct person *person;
	const char *typed; /* the code of a person with a second factor, else the password */
	const char *device; /* the device cookie, or NULL */
	const char *address; /* of the client */
	const char *held; /* of prove_hold(), or "" */
	const char *target; /* the address that was asked for */
};

struct proved {
	char token[SESSION_TOKEN + 1]; /* the session's next token; the caller clears it */
	const struct session *session; /* as it is now */
	const unsigned char *bytes; /* that were kept, or NULL */
	size_t len;
};

/* Keeps the bytes of a form meanwhile. */
void prove_hold(struct ctx *c, const struct prove_order *order, const void *bytes, size_t len,
    char uuid[UUID_TEXT]);

/* Compares what was typed, gives the session another token, and takes out what was kept.
 * Refuses a wrong password or code (ERR_INVALID, `param` "proof"), too many of them
 * (ERR_RATE_LIMITED), and a session that has ended (ERR_UNAUTHORIZED). */
MAY_REFUSE struct err *prove(struct ctx *c, const struct prove_order *order, struct proved *out);

/* Compares a password alone, whether or not the person has a second factor. Changes
 * nothing. Refuses as prove() does. */
MAY_REFUSE struct err *prove_password(struct ctx *c, const struct prove_order *order);

#endif
