#ifndef ACTION_MAILING_H
#define ACTION_MAILING_H
/*
 * Who is told what by mail (docs/console.md §2.6): links that were made for a person, and what Home
 * tells (action/home-lists.h), once each. Nobody who changes something writes for the latter: the
 * task runner looks at what waits for each person, as Home does.
 *
 * Told are articles handed in (not to who handed them in), orders that failed, keys that end, sites
 * that are silent and accounts with few credits, in the account and the workspaces of which the
 * person is a member: an operator is not told of all customers. Who switched mails off in Your
 * account, is disabled, or has no such right any more gets none, also if it waits already; links
 * are mailed all the same, because somebody else asked for them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "notify/mail.h"
#include "people/person.h"

/* Returns whether this instance sends mails: mail_command and an address are set. */
bool mailing_is_on(struct ctx *c);

/* Adds the mail of a link that was made for this person, if the instance sends mails. Returns
 * whether it will be sent. In the writing transaction of DB_CONSOLE that made the link. */
bool mailing_add_link(struct ctx *c, enum mail_kind kind, const struct person *p,
    const char *account, const char *link);

/* Adds a mail for everything that waits for somebody and was not told, in transactions of its own,
 * until `must_stop` or the time `until` (boot clock). */
void mailing_gather(struct ctx *c, int64_t until, bool (*must_stop)(void));

/* A mail as it is sent. */
struct mailing {
	struct person *person;
	const char *email; /* the person's, or what was typed with the invitation */
	const char *path; /* below the console, where it leads */
};

/* Reads whom a mail goes to and where it leads, as of now. False: nobody wants it any more. */
bool mailing_read(struct ctx *c, const struct mail *m, struct mailing *out);

#endif
