#ifndef ACTION_PERSON_ACTIONS_H
#define ACTION_PERSON_ACTIONS_H
/* Actions on people (docs/console.md §2.2 to §2.6): how they come in, and what becomes of them.
 * `who` is an id or an e-mail address. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/person/person-rules.h"
#include "base/err.h"
#include "people/link.h"
#include "people/person.h"

struct ctx;

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

/* ---- What becomes of them: fields and rights, disable and enable, the end of sessions, removal */

/* Fields to write; NULL: as it is. */
struct person_fields {
	const char *email; /* a new one ends all links that were sent to the old one, and what
			      other accounts have open for it */
	const char *name;
	const char *language;
};

/* Writes fields of a person. Everybody may change their own language. */
MAY_REFUSE struct err *person_change(struct ctx *c, const struct person_by *by, const char *who,
    const struct person_fields *fields, struct person **out);

/* Rights in one place. */
struct person_rights {
	struct where where;
	const char *role; /* membership_role_rights(); "none" ends the membership; or NULL: */
	unsigned rights; /* of enum right; 0 ends it */
};

/* Changes or ends a membership. The tool also adds one, which begins when its invitation is
 * opened. *open_invitation tells whether it has not begun. */
MAY_REFUSE struct err *person_set_rights(struct ctx *c, const struct person_by *by, const char *who,
    const struct person_rights *rights, struct person **out, bool *open_invitation);

/*
 * Disables a person, or ends that. Disabling ends the person's sessions, links
 * and tasks. When it returns, no change of content goes on that the person began
 * before: it has held the write lock of the content once.
 */
MAY_REFUSE struct err *person_switch(
    struct ctx *c, const struct person_by *by, const char *who, bool disabled, struct person **out);

/* Ends all sessions of a person. */
MAY_REFUSE struct err *
person_sign_out(struct ctx *c, const struct person_by *by, const char *who, struct person **out);

/*
 * Removes a person: memberships, sessions, links, devices, password and second factor
 * are gone, and tasks end; the content's lock is held once as above. The name stays
 * beside what the person did, and the person can be invited again. With `erase` name and
 * address are deleted, too.
 */
MAY_REFUSE struct err *person_remove(
    struct ctx *c, const struct person_by *by, const char *who, bool erase, struct person **out);

/*
 * ---- What ends in the content when a person may do less
 *
 * People and content are two stores (docs/console.md §2.4), so it is a transaction of its own after
 * the one that took the rights. Under its lock the rights are read again, and what they no longer
 * allow ends. It is safe to repeat. If a process dies between the two transactions, a runner does
 * it (ending_all()).
 */

/* Ends it for all people who share something. The task runner calls it. */
void ending_all(struct ctx *c);

/* Returns whether ending_all() has something to do. */
bool ending_is_due(struct ctx *c);

#endif
