#ifndef VERIFICATION_H
#define VERIFICATION_H
/* Verification, on the pages of others (docs/console.md §4.13). */
#include "console/answer.h"

/* Writes how the account gets verified, on a page that needs that: an owner gets the button, or
 * what became of it; all others learn whom to ask. Nothing where it is verified or suspended.
 * It is its own transaction. */
void verification_write(struct hwrite *w, struct ctx *c, const struct visit *v);

#endif
