#ifndef PAGES_PAGE_LAYOUT_H
#define PAGES_PAGE_LAYOUT_H
/*
 * The document around a page of a workspace: its head, a line with the title of the pages, which
 * leads to the list, and the main part.
 *
 * 	layout_begin(c, &w, s, &(struct layout){ … }, &reply->body);
 * 	…
 * 	layout_end(&w);
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

/*
 * Shades of a workspace's own colour that can be read (docs/pages.md §4): as text their
 * contrast is 4.5 or more (WCAG 2, AA) on every ground of a page. The colour itself is never
 * refused; it stays as it is where it can be read.
 */

/* Bytes of "#rrggbb" and a NUL. */
#define SHADE_TEXT 8

/* Makes the shade of `colour` ("#rrggbb") for light or dark grounds. */
void shade_of(const char *colour, bool dark, char out[SHADE_TEXT]);

/* Returns the contrast of two colours, 1 to 21. */
double shade_contrast(const char *a, const char *b);

#endif
