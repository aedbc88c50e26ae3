#ifndef CONSOLE_PEOPLE_H
#define CONSOLE_PEOPLE_H
/* What the screens of people have in common (docs/console.md §2). A row of the list is a
 * membership; its UUID is the ID of the path. */
#include "action/person/person-actions.h"
#include "action/person/person-look.h"
#include "console/answer.h"

/* A membership that this place shows, and what the person of the session may do with it. */
struct member {
	const struct person *person;
	const struct membership *m;
	const char *where; /* name of its place */
	const char *by; /* name of who invited; NULL: galley did, or it is not known */
	bool changes; /* may change the role */
	bool ends; /* may end the membership */
	bool acts; /* may reset, disable, remove the person */
};

/* Returns the path of the list, below the root (arena): "/UUID/people". */
const char *people_path(struct ctx *c, const struct visit *v);

/* Returns who asks. */
struct person_by people_by(const struct visit *v);

/* Reads the one that the path names. Refuses one of another place as one that is not there. */
MAY_REFUSE struct err *people_find(struct ctx *c, const struct visit *v, struct member *out);

/* Returns the name that this place may know: as it was typed, until the invitation is
 * opened. */
const char *people_name(const struct member *m);

/* Returns the address that this place may know, in the same way. */
const char *people_email(const struct person *p, const struct membership *m);

/* Returns the role in words. */
const char *people_role(const struct member *m);

/* Returns the roles that the person of the session may give here: choices of a form (arena). */
const struct field_choice *people_roles(struct ctx *c, const struct visit *v);

/* Links to this account that somebody made. */
struct people_links {
	struct person_made *list;
	size_t count;
};

/* Reads those that a person (a UUID) made: the open ones, or, where `ended` is true, those that
 * ended within a day because the person may not make them any more. */
MAY_REFUSE struct err *people_read_links(
    struct ctx *c, const struct visit *v, const char *person, bool ended, struct people_links *out);

/* Writes a section with the links, if there are some. */
void people_write_links(struct hwrite *w, const struct people_links *links, bool ended);

/* Returns the path of the keys that a person made, below the root (arena). */
const char *made_path(struct ctx *c, const struct visit *v, const char *person);

/* Writes the state as a word. */
void people_write_state(struct hwrite *w, const struct member *m);

/* Writes the page that shows a link, the only time. */
void people_page_link(struct ctx *c, const struct visit *v, struct reply *reply,
    const struct person_link *link, const char *under);

#endif
