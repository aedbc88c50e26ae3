#ifndef ACTION_PERSON_WHERE_H
#define ACTION_PERSON_WHERE_H
/* Where a membership is: the instance, an account or a workspace, and its name. */
#include "base/err.h"
#include "people/membership.h"

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

#endif
