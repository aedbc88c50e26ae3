#ifndef SCREEN_ASSETS_H
#define SCREEN_ASSETS_H
/*
 * What is compiled in: sheets, scripts, and the picture of the tab; and the page around an article.
 *
 * The style sheets of the console and its scripts (lib/screen/console.css, editor.css, console.js,
 * sending.js, zone.js, copy.js, menu.js, and the visual view) are compiled in, so that a page and
 * what it uses are always those of one release; their addresses hold a digest of their bytes, so
 * that a browser may keep them for ever (docs/console.md §6.3).
 */
#include <stddef.h>

#include "screen/hwrite.h"

struct arena;

enum asset {
	ASSET_SHEET,
	ASSET_EDITOR, /* the script of the editor, its visual view (packed), their sheet */
	ASSET_VISUAL,
	ASSET_EDITOR_SHEET,
	ASSET_SENDING, /* the script of large files; of the browser's time zone; */
	ASSET_ZONE,
	ASSET_COPIES, /* of what is copied; of menus */
	ASSET_MENUS
};

/* Returns its address below the console's root: "/console/assets/console-DIGEST.css" (arena). */
const char *asset_address(struct arena *a, const char *root, enum asset asset);

/* Returns the bytes of an asset by its name below "assets/", or NULL: no asset of this release
 * has it. */
const char *style_find(const char *name, size_t *len);

/* The picture that a browser shows in the tab of a page of Galley: lib/screen/icon.svg. Without it
 * a browser asks for /favicon.ico, which may be another program's, or nobody's. */

#define ICON_TYPE "image/svg+xml"

/* Writes into the head which picture it is; `root` is that of the program's addresses. */
void icon_write(struct hwrite *w, const char *root);

/* Returns the picture if it has this name below "assets/", else NULL. */
const char *icon_find(const char *name, size_t *len);

/*
 * A whole document around an article's html, for people who look at it before it is
 * published (docs/console.md §4.5). It has no script, and tells search engines to go. Its sheet
 * is htdocs/article.css with a few rules for what is around the article, compiled in.
 */

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
