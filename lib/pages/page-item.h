#ifndef PAGES_PAGE_ITEM_H
#define PAGES_PAGE_ITEM_H
/* A published article as a page shows it: members of the very bytes that the API answers. */
#include <stdbool.h>
#include <stdint.h>

#include "access/workspace.h"
#include "article/article.h"
#include "article/revision.h"

struct ctx;
struct site;

struct item {
	struct article article; /* as feed_find() reads it */
	const char *slug;
	const char *title; /* the slug where the title shows nothing */
	const char *language;
	const char *description; /* or "" */
	const char *canonical; /* or NULL */
	const char *byline; /* of its html: the line with author and date */
	const char *section; /* or NULL */
	const char *const *tags;
	size_t tag_count;
	const char *cover; /* address, or NULL */
	int64_t cover_width, cover_height; /* or 0 */
	int64_t minutes; /* of reading */
	const char *html; /* NULL unless it was asked for */
	char revision[TOKEN_TEXT]; /* x1 */
};

/* How much of it is read. */
enum item_part {
	ITEM_NAME, /* slug and title */
	ITEM_LINE, /* all but html */
	ITEM_WHOLE
};

/* Reads an article that a list names. Returns false if it is not published all the same (the row is
 * wrong): the page does without it, and is not cached. The log says so, once in a request. */
bool
item_listed(struct ctx *c, struct site *s, const char *uuid, enum item_part part, struct item *out);

/* Returns the address of the workspace's pages ("https://…/pages/WORD/", arena); NULL: it has no
 * pages now. In a transaction. */
const char *item_home(struct ctx *c, const struct workspace *w);

/* Returns the address of an article's page below `home` ("/pages/WORD/"), percent-encoded
 * (arena): an article in the workspace's language has no tag in it. */
const char *item_address(struct ctx *c, const struct workspace *w, const char *home,
    const char *language, const char *slug);

#endif
