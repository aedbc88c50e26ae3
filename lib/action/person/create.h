#ifndef ACTION_PERSON_CREATE_H
#define ACTION_PERSON_CREATE_H
/* How people come in (docs/console.md §2.2, §2.6): create, invite, reset. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/person/rule.h"
#include "base/err.h"
#include "people/link.h"
#include "people/person.h"

#define PERSON_PLACES_MAX 100 /* workspaces of one invitation */

/* A new person, or a known one who is to be a member of another place. */
struct person_order {
	struct person_by by;
	const char *email;
	const char *name; /* of a known person: what the inviting account sees first */
	const char *language; /* BCP 47 tag of the interface; NULL: en */
	const struct where *where; /* one, or several workspaces of one account */
	size_t where_count;
	const char *role; /* membership_role_rights(); or NULL: */
	unsigned rights; /* of enum right */
	bool known; /* somebody may have this address already: the answer is the same */
	bool link; /* makes the invitation's link at once */
};

/* A link that was made. */
struct person_link {
	struct person *person;
	char text[LINK_TEXT]; /* shown once; the caller must clear it */
	const char *email; /* for whom it is: of an invitation, as it was typed */
	const char *path; /* below the console's root: "/invite/ab_invite_…" */
	int64_t expires_at; /* 0: no link was made */
	bool mailed; /* it is mailed to the person, too */
};

/*
 * Creates a person, and memberships that begin when the invitation is opened. Refuses an
 * address that somebody has, unless `known`; a person who is a member of that place; and
 * rights that who asks does not have. An invitation that was not opened is replaced.
 */
MAY_REFUSE struct err *
person_create(struct ctx *c, const struct person_order *order, struct person_link *out);

/* Makes another link for an invitation that was not opened. The older one of
 * this account works no more. `where` NULL: the only account that invited the person. */
MAY_REFUSE struct err *person_invite(struct ctx *c, const struct person_by *by, const char *who,
    const struct where *where, struct person_link *out);

/* Makes a link that sets a new password. Refuses who has none yet, or is disabled. */
MAY_REFUSE struct err *
person_reset(struct ctx *c, const struct person_by *by, const char *who, struct person_link *out);

#endif
