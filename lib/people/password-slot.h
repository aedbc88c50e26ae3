#ifndef PEOPLE_PASSWORD_SLOT_H
#define PEOPLE_PASSWORD_SLOT_H
/*
 * Four processes may hash a password at once, and one of them for the same login (docs/console.md
 * §3.1): so nobody can take all slots with one password. A slot is a lock on a file of
 * run/console/, so it goes with its process. One of the four is for known askers alone.
 */
#include <stdbool.h>

#include "base/err.h"

struct password_slot {
	int slot; /* a descriptor */
	int login; /* the same for what keeps others from this login */
};

/* Takes a slot; password_slot_release() gives it back. `login` is case-folded. `is_known`: for a
 * step-up, or a browser with a device cookie. Waits for a second at most until the login is free:
 * a form that is sent twice at once is answered twice. Refuses with ERR_UNAVAILABLE
 * and retry_after_s 2 if it is not, if no slot is free, or if the files cannot be used. A process
 * takes one slot at a time. */
MAY_REFUSE struct err *
password_slot_take(struct ctx *c, const char *login, bool is_known, struct password_slot *out);

void password_slot_release(const struct password_slot *slot);

/* Refuses because no password can be hashed now. */
struct err *password_slot_refuse(struct ctx *c);

#endif
