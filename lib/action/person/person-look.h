#ifndef ACTION_PERSON_LOOK_H
#define ACTION_PERSON_LOOK_H
/*
 * What is read of people: who they are, their names beside what they did, and what the logs tell.
 * These functions decide nothing about who may read: the caller's place does.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "people/link.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/session.h"

struct ctx;

/* ---- Names beside what people did, which content names by their UUIDs */

#define NAMES_MAX 256 /* people of one page or file; others have no name there */

/* What was asked already. All zero at the beginning. */
struct names {
	struct names_one {
		const char *person; /* UUID */
		const char *name; /* NULL: removed for good */
	} * list;
	size_t count;
};

/* Returns the name of a person, or NULL if nothing is known of the person. Needs an open
 * transaction of the content: the people are looked at aside of it. */
const char *names_of(struct ctx *c, struct names *names, const char *person);

/* ---- People: show, list, sessions, links */

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

/*
 * ---- Traces
 *
 * What the instance's logs tell of people (docs/console.md §2.3, §4.2): their sign-ins and
 * failures (log/sign-in.log), and their last act in an account (log/operator.log). The last
 * few MiB of a log are read, so what is older is not known. These functions
 * need no transaction.
 */
#define TRACE_EVENTS 20

/* An event of log/sign-in.log. */
struct trace_event {
	int64_t at;
	char kind[24]; /* as sign_log() was told: "wrong-password" */
	char address[64]; /* of the client */
	int64_t times; /* in that minute, as far as it is summed */
};

/* Reads the newest events of one person (a UUID), newest first. Returns how many. */
size_t trace_events(struct ctx *c, const char *person, struct trace_event out[TRACE_EVENTS]);

/* What is known of a person. */
struct trace {
	const char *person; /* UUID */
	int64_t act_at; /* last act in the account; 0: none is known */
	int64_t sign_in_at; /* last sign-in; 0: none is known */
};

/* Fills act_at of everybody in the list. */
void trace_acts(struct ctx *c, const char *account, struct trace *list, size_t count);

/* Fills sign_in_at of everybody in the list. */
void trace_sign_ins(struct ctx *c, struct trace *list, size_t count);

#endif
