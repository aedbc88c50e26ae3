#ifndef SIGN_SELF_H
#define SIGN_SELF_H
/*
 * What people change of their own sign-in (docs/console.md §3.1, §3.2, §4.2). A changed
 * password or factor ends all other sessions, and all other browsers are unknown then.
 */
#include "action/sign/prove.h"
#include "base/err.h"
#include "people/factor.h"
#include "people/session.h"

/* Who changes it, from which session. */
struct self {
	const struct person *person;
	const struct session *session;
	const char *device; /* the device cookie, or NULL */
	const char *address; /* of the client */
};

/* Changes the password; `token` gets the session's next one. Refuses a wrong present
 * password (`param` "present"), and a new one as password_read() does ("password"). */
MAY_REFUSE struct err *self_set_password(struct ctx *c, const struct self *self,
    const char *present, const char *fresh, char token[SESSION_TOKEN + 1]);

/* Makes the offered secret the person's factor (people/factor.h), and draws recovery
 * codes. Refuses a wrong code (`param` "code"). */
MAY_REFUSE struct err *self_set_factor(struct ctx *c, const struct self *self, const char *offer,
    const char *code, const char *codes[FACTOR_CODES], char token[SESSION_TOKEN + 1]);

/* Removes the factor, and sets a password that is long enough without one. */
MAY_REFUSE struct err *self_remove_factor(
    struct ctx *c, const struct self *self, const char *fresh, char token[SESSION_TOKEN + 1]);

/* Draws other recovery codes. Refuses a person without a factor (ERR_CONFLICT). */
MAY_REFUSE struct err *
self_draw_codes(struct ctx *c, const struct self *self, const char *codes[FACTOR_CODES]);

/* Calls `each` for the person's sessions that have not ended, newest first. */
void self_sessions(struct ctx *c, const struct self *self,
    void (*each)(void *arg, const struct session *s), void *arg);

/* Reads what is known of the person's factor. */
void self_factor(struct ctx *c, const struct self *self, struct factor_state *out);

/* Ends one session of the person, by its UUID. Refuses another one (404). */
MAY_REFUSE struct err *self_end_session(struct ctx *c, const struct self *self, const char *uuid);

/* Sets whether what waits for the person is told by mail (action/mailing/mailing.h). */
MAY_REFUSE struct err *self_set_mails(struct ctx *c, const struct self *self, bool mails);

/* Hides the first steps of the workspaces that there are (action/home-lists.h). */
MAY_REFUSE struct err *self_hide_steps(struct ctx *c, const struct self *self);

/* Ends all sessions of the person, this one too. */
MAY_REFUSE struct err *self_sign_out(struct ctx *c, const struct self *self);

#endif
