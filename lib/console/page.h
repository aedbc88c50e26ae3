#ifndef CONSOLE_PAGE_H
#define CONSOLE_PAGE_H
/*
 * A page of the console, and what its functions are given.
 */
#include "console/answer.h"

/* One page, for one request. */
struct page {
	struct ctx *c;
	struct visit *v;
	struct reply *reply;
	void *data; /* the screen's own, zeros at first */
};

/*
 * Returns an address below the console's root (arena): page_path(p, "/W/keys/%s?probe=%s", id,
 * word). Before the query a segment that is one of these words is what the page is about: W its
 * workspace, A its account, P the workspace or, on a page of an account, the account; ID and NAME
 * what its own address names. A word that the page lacks is a BUG. Each %s is a text, which is
 * escaped: it adds no segment and no query. "%%" and other directives are a BUG.
 */
const char *
page_path(const struct page *p, const char *pattern, ...) __attribute__((format(printf, 2, 3)));

#endif
