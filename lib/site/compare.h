#ifndef SITE_COMPARE_H
#define SITE_COMPARE_H
/*
 * Compares a customer's page with the export of its article (galley verify-page). The
 * expected page is made of the bytes that the API serves (head_html and html), and read
 * by the same reader.
 *
 * compare.c		whether a page says what the expected one says, and says it once; the
 *			same for its structured data; all of it in a process of its own
 * visit.c		the way to the page, and the head of the answer
 * verify-page.c	which pages, one after the other
 */
#include <stddef.h>

#include "site/page.h"

/* One difference from the export. Its texts are short, on one line and without control
 * characters, since strangers write the pages. */
struct page_finding {
	const char *check; /* "title", "canonical" … */
	const char *expected; /* what the export says */
	const char *found;
	const char *fix; /* what to do */
};

#define PAGE_FINDINGS_MAX 40 /* more are not kept */

struct page_report {
	struct ctx *c;
	struct page_finding findings[PAGE_FINDINGS_MAX];
	size_t count;
};

/* Adds a finding. */
void compare_tell(struct page_report *r, const char *check, const char *expected, const char *found,
    const char *fix);

/* Returns a text of a page in quotes, shortened; "none" for NULL. In the arena. */
const char *compare_quote(struct ctx *c, const char *text);

/* Splits the directives for robots at their commas and adds them to *out; `text` may be
 * NULL. */
void compare_split(struct ctx *c, const char *text, struct page_texts *out);

/* What the head of the answer says of the page. */
struct page_header {
	const char *address; /* of the page; relative addresses in it begin there */
	const char *canonical; /* of the field Link, or NULL */
	struct page_texts robots; /* directives of X-Robots-Tag, one by one */
};

/* Reads the page and compares it, in a child process with a time limit, since some pages
 * keep any parser busy. If the process reaches the limit, that is the one finding. */
void compare_apart(struct page_report *r, const struct page *expected, const char *html, size_t len,
    const struct page_header *header);

#endif
