#ifndef PEOPLE_RECALL_H
#define PEOPLE_RECALL_H
/*
 * Visits that are recalled: whose session a token is, and what that person may do in one
 * workspace, without people/console.db (docs/speed.md §3). Opening a second store was a third of
 * what a page of the console cost. Only a page that writes nothing uses it.
 *
 *	r = recall_begin(c, token, workspace);	before either store is asked
 *	if (!recall_find(c, r, &what)) {
 *		…				the store is asked
 *		recall_keep(c, r, &what);
 *	}
 *
 * A record is a file in one of some places of run/console/kept/. It is believed while all this
 * is as it was when the store was asked:
 *
 * - nothing was committed to the store since (run/console/generation, store/generation.h);
 * - people/console.db and its log have the times and lengths of then, so that a program which
 *   announces nothing, such as sqlite3, is seen, too;
 * - both stores are the same files, and the program is the same build.
 *
 * A record that is torn, damaged, too long, a link or another user's counts as missing, and so
 * does every record on a network's file system, or of another start of the machine.
 *
 * When a session ends by time is never recalled: it is computed for each request from the times
 * of the session and from the file of its last use. A record holds neither the token nor its
 * digest: who reads it can make no cookie and no form's token. It holds the person's name, and
 * neither the address nor the password.
 */
#include <stdbool.h>
#include <stdint.h>

#include "people/person.h"
#include "people/session.h"

struct recall;

/* What is recalled. Of `session` and `person` all members are empty that a page without a
 * form about this person does not need: `address` and `browser`; `email`, `login`, `password`,
 * and what is known of times. */
struct recalled {
	struct session *session;
	struct person *person;
	const char *account; /* UUID: the rights are those in a workspace of this account */
	unsigned rights;     /* of enum right */
	int64_t workspace_id; /* the workspace's internal id; a restore changes it */
};

/* Begins to recall the visit of a workspace (its UUID in lower case) by who has this token.
 * Returns NULL if nothing can be recalled here, and kept_answers = 0 is such a case. Needs no
 * transaction. */
struct recall *recall_begin(struct ctx *c, const char *token, const char *workspace);

/* Returns whether there is a record and the session has not ended at c->now; else *out is empty.
 * `r` may be NULL. */
bool recall_find(struct ctx *c, const struct recall *r, struct recalled *out);

/* Keeps what the store said since recall_begin() about a good session, unless the store was
 * changed meanwhile. Call it outside a transaction. A fault is silent: the next request asks the
 * store. `r` may be NULL. */
void recall_keep(struct ctx *c, const struct recall *r, const struct recalled *what);

/* Adds what names the record and all that it depends on to a digest, for what is kept of a
 * recalled visit besides (console/kept-page.h). */
struct digest;
void recall_digest(const struct recall *r, struct digest *d);

/* Returns whether nothing has changed since recall_begin(). */
bool recall_is_fresh(struct ctx *c, const struct recall *r);

/* Removes records that are older than a day, or all: a person who was deleted is named in no
 * record. */
void recall_sweep(struct ctx *c, bool all);

#endif
