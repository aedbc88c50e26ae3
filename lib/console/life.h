#ifndef CONSOLE_LIFE_H
#define CONSOLE_LIFE_H
/* Answers that are no screen's: the way to the sign-in, refusals. Private to this floor. */
struct ctx;
struct err;
struct reply;
struct visit;

/* Sends who is not signed in to the sign-in, and back afterwards. The editor's script gets
 * 403 with the address of the sign-in. */
void life_sign_in(struct ctx *c, const struct visit *v, struct reply *reply);

/* Sends there who sent a text that is kept, and then to it. */
void life_held(struct ctx *c, const struct visit *v, struct reply *reply);

/* Writes the page of a refusal of a text that is kept, which leads there. */
void life_resting(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

/* Writes the page of a refusal or failure, or its JSON for the editor's script. `v` may be
 * NULL. */
void life_refuse(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

/* Writes the page that answers a form whose first answer showed something once. */
void life_shown_before(struct ctx *c, const struct visit *v, struct reply *reply);

#endif
