#ifndef PAGES_PAGE_LAYOUT_H
#define PAGES_PAGE_LAYOUT_H
/*
 * The document around a page of a workspace: its head, the title of the pages, which leads to the
 * list, and their topics; the main part; and a foot that leads to the feed.
 *
 * 	const struct layout l = { … };
 * 	layout_begin(c, &w, s, &l, &reply->body);
 * 	…
 * 	layout_end(c, &w, s, &l);
 *
 * It has no script but that of frames (below), and needs none. Its sheet is lib/pages/pages.css
 * after htdocs/article.css, compiled in; the workspace's own (theme_sheet()) comes after it.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/pages-settings.h"
#include "screen/hwrite.h"

struct ctx;
struct hwrite;
struct req;
struct workspace;

/* The pages of a workspace, below /pages/WORD/, as one request asks for them. */
struct site {
	struct req *r;
	const struct workspace *w;
	struct pages_look look;
	const char *word; /* the present one */
	const char *root; /* "/pages" */
	const char *home; /* "/pages/WORD/" */
	const char *title; /* of the pages: their own, or the workspace's name */
	const char *path; /* after `home`, decoded */
	bool fleeting; /* a handler says so of an answer that nobody should ask for again:
			    * neither we nor others keep it */
};

/* The list of a section. */
struct topic {
	const char *name; /* NULL: the list of all */
	const char *address;
	bool here; /* the page is this list */
};

struct layout {
	const char *language; /* of the page: a tag */
	const char *title; /* of the window */
	const char *description; /* or NULL */
	bool top; /* the list itself: the title of the pages is its heading */
	const struct topic *topics; /* of the pages: lists that the head leads to */
	size_t topic_count;
};

void layout_begin(
    struct ctx *c, struct hwrite *w, const struct site *s, const struct layout *l, struct buf *out);
void layout_end(struct ctx *c, struct hwrite *w, const struct site *s, const struct layout *l);

/* Returns the sheet if it has this name below "assets/", else NULL. */
const char *layout_style_find(const char *name, size_t *len);

/*
 * The sheet of a workspace's pages, theme-DIGEST.css: what the workspace chose, as custom
 * properties. lib/pages/pages.css is made of them. DIGEST is of the sheet, so that a browser
 * keeps it for ever.
 */

#define THEME_BEGINS "theme-"
#define THEME_ENDS ".css"

/* Returns the sheet (arena). */
const char *theme_sheet(struct ctx *c, const struct pages_look *look);

/* Returns whether a text has the form of such a name. */
bool theme_is_name(const char *text);

/*
 * The page's side of frames in other websites (docs/pages.md §6): a script, which speaks with
 * htdocs/embed.js of the website around it. It is compiled in, and its address has its digest. A
 * page of a workspace without embed_origins has no such script.
 */

/* Returns the script if it has this name below "assets/", else NULL. */
const char *frame_script_find(const char *name, size_t *len);

/* Returns the colour of letters that are links, for light or dark grounds: the accent ("#rrggbb",
 * or "") where it can be read on each ground of a page, with a contrast of 4.5 (WCAG 2, AA), else
 * that of lib/pages/pages.css. What are no letters has the accent as it is. */
const char *letters_of(const char *accent, bool dark);

/* Returns the contrast of two colours, 1 to 21. */
double colour_contrast(const char *a, const char *b);

#endif
