#ifndef PEOPLE_LINK_H
#define PEOPLE_LINK_H
/*
 * Links that are sent to people (docs/console.md §2.2, §2.6): an invitation lives 7 days, a
 * reset of the password 1 hour. A link works once. This file owns the table link of the
 * console's store; every function needs a transaction of DB_CONSOLE.
 *
 * What a link is worth depends on its maker, too: an action asks rule_check_link()
 * (action/person/person-rules.h), and link_check() nowhere else.
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
	int64_t made_by; /* the person who made it; 0: galley did */
	int64_t created_at;
	int64_t expires_at;
	int64_t used_at; /* 0: not used */
};

enum link_state {
	LINK_UNKNOWN, /* there is no such link: 404 */
	LINK_OVER, /* used, expired, or ended by a newer one: 410 */
	LINK_GOOD
};

/*
 * Adds a link; `text` gets its only copy. The caller fills kind, person_id, membership_id and
 * made_by, and the function all others. Ends older invitations to the same `account`, or older
 * resets of the person.
 */
void link_insert(struct ctx *c, struct link *l, const char *account, char text[LINK_TEXT]);

/* Finds the link of this kind with this text, which may be any text, and uses nothing
 * up. *out is filled unless it is LINK_UNKNOWN. A reset of a disabled person is over. */
enum link_state link_check(struct ctx *c, enum link_kind kind, const char *text, struct link *out);

/* Uses a good link up. */
void link_use(struct ctx *c, const struct link *l);

/* Ends a link whose maker may not make it any more. */
void link_revoke(struct ctx *c, const struct link *l);

/* Call `each` for the links that a person made, oldest first: those that are open, and those
 * that ended by link_revoke() since a time. */
void link_list_open(
    struct ctx *c, int64_t made_by, void (*each)(void *arg, const struct link *l), void *arg);
void link_list_revoked(struct ctx *c, int64_t made_by, int64_t since,
    void (*each)(void *arg, const struct link *l), void *arg);

/* Ends the open invitations of a person to one account. */
void link_end_invitations(struct ctx *c, int64_t person_id, const char *account);

/* Ends the open reset of a person: who made it may have been allowed to do so by what the person
 * was before, or the person needs none any more. Whatever sets a password, gives rights or ends
 * all sessions calls it. */
void link_end_resets(struct ctx *c, int64_t person_id);

/* Ends all links of a person. */
void link_end_all(struct ctx *c, int64_t person_id);

#endif
