#ifndef CONSOLE_VISIT_H
#define CONSOLE_VISIT_H
/* The rows of screens, and one request (console.h explains both). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "access/workspace.h"
#include "base/ctx.h"
#include "base/err.h"
#include "console/multipart.h"
#include "console/place.h"
#include "people/formnumber.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/session.h"
#include "screen/form.h"
#include "screen/screen.h"
#include "web/reply.h"
#include "web/req.h"

struct visit;

/* Fills the reply with console_page(), console_go() or by itself, or refuses. It runs
 * outside of transactions. */
typedef struct err *screen_handler(struct ctx *c, struct visit *v, struct reply *reply);

enum screen_access {
	SCREEN_MEMBERS, /* signed in; `need` in the place that the pattern names */
	SCREEN_ANYBODY, /* signed in, whatever the rights */
	SCREEN_PUBLIC /* signed out, too; its forms have no token */
};

struct console_row {
	const char *method; /* GET or POST; NULL ends a table */
	const char *pattern; /* below the console's root */
	const char *title; /* English, tr_mark() */
	enum screen_access access;
	unsigned need; /* of enum right; 0: RIGHT_READ */
	unsigned any; /* and one of these; 0: no more */
	bool step_up; /* asks again who it is (docs/console.md §3.4) */
	bool unnumbered; /* its form has no number: to do it twice does no harm */
	bool holds; /* sent in a session that ended by time, it is kept (hold.h) */
	bool sends_again; /* sends what was kept: ID of its place */
	bool editor; /* the page stays in the browser: Back keeps typed text */
	bool files; /* its form may bring a picture */
	bool script; /* the page has the editor's script; what that sends is answered as JSON */
	bool sends; /* the page has the script that sends a large file in slices; what that
	                      * sends is answered as JSON */
	bool zone; /* the page has the script that chooses the browser's time zone */
	screen_handler *handler;
};

/* What the instance lacks. While it lacks something, only /start answers, without the
 * stores: the row is that of /start, and nobody is signed in. */
enum visit_lacks {
	VISIT_LACKS_NOTHING,
	VISIT_LACKS_ADDRESS, /* public_url: `place` is what the browser's request says */
	VISIT_LACKS_MIGRATION /* the stores are of an older release than the program */
};

/* The tables of all screens, ended by NULL (console/console.c). */
extern const struct console_row *const console_screens[];

/* One request. */
struct visit {
	struct gate gate; /* first: enter() gets it */
	struct req *r;
	const struct console_row *row;
	struct place place;
	enum visit_lacks lacks;
	const char *path; /* below the root: "/W/keys" */
	const char *query; /* raw */

	/* Who asks; NULL and 0 where nobody is signed in. */
	struct session *session;
	enum session_state state;
	struct person *person;
	unsigned rights; /* in the place of the path; else in the instance */
	unsigned needs; /* what console_need() asked for, besides the row's */
	char token[33]; /* of forms of this session */
	char renewed[SESSION_TOKEN + 1]; /* the session's next token, to be sent; or "" */
	const char *device; /* the device cookie, or NULL */
	const char *browser; /* User-Agent, or "" */
	const char *accept_language; /* the header, or NULL */

	/* Where. */
	const struct workspace *workspace; /* of W, or NULL */
	const struct account *account; /* of W or A, or NULL */
	const char *id; /* of ID, in lower case, or NULL */
	const char *name; /* of NAME, or NULL */

	/* What was sent; of a POST. */
	struct multipart sent;
	struct formnumber number;
	enum formnumber_state number_state;
	char *mapped; /* what was sent, if it is in a file; or NULL */
	size_t mapped_len;
	const char *answer; /* where a good POST sends the browser: console_will_go() */
	/* Or returns it when the change is done: console_will_tell(). */
	const char *(*tell)(struct ctx *c, const void *arg);
	const void *tell_arg;
	bool repeated; /* the same form was sent before */
	bool rests; /* it was refused because the account is suspended */
	bool often; /* it was refused because the person sent too many */
	bool spent; /* this request recorded the number: a work has many changes */

	bool by_script; /* a script of ours sent it: answers are JSON (§5.4, §3.13) */

	int refresh_s; /* set by a handler: the page asks for itself after so long */

	const struct service *service;
};

#endif
