#ifndef SITE_VISIT_H
#define SITE_VISIT_H
/* Visits a customer's page, follows its redirects, and reads the head of the answer. */
#include <stdbool.h>

#include "base/clock.h"
#include "net/remote.h"
#include "site/compare.h"

#define PAGE_VISIT_HOPS 10 /* as many redirects as Google follows */

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

#define PAGE_VISIT_TIME (30 * CLOCK_SECOND)

/* Returns whether an address may be asked: with `only`, whether it is of that origin. */
bool page_visit_may(const struct page_visit *v, const char *address);

/* Visits the page; the caller has set `c` to `origin`. Returns false if the page is not
 * reached. Adds the findings about the way in both cases. */
bool page_visit(struct page_visit *v, struct page_report *r);

/* Returns whether the answer is a page of text in UTF-8, and adds a finding if it is not.
 * Removes a byte order mark. */
bool page_visit_is_page(struct page_visit *v, struct page_report *r);

/* Fills *out with what the head of the answer says of the page. */
void page_visit_header(struct page_visit *v, struct page_header *out);

#endif
