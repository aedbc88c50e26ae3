#ifndef ACTION_ACTIVITY_THING_H
#define ACTION_ACTIVITY_THING_H
/* What an id of the content names, and whose it is. */
#include <stdbool.h>

struct ctx;

enum thing_kind {
	THING_NONE, /* it is not there, or not any more */
	THING_ARTICLE,
	THING_KEY,
	THING_JOB,
	THING_WORKSPACE,
	THING_ACCOUNT,
	THING_SHARE /* id and name are its article's */
};

struct thing {
	enum thing_kind kind;
	const char *id; /* UUID */
	const char *name; /* title, topic or name; of a key its label, or its ends; may be "" */
	const char *account; /* UUID */
	const char *workspace; /* UUID; NULL: none, or it was deleted */
	const char *place; /* name of the workspace, or NULL */
};

/* Finds what a UUID names; kind is THING_NONE if nothing does. Needs an open transaction of
 * the content. */
void thing_find(struct ctx *c, const char *id, struct thing *out);

#endif
