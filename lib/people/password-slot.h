#ifndef PEOPLE_PASSWORD_SLOT_H
#define PEOPLE_PASSWORD_SLOT_H
/*
 * Four processes may hash a password at once (docs/console.md §3.1). A slot is
 * a lock on a file of run/console/, so it goes with its process. One of the four is for
 * known askers alone.
 */
#include <stdbool.h>

#include "base/err.h"

/* Takes a slot without waiting; *slot is for password_slot_release(). `is_known`: for a
 * step-up, or a browser with a device cookie. Refuses with
 * ERR_UNAVAILABLE and retry_after_s 2 if none is free. Dies if the files cannot be used.
 * A process takes one slot at a time. */
MAY_REFUSE struct err *password_slot_take(struct ctx *c, bool is_known, int *slot);

void password_slot_release(int slot);

#endif
