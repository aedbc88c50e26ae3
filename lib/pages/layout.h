#ifndef PAGES_LAYOUT_H
#define PAGES_LAYOUT_H
/*
 * The document around a page of a workspace: its head, a line with the title of the pages, which
 * leads to the list, and the main part.
 *
 * 	layout_begin(c, &w, s, &(struct layout){ … }, &reply->body);
 * 	…
 * 	layout_end(&w);
 *
 * It has no script but that of frames (frame.h), and needs none. Its sheet is lib/pages/pages.css
 * after htdocs/article.css, compiled in; the workspace's own (theme.h) comes behind it.
 */
#include "pages/site.h"
#include "screen/hwrite.h"

struct layout {
	const char *language; /* of the page: a tag */
	const char *title; /* of the window */
	const char *description; /* or NULL */
	bool top; /* the list itself: the title of the pages is its heading */
};

void layout_begin(
    struct ctx *c, struct hwrite *w, const struct site *s, const struct layout *l, struct buf *out);
void layout_end(struct hwrite *w);

/* Returns the sheet if it has this name below "assets/", else NULL. */
const char *layout_style_find(const char *name, size_t *len);

#endif
