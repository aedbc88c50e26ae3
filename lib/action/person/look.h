#ifndef ACTION_PERSON_LOOK_H
#define ACTION_PERSON_LOOK_H
/* Actions that read people: show, list, sessions, links. They decide nothing about who may read:
 * the caller's place does. */
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "people/link.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/session.h"

/* A membership, with the name of its place. */
struct person_membership {
	const struct membership *m;
	const char *name; /* "" for the instance; NULL: it is not there any more */
};

/* A person, with all memberships. */
struct person_view {
	const struct person *person;
	int64_t seen_at; /* as the sessions tell, too; 0: never */
	const struct person_membership *memberships; /* oldest first */
	size_t count;
};

/* Reads the person that `who`, an id or an e-mail address, names. */
MAY_REFUSE struct err *person_show(struct ctx *c, const char *who, struct person_view *out);

/* Calls `each` for everybody of the instance, by name. */
MAY_REFUSE struct err *
person_show_all(struct ctx *c, void (*each)(void *arg, const struct person_view *view), void *arg);

/* Calls `each` for every membership of an account (a UUID) and its workspaces, oldest
 * first, with the person whose it is. */
MAY_REFUSE struct err *person_show_account(struct ctx *c, const char *account,
    void (*each)(void *arg, const struct person *p, const struct person_membership *m), void *arg);

/* A link that somebody made. */
struct person_made {
	const struct link *link;
	const struct person *person; /* for whom */
	const struct membership *m; /* that an invitation begins; NULL: a reset */
};

/*
 * Calls `each` for the links that a person made, oldest first: the open ones, or, where `since`
 * is not 0, those that ended since then because the person may not make them any more. With an
 * `account` (a UUID) only its invitations, and resets of its members.
 */
MAY_REFUSE struct err *person_links(struct ctx *c, const char *who, const char *account,
    int64_t since, void (*each)(void *arg, const struct person_made *made), void *arg);

/* Calls `each` for the sessions of a person that have not ended, newest first. */
MAY_REFUSE struct err *person_sessions(struct ctx *c, const char *who, struct person **out,
    void (*each)(void *arg, const struct session *s), void *arg);

#endif
