#ifndef ACTION_SIGNING_H
#define ACTION_SIGNING_H
/*
 * Signing in and out (docs/console.md §3.1 to §3.5). These actions are for who is not signed
 * in yet, so no gate is passed; each looks at the person and the session again under the
 * lock. What fails and what succeeds is a line of log/sign-in.log.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/uuid.h"
#include "people/person.h"
#include "people/session.h"

struct ctx;

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

/* ---- The step-up: a person who is signed in proves again who they are (docs/console.md §3.4) */

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

/*
 * ---- Forms that are kept
 *
 * Forms that are kept for a person, sealed with people/secret (docs/console.md §3.4, §3.9): one
 * that waits for a step-up, and a text that was sent when its session had ended by time or its
 * account was suspended. This file owns the table held of the console's store; every function needs
 * a transaction of DB_CONSOLE, unless it says otherwise.
 *
 * A person has ten of each kind: the oldest one is removed.
 */
struct held {
	char uuid[UUID_TEXT];
	int64_t created_at;
	const char *target; /* the address that it was sent to */
	const unsigned char *bytes; /* with a NUL after them; NULL: nobody can read them */
	size_t len;
};

/* Keeps what was sent in a session that ended by time (`state` SESSION_ENDED), or that goes on
 * (SESSION_GOOD), in a transaction of its own, which is on the disk when it returns. Returns false,
 * and keeps nothing, if it is in another state by now: signed out, reset, disabled, or still
 * half. */
bool held_keep(struct ctx *c, const struct session *s, enum session_state state, const char *target,
    const void *bytes, size_t len);

/* Reads one of the kind HELD_ENDED (arena); false: the person has none with this id. */
bool held_find(struct ctx *c, int64_t person_id, const char *uuid, struct held *out);

/* Reads all of them, newest first, and returns their number. */
#define HELD_MAX 10

size_t held_list(struct ctx *c, int64_t person_id, struct held out[HELD_MAX]);

/* Returns how many there are. */
int64_t held_count(struct ctx *c, int64_t person_id);

/* Remove one of a person, and all of both kinds: at sign-out, reset and disabling. */
void held_delete(struct ctx *c, int64_t person_id, const char *uuid);

void held_delete_all(struct ctx *c, int64_t person_id);

/* Removes one of a person, as an action: in a transaction of its own, with the gate. */
MAY_REFUSE struct err *held_discard(struct ctx *c, int64_t person_id, const char *uuid);

/*
 * ---- The log
 *
 * log/sign-in.log: who signed in, and who failed (docs/console.md §3.12). The first event of
 * a kind, person and address in a minute is a line at once; how often it happened again in
 * that minute is another line, later. So nobody can fill the disk by failing. No text that
 * was typed is ever in it.
 */
/* Notes an event. `kind` is a literal such as "sign-in" or "wrong-password", `person` a UUID,
 * or NULL: nobody has that login. A fault is a line of the program's log. Needs c->now. */
void sign_log(struct ctx *c, const char *kind, const char *person, const char *address);

#endif
