#ifndef SIGN_DEMO_PERSON_H
#define SIGN_DEMO_PERSON_H
/*
 * The person of the demo, for `galley demo --console`: an operator whose password is made
 * here, by chance, and told once. No two demos have the same one.
 */
#include "base/err.h"

struct ctx;

#define DEMO_PERSON_EMAIL "demo@example.com"
#define DEMO_PASSWORD 20 /* with its NUL */

/*
 * Makes the person, or gives the person a new password: the one of the run before, a second
 * factor and all sessions end. Writes the password, which the caller must clear. Refuses
 * (ERR_CONFLICT) an instance whose console has an address beyond this machine.
 */
MAY_REFUSE struct err *demo_person(struct ctx *c, char password[DEMO_PASSWORD]);

#endif
