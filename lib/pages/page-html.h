#ifndef PAGES_PAGE_HTML_H
#define PAGES_PAGE_HTML_H
/* An article's html, as the export floor wrote it (docs/export.md §1), cut where a page puts words
 * of its own. */
#include <stdbool.h>

struct ctx;

struct page_html {
	const char *heading; /* where <h1> begins */
	const char *byline; /* where the line with author and date begins (docs/export.md §1.7) */
	const char *rest; /* what follows that line */
	bool described; /* its text begins with the description, which is not said twice */
};

/* Finds the places in it. */
void page_html_cut(struct ctx *c, const char *html, const char *description, struct page_html *out);

/* Returns the name of the author in the line with author and date; *url is the address of a
 * profile, or NULL (arena). */
const char *page_html_author(struct ctx *c, const char *byline, const char **url);

#endif
