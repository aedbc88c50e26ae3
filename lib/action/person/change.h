#ifndef ACTION_PERSON_CHANGE_H
#define ACTION_PERSON_CHANGE_H
/*
 * What becomes of people (docs/console.md §2.3, §2.4): fields and rights, disable and enable,
 * the end of sessions, removal. `who` is an id or an e-mail address.
 */
#include <stdbool.h>
#include <stddef.h>

#include "action/person/rule.h"
#include "base/err.h"
#include "people/person.h"

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

#endif
