#ifndef CONSOLE_ANSWER_H
#define CONSOLE_ANSWER_H
/*
 * What handlers read and write: pages, forms, redirects, cookies, lines of the journal; and the
 * headers of every answer.
 */
#include <stdbool.h>

#include "console/request.h"
#include "store/db.h"

struct cron;

/* Adds the headers of an asset: the article's sheet is read by a frame, whose origin is
 * none (docs/console.md §3.11). */
void head_add_asset(struct reply *reply, bool framed);

/* Adds the headers of docs/console.md §3.11. `cache` NULL: Cache-Control is there already. */
void head_add(struct reply *reply, const char *cache);

/* Answers with a redirect to an address. */
void head_go(struct reply *reply, int status, const char *address);

/* Returns the address below the root to which the sign-in may lead back (docs/console.md §3.10):
 * the text, which may begin with the root, or "/" if it is none. `text` may be NULL. */
const char *console_then(struct ctx *c, const struct visit *v, const char *text);

/* Returns an address below the console's root (arena): console_path(c, v, "/%s/keys", id). */
const char *console_path(struct ctx *c, const struct visit *v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads the form that was sent. Returns false if a field is wrong: the handler writes
 * the page again, with status 422 (console_wrong()). */
bool console_read(struct ctx *c, struct visit *v, struct form *f);

/* Sets the status of a page whose form console_read() refused: 422, or 409 where the form is
 * too old or another's. */
void console_refused(const struct visit *v, struct reply *reply);

/* Puts a refusal of an action beside the field that it names (err->param), else above the
 * form, and sets the status that it needs: 422, or that of its code. Refusals that are no
 * answer to what was typed (404, 403, 500, another's number) are returned. With a 503 of an
 * action the form keeps what was typed; passwords are never shown again. */
MAY_REFUSE struct err *
console_wrong(struct ctx *c, struct visit *v, struct reply *reply, struct form *f, struct err *err);

/* Writes a form with its token and a new number; `action` is below the root. Nothing, where
 * console_rests() and the form would be refused. */
void console_form(struct ctx *c, const struct visit *v, struct hwrite *w, const struct form *f,
    const char *action);

/* Writes the beginning of such a form, for a screen that writes the rest by itself:
 * form_write_field() and form_write_end(). */
void console_form_begin(struct ctx *c, const struct visit *v, struct hwrite *w,
    const struct form *f, const char *action);

/* Writes the page of the row: its frame, the notice that a redirect named, and what
 * `write_main` writes. `title` NULL: the row's. `under`: a sentence below the heading, or NULL. */
void console_page(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const char *under, screen_main *write_main, const void *data);

/* Writes what a redirect wants to be told, and that the account is suspended. console_page() does
 * so above the content. */
void console_notices(struct hwrite *w, struct ctx *c, const struct visit *v);

/* Writes a page that is a desk to work at (screen.h): `write_main` writes its heading and the
 * notices, too. The first link leads to `place` ("#text"). */
void console_desk(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const char *place, screen_main *write_main, const void *data);

/* Writes the frame and its content without headers, for answers that are no screen's. */
void console_frame(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const char *under, screen_main *write_main, const void *data);

/* Says that the reply is a document for a frame of a page: its headers are those of
 * docs/console.md §3.11. With `scrolled` the editor's script keeps its place. The caller writes its
 * body. */
void console_framed(struct reply *reply, bool scrolled);

/* Says that the reply is JSON for the editor's script (docs/console.md §5.4). The caller writes
 * its body, and sets the status. */
void console_json(struct reply *reply);

/* Where the public finds a published article: the address of the workspace's pages, that of the
 * article's page there, and that of the website, unless it is the same. NULL: there is none. */
struct console_public {
	const char *home, *page, *website, *cover; /* that as browse_shown has it */
};

/* Finds it for the article of this id. Returns whether it is there and published now. Outside a
 * transaction: it has one of its own. */
bool
console_public(struct ctx *c, const struct visit *v, const char *id, struct console_public *out);

/* Says when the runner last ran, for a screen that shows what waits for it. Where it rests, an
 * operator gets cron's line, and everybody else learns whom to tell. */
void console_runner(struct hwrite *w, const struct cron *cron, bool operates);

/* Names where a change will send the browser, before it is made: the same form again gets
 * this answer. With "?notice=NAME" at its end the sentence is said again, too. */
void console_will_go(struct visit *v, const char *path);

/* The same where the address depends on what is done: `tell` returns it, or "" where the answer is
 * a page that is shown once. The action calls it before its commit (gate_leave()). What follows the
 * address in lines of their own is kept for the page there: console_told(). */
void console_will_tell(
    struct visit *v, const char *(*tell)(struct ctx *c, const void *arg), const void *arg);

/* Returns those lines of the form with this number, which this person sent to this path in the last
 * day. NULL: there are none, or `number` is NULL. The store is that of the content. */
const char *console_told(struct ctx *c, const struct visit *v, const char *number);

/* Answers 303 to a path below the root; `notice` is the name of a sentence in
 * answer.c, or NULL. */
void console_go(struct ctx *c, const struct visit *v, struct reply *reply, const char *path,
    const char *notice);

/* Sends the session's cookie; NULL ends it. `days` 0: until the browser is closed. */
void console_cookie(struct ctx *c, const struct visit *v, struct reply *reply, const char *suffix,
    const char *value, int days);

/* Leads to the sign-in, which says that the person has signed out, and makes the browser forget
 * its cookies. */
void console_signed_out(struct ctx *c, const struct visit *v, struct reply *reply);

/* Returns whether the person has proved in the last ten minutes who they are. If not, the
 * reply is the page "Is it you?" (docs/console.md §3.4), and the handler must return NULL at
 * once; the form comes again afterwards. Call it before any change. A row with .step_up
 * does it by itself. A form with a password or a file asks when it is shown. */
bool console_step_up(struct ctx *c, struct visit *v, struct reply *reply);

/* Puts fields that were kept (action/person/signing.h) in the place of what was sent. */
void console_put_back(struct ctx *c, struct visit *v, const unsigned char *bytes, size_t len);

/* Reads the session of v->renewed, for a page that is written after a handler renewed it. */
void console_renewed(struct ctx *c, struct visit *v);

/* Writes a line of log/operator.log for a change that was made: "key create UUID". */
void console_journal(struct ctx *c, const struct visit *v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
