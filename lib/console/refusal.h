#ifndef CONSOLE_REFUSAL_H
#define CONSOLE_REFUSAL_H
/* Answers that are no screen's: the way to the sign-in, refusals, and the words of hints
 * (base/hint.h) for a person in a browser, with where they lead. Private to this floor. */
#include "base/err.h"

struct reply;
struct visit;

/* Is the `hint` of a struct ctx: returns the sentence with the words of the hint, in the
 * person's language and in the arena; the sentence alone if a browser needs none. */
const char *hints_say(struct ctx *c, const char *sentence, enum hint hint, const char *about);

/* Sends who is not signed in to the sign-in, and back afterwards. The editor's script gets
 * 403 with the address of the sign-in. */
void refusal_sign_in(struct ctx *c, const struct visit *v, struct reply *reply);

/* Sends there who sent a text that is kept, and then to it. */
void refusal_held(struct ctx *c, const struct visit *v, struct reply *reply);

/* Writes the page of a refusal of a text that is kept, which leads there. */
void refusal_kept(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

/* Writes the page of a refusal or failure, or its JSON for the editor's script. `v` may be
 * NULL. */
void
refusal_write(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

/* Writes the page that answers a form whose first answer showed something once. */
void refusal_shown_before(struct ctx *c, const struct visit *v, struct reply *reply);

#endif
