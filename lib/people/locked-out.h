#ifndef PEOPLE_LOCKED_OUT_H
#define PEOPLE_LOCKED_OUT_H
/*
 * People who said on the page of an invitation that they cannot sign in (docs/console.md §2.2):
 * a column of the table person. Operators see them, and only operators end that. Every function
 * needs a transaction of DB_CONSOLE.
 */
#include <stdint.h>

#include "people/person.h"

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
