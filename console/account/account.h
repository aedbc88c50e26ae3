#ifndef SCREENS_ACCOUNT_H
#define SCREENS_ACCOUNT_H
/* The screens of an account: credits.c, credits-page.c, credits-csv.c; activity.c,
 * activity-csv.c; verification.c. */
#include "../all.h"
#include "action/account-actions.h"
#include "action/activity-log.h"

/* The page of Credits. */
struct credits {
	struct ctx *c;
	const struct visit *v;
	struct credits_view view;
	struct form period; /* as it was asked for */
	struct form move; /* of operators */
};

/* What is written into <main>. */
void credits_write(struct hwrite *w, const void *data);

/* Returns an address of this account's screens with the period in its query; `before` is
 * NULL, or the number of a movement. */
const char *credits_address(const struct credits *p, const char *path, const char *before);

/* Reads the period of the query into the form and the view. Returns false if a date is wrong;
 * the form says so. */
bool credits_read_period(struct credits *p);

/* Reads place and filter of the query, without its choices. */
void activity_asked(struct ctx *c, const struct visit *v, struct activity *a);

/* Writes how the account gets verified, on a page that needs that: an owner gets the button, or
 * what became of it; all others learn whom to ask. Nothing where it is verified or suspended.
 * It is its own transaction. */
void verification_write(struct hwrite *w, struct ctx *c, const struct visit *v);

/* Return who did it, and what it is about, in words. */
const char *activity_by(struct ctx *c, const struct activity_line *line);
const char *activity_about(struct ctx *c, const struct activity_line *line);

#endif
