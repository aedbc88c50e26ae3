#ifndef PEOPLE_PERSON_H
#define PEOPLE_PERSON_H
/*
 * The people of an instance (docs/console.md §2). This file owns the table person of the
 * console's store; every function needs a transaction of DB_CONSOLE.
 *
 * lib/people: people, memberships, passwords and second factors, sessions, links, the rows of their
 * tasks. Not here: keys of customers (lib/access), and changes with their rules (lib/action). Begin
 * with person.h.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define PERSON_EMAIL_MAX 254 /* bytes */
#define PERSON_NAME_MAX 200 /* bytes */

struct person {
	int64_t id;
	const char *uuid;
	const char *email; /* as it was typed */
	const char *login; /* case-folded */
	const char *name;
	const char *language; /* BCP 47 tag of the interface */
	const char *password; /* PHC string; NULL: none was set yet */
	bool has_factor;
	int64_t seen_at; /* 0: never; a live session may know more (session.h) */
	int64_t created_at;
	int64_t disabled_at; /* 0: not disabled */
	bool mails; /* what waits is told by mail */
};

/*
 * Checks an e-mail address and makes the login of it: one plain dot-atom, an @ and a
 * domain, at most PERSON_EMAIL_MAX bytes. *email gets the address in NFC, *login its
 * case-folded form (arena). Refuses any other text; `param` is "email".
 */
MAY_REFUSE struct err *
person_read_email(struct ctx *c, const char *text, const char **email, const char **login);

/* Checks a name: one line of 1 to PERSON_NAME_MAX bytes after spaces around it are
 * removed, which shows something and has no invisible characters but spaces and joiners. `param` is
 * "name". */
MAY_REFUSE struct err *person_read_name(struct ctx *c, const char *text, const char **name);

/* Returns "invited", "active" or "disabled". */
const char *person_state(const struct person *p);

/* Return the person, or NULL. `name` is a UUID or an e-mail address in any case. */
struct person *person_of(struct ctx *c, int64_t id);
struct person *person_find(struct ctx *c, const char *name);

/* The same; refuses with 404 where there is none. */
MAY_REFUSE struct err *person_get(struct ctx *c, const char *name, struct person **out);

/* Calls `each` for everybody, by name. */
void person_list(struct ctx *c, void (*each)(void *arg, const struct person *p), void *arg);

/* Returns whether somebody may sign in who is an operator. */
bool person_operator_exists(struct ctx *c);

/* Reads the tag of a language of the interface. Refuses one that this build does not have. */
MAY_REFUSE struct err *person_read_language(struct ctx *c, const char *text, const char **language);

/* Adds a person without a password. Fills id, uuid and created_at. Refuses an address
 * that somebody has (409). */
MAY_REFUSE struct err *person_insert(struct ctx *c, struct person *p);

/* Writes e-mail, login, name and language. Refuses an address that somebody else has. */
MAY_REFUSE struct err *person_update(struct ctx *c, const struct person *p);

/* Sets the password's PHC string, and ends the person's open reset. */
void person_set_password(struct ctx *c, int64_t id, const char *phc);

/* Sets whether what waits is told by mail. */
void person_set_mails(struct ctx *c, int64_t id, bool mails);

/* Returns when the person hid the first steps (action/home-lists.h), or 0; hides them now. */
int64_t person_steps_hidden_at(struct ctx *c, int64_t id);
void person_hide_steps(struct ctx *c, int64_t id);

void person_disable(struct ctx *c, int64_t id, bool disabled);

/* Forgets what was only the person's: devices, held texts, password, second factor and
 * recovery codes. The person has no session and no membership any more. With `erase` the
 * links and the person are deleted, too. */
void person_forget(struct ctx *c, int64_t id, bool erase);

/* Returns how many people there are. */
int64_t person_count(struct ctx *c);

/*
 * For people who come out of a backup (docs/console.md §4.15): removes what never comes
 * back, which is sessions, known browsers, links, held texts, numbers of forms and tasks.
 * If `disable` is true, disables everybody: who left after the backup must not be back.
 */
void person_settle(struct ctx *c, bool disable);

/* Notes that the person was seen at `at`, if that is later than what is known. */
void person_seen(struct ctx *c, int64_t id, int64_t at);

/*
 * People who said on the page of an invitation that they cannot sign in (docs/console.md §2.2):
 * a column of the table person. Operators see them, and only operators end that.
 */

/* Notes it, as of c->now. Who said it before stays at that time. */
void locked_out_note(struct ctx *c, int64_t person_id);

/* Ends it. */
void locked_out_end(struct ctx *c, int64_t person_id);

/* Calls `each` for at most `max` of them, the oldest person first. `account` is the UUID of an
 * account of the person, and `membership` that of the membership there; NULL: there is none. */
void locked_out_list(struct ctx *c, int64_t max,
    void (*each)(
	void *arg, const struct person *p, int64_t at, const char *account, const char *membership),
    void *arg);

#endif
