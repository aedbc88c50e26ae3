#ifndef PAGES_PAGES_ANSWER_H
#define PAGES_PAGES_ANSWER_H
/*
 * What an answer of the program `pages` is made of besides its text: header fields and the tag. A
 * cached answer (web/answer-cache.h) is bytes alone, so the body of a page begins with a line, the
 * front: the origins that may frame it. It is taken off when the answer is sent.
 *
 *	send_begin(reply, origins);
 *	…			the handler writes reply->body
 *	send_end(r, reply);	the tag; 304 for who has it already
 *	…			the answer may be cached
 *	send_front(c, reply, how, false);	for a cached answer, too
 */
#include <stdbool.h>

#include "base/err.h"
#include "pages/page-layout.h"
#include "web/reply.h"
#include "web/req.h"

struct ctx;

/* Returns the path of the pages' address: "/pages", or after that of the instance (arena). */
const char *root_path(struct ctx *c);

/* Returns the whole address, "https://host/pages", or the path where none is set (arena). */
const char *root_address(struct ctx *c);

/* The limit of pages for an address, pages_per_minute (docs/pages.md §3). Counts a request that
 * no cached answer answers. Refuses (429) an address that asks too often. Needs no database. */
MAY_REFUSE struct err *often_check(struct ctx *c, const struct req *r);

/* ---- header fields and the tag */

/* How the answers of a row are sent. */
struct send_how {
	const char *type; /* NULL: a page */
	bool ever; /* its address changes with it: a browser keeps it for ever, not a
			   * minute */
};

/* Begins a 200. `origins` are those of embed_origins, separated by spaces; NULL where the answer
 * is no page. */
void send_begin(struct reply *reply, const char *origins);

/* Gives what was written its tag: the digest of all that it holds. */
void send_end(struct req *r, struct reply *reply);

/* Takes the front off and adds the header fields. `fleeting`: nobody keeps it. */
void send_front(struct ctx *c, struct reply *reply, const struct send_how *how, bool fleeting);

/* Begins a page that is no 200, with its header fields: nobody keeps it. `origins` NULL: nobody
 * may frame it. */
void send_begin_error(struct ctx *c, struct reply *reply, int status, const char *origins);

/* Answers 301; `address` is percent-encoded. */
void send_moved(struct ctx *c, struct reply *reply, const char *address);

/* Returns the address of what is at `path` (percent-encoded) with the parameters of the route
 * that were given (arena). */
const char *site_address(struct ctx *c, const struct site *s, const char *path);

#endif
