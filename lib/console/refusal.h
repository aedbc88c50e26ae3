#ifndef CONSOLE_REFUSAL_H
#define CONSOLE_REFUSAL_H
/*
 * What is answered in place of a screen: refusals, with the words of hints (base/hint.h) for a
 * person in a browser and where they lead; the way to the sign-in; and the pages of forms that wait
 * for something: a proof, a sign-in, the end of a suspension, or the store. Private to this floor.
 */
#include <stdbool.h>

#include "base/err.h"
#include "console/request.h"

/* Is the `hint` of a struct ctx: returns the sentence with the words of the hint, in the
 * person's language and in the arena; the sentence alone if a browser needs none. */
const char *hints_say(struct ctx *c, const char *sentence, enum hint hint, const char *about);

/* Sends who is not signed in to the sign-in, and back afterwards. The editor's script gets
 * 403 with the address of the sign-in. */
void refusal_sign_in(struct ctx *c, const struct visit *v, struct reply *reply);

/* Writes the page of a refusal or failure, or its JSON for the editor's script. `v` may be
 * NULL. */
void
refusal_write(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

/* Writes the page that answers a form whose first answer showed something once. */
void refusal_shown_before(struct ctx *c, const struct visit *v, struct reply *reply);

/*
 * "Is it you?" (docs/console.md §3.4): the page that comes before what needs a fresh proof.
 * The form is kept on the server meanwhile; one with a file or a password is not, so such a
 * form must ask when it is shown (console_step_up() in the handler of its GET).
 */

/* Returns whether what was sent is the answer to the page. */
bool stepup_is_answer(const struct visit *v);

/*
 * Reads that answer. *go_on: v->sent is the form that was kept, and the session has another
 * token (v->renewed); else the reply is there.
 */
MAY_REFUSE struct err *
stepup_answer(struct ctx *c, struct visit *v, struct reply *reply, bool *go_on);

/*
 * A text that was sent in a session which had ended by time, or to a suspended account
 * (docs/console.md §3.9): it is kept, and the same person sends it again later.
 */

/* Keeps what was sent, if the row holds it and the session ended by time, and answers with the
 * way to the sign-in. Returns false, with no answer, if nothing was kept. The form was read
 * and its token fits. */
bool hold_keep(struct ctx *c, const struct visit *v, struct reply *reply);

/* Keeps what was sent to a suspended account, if the row holds it, and answers with `err` and where
 * it is. Returns false, with no answer, if nothing was kept. The form was read and its token
 * fits. */
bool hold_resting(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

/* Puts what was kept in the place of the form that sends it again: v is then a visit of the
 * address to which it was sent. Refuses what that address refuses, and what is not there. */
MAY_REFUSE struct err *hold_again(struct ctx *c, struct visit *v, const char **uuid);

/* Removes what was sent again, once it is done. */
void hold_done(struct ctx *c, const struct visit *v, const char *uuid);

/*
 * A text or an order of which nobody knows whether it was done: the store failed while its
 * change was written, or was committed (docs/console.md §3.7). Its form comes back with all
 * that was sent and with its number, so that it is done once, however often it is sent. So does one
 * that came too soon, of which nothing was done.
 */

/* Notes the visit that is answered now; NULL: none. */
void doubt_note(struct ctx *c, const struct visit *v);

/* Returns whether there is one. */
bool doubt_has_visit(void);

/* Writes that page, in a process that cannot go on. Returns false, and writes nothing, where no
 * form is in doubt whose row holds texts (request.h), or where it brings a file. */
bool doubt_answer(struct ctx *c, struct reply *reply, const struct err *err);

/* Writes it for a form that was refused with `err` before its handler ran; false as there. */
bool doubt_wait(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err);

#endif
