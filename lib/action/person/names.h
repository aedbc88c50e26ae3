#ifndef ACTION_PERSON_NAMES_H
#define ACTION_PERSON_NAMES_H
/* The names of people beside what they did, which content names by their UUIDs. */
#include <stddef.h>

struct ctx;

#define NAMES_MAX 256 /* people of one page or file; others have no name there */

/* What was asked already. All zero at the beginning. */
struct names {
	struct names_one {
		const char *person; /* UUID */
		const char *name; /* NULL: removed for good */
	} * list;
	size_t count;
};

/* Returns the name of a person, or NULL if nothing is known of the person. Needs an open
 * transaction of the content: the people are looked at aside of it. */
const char *names_of(struct ctx *c, struct names *names, const char *person);

#endif
