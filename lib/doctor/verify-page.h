#ifndef DOCTOR_VERIFY_PAGE_H
#define DOCTOR_VERIFY_PAGE_H
/*
 * Verifies that customers' pages say what the exports of their articles say: a work
 * (system/work.h).
 *
 *	struct verify_page v = { .work = &work, .how = { .pages = true },
 *		.each = print_one, .arg = out };
 *
 *	err = verify_page_one(c, &v, article, url);	one page
 *	err = verify_page_some(c, &v, workspace, 20);	pages of a workspace
 *
 * It looks at title, description, canonical address, robots, structured data, language,
 * direction, heading, cover and redirects, and at what a page has twice. The page of an
 * article that is not published any more must not exist. It changes nothing.
 */
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "base/clock.h"
#include "base/err.h"
#include "doctor/page-compare.h"
#include "net/remote.h"
#include "system/work.h"

#define PAGE_VISIT_HOPS 10 /* as many redirects as Google follows */

/* One look at a page: what is asked, and the way to the answer. */
struct page_visit {
	struct ctx *c;
	struct remote *remote;
	const char *asked; /* clean web address */
	const char *canonical; /* of the export; NULL: it has none */
	const char *origin; /* asked instead of the origin of `canonical`, or NULL */
	/* The one origin that is asked, or NULL: for people of whom a customer's server must not
	 * be made a tool. Then redirects to others are not followed, all of it may take
	 * PAGE_VISIT_TIME, and of an answer that does not come nothing else is told. */
	const char *only;

	const char *address; /* the address that answered */
	struct remote_answer answer;
	struct {
		int status;
		const char *to; /* clean web address */
	} hops[PAGE_VISIT_HOPS];
	size_t hop_count;
};

struct verify_page {
	const struct work *work; /* the caller's */
	struct remote_how how; /* pages are fetched */
	const char *origin; /* asked instead of the articles' own site, or NULL */
	const char *only; /* the one origin that is asked (struct page_visit), or NULL */
	/* Is called for each article, with what was found. All of it lives until `each`
	 * returns. */
	void (*each)(void *arg, const char *article_id, const struct page_visit *visit,
	    const struct page_report *report);
	void *arg; /* the caller's */

	/* Filled by the two functions. */
	int64_t total; /* published articles of the workspace */
	size_t looked_at;
	size_t wrong;
	size_t homeless; /* those of the wrong that have no address */
};

/* Verifies the page of one article (its id) at `url`; NULL is the address that the export
 * names. Refuses an id that no article has, and an article that was never published. */
MAY_REFUSE struct err *
verify_page_one(struct ctx *c, struct verify_page *v, const char *article_id, const char *url);

/* Chooses `wanted` published articles of the workspace, old and new ones alike: their ids, and
 * their number. In the arena. */
const char **
verify_page_choose(struct ctx *c, const struct workspace *w, int64_t wanted, size_t *count);

/* Verifies the pages of `wanted` published articles of the workspace, old and new ones
 * alike. Refuses when it must stop: `each` was called for those that it looked at. */
MAY_REFUSE struct err *
verify_page_some(struct ctx *c, struct verify_page *v, const struct workspace *w, int64_t wanted);

#endif
