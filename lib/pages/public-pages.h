#ifndef PAGES_PUBLIC_PAGES_H
#define PAGES_PUBLIC_PAGES_H
/*
 * The pages of a workspace, below /pages/WORD/ (docs/pages.md §1 to §6): what is there, as a table;
 * the life of a request: a cached answer, or the limit, the snapshot, the workspace, the handler;
 * and what an answer has besides its text: header fields and the tag.
 *
 * public-pages.c	all that, the list
 * page-article.c	a card of the list, an article
 * page-layout.c	the document around all of them, its script, its sheets
 * page-html.c	an article's html, and what a page adds to it
 * page-item.c	an article, from the bytes that the API answers
 * page-words.c	the page's language
 * feed.c	the feeds
 * pages-service.c	the program `pages`
 * collector.c	the program `collect`
 *
 * lib/pages: what strangers get in a browser, and the hits that it sends. Not here: counts of hits
 * (lib/stats), and settings of pages (access/pages-settings.h). Begin with public-pages.h.
 */
#include <stdbool.h>

#include "base/err.h"
#include "pages/page-layout.h"
#include "web/reply.h"
#include "web/req.h"

struct ctx;

/* Returns the origin of public_url after a space where that is no https, for the policy of what
 * shows pictures; else "". An instance that is only tried out has no https. In the arena. */
const char *http_origin(struct ctx *c);

/* Returns the path of the pages' address: "/pages", or after that of the instance (arena). */
const char *root_path(struct ctx *c);

/* The limit of pages for an address, pages_per_minute (docs/pages.md §3). Counts a request that
 * no cached answer answers. Refuses (429) an address that asks too often. Needs no database. */
MAY_REFUSE struct err *often_check(struct ctx *c, const struct req *r);

/* How the answers of a row are sent. */
struct send_how {
	const char *type; /* NULL: a page */
	bool ever; /* its address changes with it: a browser keeps it for ever, not a
			   * minute */
};

/* Answers 301; `address` is percent-encoded. */
void send_moved(struct ctx *c, struct reply *reply, const char *address);

/* Fills the reply, in a snapshot of the content. Where it has nothing to show it says so. */
typedef void rows_handler(struct ctx *c, struct site *s, struct reply *reply);

struct rows_row {
	const char *path; /* after "/WORD/"; "theme-*.css": one segment; "*": any, and the last */
	rows_handler *handler;
	struct send_how how;
	/* Its pattern is the row's name in cached answers; its parameters (web/req.h) are
	 * part of them, others are ignored. */
	struct route route;
};

extern const struct rows_row rows_table[];

/* Answers an address "/WORD…". Refuses (404) a word that is no present and no past one of a
 * workspace which may have pages. Calls `confine` when the database is open. */
MAY_REFUSE struct err *
rows_answer(struct ctx *c, struct req *r, struct reply *reply, void (*confine)(struct ctx *c));

#endif
