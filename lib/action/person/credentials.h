#ifndef ACTION_CREDENTIALS_H
#define ACTION_CREDENTIALS_H
/*
 * What people do for their own sign-in, with a link or in their session.
 *
 * A link is an invitation, or a reset of the password (docs/console.md §2.2, §2.6). To look at it
 * does not use it up.
 */
#include "action/person/signing.h"
#include "base/err.h"
#include "people/factor.h"
#include "people/link.h"
#include "people/session.h"

struct join {
	enum link_state state;
	const struct person *person; /* whose link it is; NULL with LINK_UNKNOWN */
	const char *email; /* of a reset the person's; of an invitation as it was typed */
	const char *name; /* of an invitation as it was typed */
	const char *place; /* name of the account or workspace; "" for the instance, NULL: gone */
	bool fresh; /* the person has no password yet; told to nobody else */
	bool own; /* the visitor is signed in as that person */
	bool needs_password; /* a new one is part of the form */
};

/* Looks at a link; `visitor` is the internal id of the person who is signed in, or 0. */
void
join_look(struct ctx *c, enum link_kind kind, const char *text, int64_t visitor, struct join *out);

struct join_order {
	enum link_kind kind;
	const char *text;
	const char *name; /* of who says to be new here; else NULL */
	const char *password; /* the new one; NULL where none is needed */
	struct sign_order from; /* the browser; its session, if there is one, is `before` */
};

/*
 * Uses a link up. An invitation begins the membership of a new person, who is signed in
 * then, or of a person in their own session. A new password ends all other sessions and
 * known browsers. After a reset the second factor is still asked for. out->token is "" if
 * the session stays as it is. Refuses as password_read() and person_read_name() do, and with
 * ERR_CONFLICT what is not as it was looked at, and somebody who says to be new here and is not.
 * The former come first and are the same for everybody, so that they tell nobody who is known.
 */
MAY_REFUSE struct err *
join_finish(struct ctx *c, const struct join_order *order, struct signed_in *out);

/* Notes that the person of a good invitation cannot sign in, for the operators; also of a person
 * who has no password yet, because nobody learns who has one. Refuses (ERR_CONFLICT) a link that is
 * over. */
MAY_REFUSE struct err *join_cannot(struct ctx *c, const char *text);

/* Ends that. Refuses a person (a UUID) who is not there. */
MAY_REFUSE struct err *join_can_again(struct ctx *c, const char *person);

/* Returns whether who has this session proved lately enough who they are to join with a new
 * password: else a session that was left open would be worth a password. */
bool join_is_proved(const struct ctx *c, const struct session *s);

/*
 * ---- In a session
 *
 * What people change of their own sign-in (docs/console.md §3.1, §3.2, §4.2). A changed
 * password or factor ends all other sessions, and all other browsers are unknown then.
 */

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

/* Removes the factor, and sets a password that is long enough without one. Refuses (ERR_CONFLICT)
 * if there is no factor. */
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

/* Sets whether what waits for the person is told by mail (action/person/mailing.h). */
MAY_REFUSE struct err *self_set_mails(struct ctx *c, const struct self *self, bool mails);

/* Hides the first steps of the workspaces that there are (action/home-lists.h). */
MAY_REFUSE struct err *self_hide_steps(struct ctx *c, const struct self *self);

/* Ends all sessions of the person, this one too. */
MAY_REFUSE struct err *self_sign_out(struct ctx *c, const struct self *self);

#endif
