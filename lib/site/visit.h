#ifndef SITE_VISIT_H
#define SITE_VISIT_H
/* The way to a customer's page, over its redirects, and what the head of the
 * answer says. */
#include <stdbool.h>

#include "site/compare.h"
#include "net/remote.h"

#define PAGE_VISIT_HOPS 10 /* as many redirects as Google follows */

struct page_visit {
	struct ctx *c;
	struct remote *remote;
	const char *asked;     /* clean web address */
	const char *canonical; /* of the export; NULL: it has none */
	const char *origin;    /* asked instead of the canonical's, or NULL */

	const char *address;   /* the one that answered */
	struct remote_answer answer;
	struct {
		int status;
		const char *to; /* clean web address */
	} hops[PAGE_VISIT_HOPS];
	size_t hop_count;
};

/* Goes to the page (`c` to `origin` are given). False where it is not reached;
 * the findings about the way are told in either case. */
bool page_visit(struct page_visit *v, struct page_report *r);

/* Whether the answer is a page of text in UTF-8; a finding where it is not. Takes
 * a byte order mark off it. */
bool page_visit_is_page(struct page_visit *v, struct page_report *r);

/* What the head of the answer says of the page. */
void page_visit_header(struct page_visit *v, struct page_header *out);

#endif
