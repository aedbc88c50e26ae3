#ifndef CONSOLE_REQUEST_H
#define CONSOLE_REQUEST_H
/*
 * The rows of screens, and one request of the console (docs/console.md §3). A screen is
 * a file of the folder console/, with a table of addresses and what answers there (page.h).
 *
 * What a row says is kept before its handler runs: nobody reaches it signed out (but of
 * SCREEN_PUBLIC), in another customer's place, or without the right; no GET may write; a POST
 * comes from a page of this console, once. Every change of a handler passes the gate
 * (base/ctx.h): session, person and right are read again under the lock, and the form's number
 * is recorded in the same transaction.
 *
 * In a pattern W is a workspace's UUID, A an account's, ID the UUID of a thing in it, NAME any
 * other text of one segment.
 *
 * lib/console: what every request of a screen runs through: session, rights, forms and their
 * repetition, refusals. Not here: the screens (console/), and how HTML is written (lib/screen).
 * Begin with request.h.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/account.h"
#include "access/workspace.h"
#include "base/ctx.h"
#include "base/err.h"
#include "console/multipart.h"
#include "people/formnumber.h"
#include "people/membership.h"
#include "people/person.h"
#include "people/session.h"
#include "screen/form.h"
#include "screen/screen.h"
#include "web/reply.h"
#include "web/req.h"

struct exchange;
struct headers;
struct matched;
struct page_act;
struct page_kind;
struct service;
struct article;
struct visit;

/*
 * Where the console is: console_url of galley.conf, or public_url, and what follows from it
 * (docs/console.md §3.3, §3.6).
 */
struct place {
	const char *origin; /* "https://host[:port]"; "" while no address is set */
	const char *root; /* "/console", after the path of the address if it has one */
	const char *cookie; /* the session's cookie: __Host-galley, __Secure-galley, galley */
	const char *cookie_path; /* its Path= */
	bool secure; /* https */
};

/* Reads it from c->conf. Everything is in the arena. */
void place_read(struct ctx *c, struct place *out);

/* Reads it from a request for `path` (below the root): its Host header, or NULL, and its
 * address as it was sent, `target`. Only the page that sets the address uses it. Returns
 * false if they cannot be an address. */
bool place_of_request(struct ctx *c, struct place *out, const char *host, bool https,
    const char *target, const char *path);

/* Returns the address of the instance whose console is here (arena). */
const char *place_url(struct ctx *c, const struct place *p);

/* Returns whether a request that came for `host` (the Host header, or NULL), over https or
 * not, came for this origin. */
bool place_is_here(struct ctx *c, const struct place *p, const char *host, bool https);

/* Fills the reply with console_page(), console_go() or by itself, or refuses. It runs
 * outside of transactions. */
typedef struct err *screen_handler(struct ctx *c, struct visit *v, struct reply *reply);

enum screen_access {
	SCREEN_MEMBERS, /* signed in; `need` in the place that the pattern names */
	SCREEN_ANYBODY, /* signed in, whatever the rights */
	SCREEN_PUBLIC /* signed out, too; its forms have no token */
};

/* The script of the page. What SCREEN_EDITS and SCREEN_SENDS send is answered as JSON. */
enum screen_script {
	SCREEN_PLAIN, /* none of its own */
	SCREEN_EDITS, /* the editor's */
	SCREEN_SENDS, /* sends a large file in slices */
	SCREEN_ZONE /* chooses the browser's time zone */
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
	bool holds; /* sent in a session that ended by time, it is kept (refusal.h) */
	bool sends_again; /* sends what was kept: ID of its place */
	bool editor; /* the page stays in the browser: Back keeps typed text */
	bool files; /* its form may bring a picture */
	enum screen_script script;
	const struct page_kind *page; /* what it shows, and what a POST does there (page.h) */
	const struct page_act *act;
	screen_handler *handler; /* or a function that answers; NULL: page_run() */
};

/* What the instance lacks. While it lacks something, only /start answers, without the
 * stores: the row is that of /start, and nobody is signed in. */
enum visit_lacks {
	VISIT_LACKS_NOTHING,
	VISIT_LACKS_ADDRESS, /* public_url: `place` is what the browser's request says */
	VISIT_LACKS_MIGRATION /* the stores are of an older release than the program */
};

/* A table of rows, ended by one without a method. The build makes the list of them all, ended by
 * NULL, of the sources of console/ (console/screens.pl). */
#define SCREEN(name) const struct console_row name##_screens[]
extern const struct console_row *const console_screens[];

/* Runs the program (web/serve.h): serve-console.c has the life of a request (docs/console.md §3),
 * in one place and one order. */
int console_main(int argc, char **argv);

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
	unsigned account_rights; /* in the account, where the place is its workspace or itself */
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
	bool lost; /* the form did not arrive whole, or is refused whole */
	int refresh_s; /* set by a handler: the page asks for itself after so long */
	const struct screen_link
	    *actions; /* the same: beside the title (screen/screen.h); or NULL */
	const struct service *service;
};

/* ---- what a request says */

/* Returns the value of a parameter of the query, decoded (arena), or NULL. */
const char *console_query(struct ctx *c, const struct visit *v, const char *name);

/* Returns the text of a field that was sent, or NULL. */
const char *console_sent(const struct visit *v, const char *name);

/* Returns the bytes of a file that was sent, or NULL; its name is ignored. They live as long
 * as the request. */
const void *console_file(const struct visit *v, const char *name, size_t *len);

/* ---- who asks, where, and what they may do there */

/* Returns whether the person may do here what needs this right. Where the account is suspended
 * nobody may do anything but read. */
bool console_may(const struct visit *v, enum right right);

/* Returns whether the account of this place is suspended: nothing can be changed here but by what
 * needs RIGHT_OPERATE, so no page offers it. console_page() says so, and console_form() writes
 * nothing. A form that shows what is stored is closed (screen/form.h). */
bool console_rests(const struct visit *v);

/* The sentence about it, tr_mark(). */
extern const char console_suspended[];

/* Does the same for a page with another path. */
bool console_rests_at(struct ctx *c, const struct visit *v, const char *path);

/* Refuses who does not have this right here; it is asked again under the lock. For what
 * only some uses of a form need. */
MAY_REFUSE struct err *console_need(struct ctx *c, struct visit *v, enum right right);

/* Reads the article of the path's ID. Refuses one of another workspace as one that is not
 * there. */
MAY_REFUSE struct err *console_article(struct ctx *c, const struct visit *v, struct article **out);

/* Counts the request as a use of the session: one of the script counts only with a change. */
void console_used(struct ctx *c, const struct visit *v);

/* ---- for this floor alone: headers, rows, the visitor */

/* The headers that only the console reads, and the cookies in them. */
struct headers {
	const char *host; /* or NULL, as all of them */
	const char *origin;
	const char *fetch_site; /* Sec-Fetch-Site */
	const char *cookie;
	const char *content_type;
	const char *user_agent;
	const char *accept;
	const char *accept_language;
};

void headers_read(const struct exchange *x, struct headers *out);

/* What the capital words of a pattern matched; NULL where the pattern has none. */
struct matched {
	const char *workspace, *account, *id, *name;
};

/* Finds the row of v->path and the method, and sets v->row; false if there is none. *allow is
 * then the value of Allow if only another method has the path, else NULL. */
bool rows_find(struct ctx *c, struct visit *v, struct matched *m, const char **allow);

/* Refuses what rows_find() did not find: 405, or 404. */
MAY_REFUSE struct err *rows_refuse(struct ctx *c, const char *allow);

/* Returns the row of this method and path, or NULL. */
const struct console_row *rows_of(struct ctx *c, const char *method, const char *path);

/* Finds the row of an account's page with this path, where the row that was found is of a
 * workspace, and there is no such workspace: both are named by UUIDs. */
bool rows_find_account(struct ctx *c, struct visit *v, struct matched *m);

/* Prints all rows as JSON, for the tests that look for each screen, and ends the process
 * (web/service.h: tables). */
_Noreturn void rows_print(struct ctx *c, const struct service *service);

/* Reads the workspace and account of the path; false if there is none. */
bool visitor_place(struct ctx *c, struct visit *v, const struct matched *m);

/* Finds who asks, what that person may do in the place of the path, and begins the person's
 * language. */
void visitor_find(struct ctx *c, struct visit *v, const struct headers *h);

/* Finds what the visitor may do in the place of the path. */
void visitor_rights(struct ctx *c, struct visit *v);

/* Refuses who is signed in and may not do this: 404 in a place that they do not know of. */
MAY_REFUSE struct err *visitor_right(struct ctx *c, const struct visit *v);

/* Refuses a change where the account is suspended (console_rests()), and sets v->rests then. */
MAY_REFUSE struct err *visitor_suspended(struct ctx *c, struct visit *v);

/* Looks again, in a transaction, whether the visitor may do this: session, person, rights,
 * and whether the account is suspended. The request may have waited for the lock. */
MAY_REFUSE struct err *visitor_again(struct ctx *c, struct visit *v);

#endif
