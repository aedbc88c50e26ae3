#ifndef PEOPLE_LINK_H
#define PEOPLE_LINK_H
/*
 * Links that are sent to people (docs/console.md §2.2, §2.6): an invitation lives 7 days, a
 * reset of the password 1 hour. A link works once. This file owns the table link of the
 * console's store; every function needs a transaction of DB_CONSOLE.
 *
 * The text of a link is its prefix and 160 random bits; only its digest is stored.
 */
#include <stdint.h>

#include "base/err.h"

#define LINK_TEXT 51 /* with its NUL: the longest prefix, 40 digits */

enum link_kind { LINK_INVITE, LINK_RESET };

struct link {
	int64_t id;
	enum link_kind kind;
	int64_t person_id;
	int64_t membership_id; /* of an invitation, else 0 */
	int64_t created_at;
	int64_t expires_at;
	int64_t used_at; /* 0: not used */
};

enum link_state {
	LINK_UNKNOWN, /* there is no such link: 404 */
	LINK_OVER,    /* used, expired, or ended by a newer one: 410 */
	LINK_GOOD
};

/*
 * Adds a link of this kind for a person; `text` gets its only copy. An invitation names
 * its membership, a reset 0. Ends older invitations of the same account, or
 * older resets of the person. Fills *out.
 */
void link_insert(struct ctx *c, enum link_kind kind, int64_t person_id,
    int64_t membership_id, char text[LINK_TEXT], struct link *out);

/* Finds the link of this kind with this text, which may be any text, and uses nothing
 * up. *out is filled unless it is LINK_UNKNOWN. */
enum link_state link_check(struct ctx *c, enum link_kind kind, const char *text,
    struct link *out);

/* Uses a good link up. An invitation begins the person's memberships of its account. */
void link_use(struct ctx *c, const struct link *l);

/* Ends the open invitations of a person to one account. */
void link_end_invitations(struct ctx *c, int64_t person_id, const char *account);

/* Ends all links of a person. */
void link_end_all(struct ctx *c, int64_t person_id);

#endif
