#ifndef CONSOLE_DOUBT_H
#define CONSOLE_DOUBT_H
/*
 * A text or an order of which nobody knows whether it was done: the store failed while its
 * change was written, or was committed (docs/console.md §3.7). Its form comes back with all
 * that was sent and with its number, so that it is done once, however often it is sent. So does one
 * that came too soon, of which nothing was done. Private to this floor.
 */
#include <stdbool.h>

struct ctx;
struct err;
struct reply;
struct visit;

/* Notes the visit that is answered now; NULL: none. */
void doubt_note(struct ctx *c, const struct visit *v);

/* Returns whether there is one. */
bool doubt_has_visit(void);

/* Writes that page, in a process that cannot go on. Returns false, and writes nothing, where no
 * form is in doubt whose row holds texts (visit.h), or where it brings a file. */
bool doubt_answer(struct ctx *c, struct reply *reply, const struct err *err);

/* Writes it for a form that was refused with `err` before its handler ran; false as there. */
bool doubt_wait(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

#endif
