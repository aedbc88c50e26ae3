#ifndef CONSOLE_DOUBT_H
#define CONSOLE_DOUBT_H
/*
 * A form of which nobody knows whether it was done: the store failed while its change was
 * written, or was committed (docs/console.md §3.7). It comes back with all that was sent and with
 * its number, so that it is done once, however often it is sent. Private to this floor.
 */
#include <stdbool.h>

struct ctx;
struct err;
struct reply;
struct visit;

/* Notes the visit that is answered now; NULL: none. */
void doubt_note(struct ctx *c, const struct visit *v);

/* Writes that page, in a process that cannot go on. Returns false, and writes nothing, where no
 * numbered form is in doubt, or where it holds a password or a file. */
bool doubt_answer(struct ctx *c, struct reply *reply, const struct err *err);

#endif
