#ifndef ACTION_PERSON_RULES_H
#define ACTION_PERSON_RULES_H
/*
 * Who may change people, and where: the rules of docs/console.md §2.3. Every action on people asks
 * here, inside its transaction. The operator's tool may do everything.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "people/link.h"
#include "people/membership.h"
#include "people/person.h"

/* ---- Where a membership is: the instance, an account or a workspace, and its name */

/* A place as a person names it. */
struct where {
	enum membership_kind kind;
	const char *name; /* id or name of the account or workspace; of the instance NULL */
};

/* The place as memberships name it. */
struct where_found {
	enum membership_kind kind;
	const char *place; /* as in struct membership */
	const char *account;
	const char *name; /* for people: of the account or workspace; "" for the instance */
};

/* Finds the place, in a snapshot of the content aside of the present transaction. */
MAY_REFUSE struct err *
where_find(struct ctx *c, const struct where *where, struct where_found *out);

/* Returns the name of a membership's place, or NULL if it is not there any more. */
const char *where_name(struct ctx *c, const struct membership *m);

/* Sets *out to the rights of a role, or, if `role` is NULL, checks these rights. Refuses what
 * a place of this kind does not have: only the instance has operators, and no others. */
MAY_REFUSE struct err *where_rights(
    struct ctx *c, enum membership_kind kind, const char *role, unsigned rights, unsigned *out);

/* ---- Who may change people */

/* Who asks for a change. */
struct person_by {
	bool tool; /* the operator's tool; else: */
	int64_t person_id; /* the person of the session */
};

/* Returns the UUID of who asks; "": the tool. */
const char *rule_name(struct ctx *c, const struct person_by *by);

/* The memberships of a person, oldest first. */
struct rule_memberships {
	const struct membership **list;
	size_t count;
};

void rule_read(struct ctx *c, int64_t person_id, struct rule_memberships *out);

/*
 * Refuses an act on the person: reset, e-mail, name, disabling, removal, the end of all
 * sessions. It belongs to operators, and to who manages every account of which
 * the person is a member, with all rights that the person has there. A person who was
 * invited to an account and did not come yet is a member of it only as long as no
 * membership has begun.
 */
MAY_REFUSE struct err *rule_act(struct ctx *c, const struct person_by *by, const struct person *p);

/* Refuses to give these rights in this place: who gives them must manage the place
 * and have all of them there. Only operators make operators. */
MAY_REFUSE struct err *rule_give(
    struct ctx *c, const struct person_by *by, const struct where_found *where, unsigned rights);

/* Refuses to change or end this membership: of somebody who has more rights there, or in a
 * place that is not managed. Everybody may end an own membership (`ends`). */
MAY_REFUSE struct err *
rule_change(struct ctx *c, const struct person_by *by, const struct membership *m, bool ends);

/*
 * Refuses to invite this person to this account. A link begins all open memberships of an
 * account, and of a new person it makes who opens it that person: who makes it must be
 * allowed to decide about each of them.
 */
MAY_REFUSE struct err *
rule_invite(struct ctx *c, const struct person_by *by, int64_t person_id, const char *account);

/*
 * Looks at a link as link_check() does, and asks the rule that allowed it of its maker again: a
 * link that its maker may not make any more is LINK_OVER. In the transaction that uses the link
 * this decides; a link of galley itself is always allowed.
 */
enum link_state
rule_check_link(struct ctx *c, enum link_kind kind, const char *text, struct link *out);

/* Ends the open links that a person made and may not make any more, after the person's rights
 * have changed: they must not be good again if the person is given such rights later. */
void rule_end_links(struct ctx *c, int64_t made_by);

/* Refuses what would leave the instance without an operator, or an account without a
 * person who manages it: the membership would have the rights `after`, 0 if it
 * ends. */
MAY_REFUSE struct err *
rule_last(struct ctx *c, const struct person_by *by, const struct membership *m, unsigned after);

/* Does the same for all memberships of a person who is disabled or removed. */
MAY_REFUSE struct err *
rule_last_of(struct ctx *c, const struct person_by *by, const struct person *p);

#endif
