#ifndef SCREEN_ARTICLE_PAGE_H
#define SCREEN_ARTICLE_PAGE_H
/*
 * A whole document around an article's html, for people who look at it before it is
 * published (docs/console.md §4.5). It has no script, and tells search engines to go. Its sheet
 * is htdocs/article.css with a few rules for what is around the article, compiled in.
 */
#include <stddef.h>

#include "screen/hwrite.h"

struct article_page {
	const char *language; /* of the article: a tag */
	const char *title;
	const char *root; /* of the addresses of the sheet and the tab's picture, on this origin */
	const char *scheme; /* "light", "dark"; NULL: as the reader's screen is */
	const char *said; /* a sentence above the article, in English, or NULL */
	const char *html; /* that the export floor made; NULL: none */
	size_t html_len;
	void (*write)(
	    struct hwrite *w, const void *data); /* what is below `said` where there is no html */
	const void *data; /* for `write` */
};

void article_page_write(struct buf *out, const struct article_page *p);

/* Returns the sheet if it has this name below "assets/", else NULL. */
const char *article_page_style_find(const char *name, size_t *len);

#endif
