#ifndef ACTION_HOME_STEPS_H
#define ACTION_HOME_STEPS_H
/*
 * The first steps of a new workspace (docs/console.md §4.1): what is done of them, until all is,
 * or the person hides them, or the workspace is STEPS_DAYS old.
 */
#include <stdbool.h>
#include <stddef.h>

#include "action/home/places.h"

#define STEPS_DAYS 60

enum steps_kind {
	STEPS_ARTICLE, /* there is an article */
	STEPS_KEY, /* there is a key, with which a website reads */
	STEPS_PAGES, /* Galley shows the articles itself */
	STEPS_PEOPLE, /* somebody else is invited */
	STEPS_KINDS
};

struct steps {
	const struct places_row *row; /* the workspace; NULL: nothing is to be shown */
	bool done[STEPS_KINDS];
	size_t count; /* of those that are done */
};

/* Fills *out for the newest workspace of `p`, as places_read() found them, that the person manages:
 * an operator's only where the person is a member of its account, or there is one account. It is
 * its own transactions. */
void steps_read(struct ctx *c, const struct places *p, struct steps *out);

#endif
