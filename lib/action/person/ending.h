#ifndef ACTION_PERSON_ENDING_H
#define ACTION_PERSON_ENDING_H
/*
 * What ends in the content when a person may do less (docs/console.md §2.4). People and content
 * are two stores, so it is a transaction of its own behind the one that took the rights. Under
 * its lock the rights are read again, and what they no longer allow ends. It is safe to
 * repeat. If a process dies between the two transactions, a runner does it (ending_all()).
 */
#include <stdbool.h>

struct ctx;

/* Ends the shares of a person (UUID) that the person may not make any more. When it returns, no
 * change of content goes on that the person began before: it has held the write lock of the
 * content once. */
void ending_person(struct ctx *c, const char *person);

/* Do the same for all people who share something, and return whether there is something to
 * do. The task runner calls them. */
void ending_all(struct ctx *c);
bool ending_is_due(struct ctx *c);

#endif
