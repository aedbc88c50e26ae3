#ifndef SIGN_JOIN_H
#define SIGN_JOIN_H
/*
 * What a person does with a link: an invitation, or a reset of the password
 * (docs/console.md §2.2, §2.6). To look uses nothing up.
 */
#include "action/sign/sign.h"
#include "base/err.h"
#include "people/link.h"

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

#endif
