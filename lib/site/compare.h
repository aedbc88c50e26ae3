#ifndef SITE_COMPARE_H
#define SITE_COMPARE_H
/*
 * Whether a customer's page shows an article as its export says (galley
 * verify-page). What is expected is read from the bytes that the API serves and
 * by the same reader: head_html and html make a page, too.
 *
 * compare.c		that a page says what another one says, and once
 * compare-json.c	the structured data among it
 * compare-apart.c	the same in a process of its own
 * page-visit.c		the way to the page, and the answer's head
 */
#include <stddef.h>

#include "site/page.h"

/* One thing that is not as exported. The texts are short, on one line and
 * without control characters: pages are written by strangers. */
struct page_finding {
	const char *check;    /* "title", "canonical" … */
	const char *expected; /* what the export says */
	const char *found;
	const char *mend;     /* what to do */
};

#define PAGE_FINDINGS_MAX 40 /* more are not kept */

struct page_report {
	struct ctx *c;
	struct page_finding findings[PAGE_FINDINGS_MAX];
	size_t count;
};

/* Adds a finding. */
void compare_tell(struct page_report *r, const char *check,
    const char *expected, const char *found, const char *mend);

/* A text of a page in quotes, shortened; "none" for NULL. In the arena. */
const char *compare_quote(struct ctx *c, const char *text);

/* Adds the directives of a list with commas, as robots are told, one by one;
 * `text` may be NULL. */
void compare_split(struct ctx *c, const char *text, struct page_texts *out);

/* What HTTP says of the page. */
struct page_header {
	const char *address;      /* the page's, for relative ones in it */
	const char *canonical;    /* of the field Link, or NULL */
	struct page_texts robots; /* directives of X-Robots-Tag, one by one */
};

/* Compares everything. */
void compare_page(struct page_report *r, const struct page *expected,
    const struct page *found, const struct page_header *header);

/* Reads the page and compares it, in a child process with a limit of time:
 * there are pages that no parser is done with. One finding where it gives
 * up. */
void compare_apart(struct page_report *r, const struct page *expected,
    const char *html, size_t len, const struct page_header *header);

/* The structured data alone. */
void compare_json(struct page_report *r, const struct page *expected,
    const struct page *found);

#endif
