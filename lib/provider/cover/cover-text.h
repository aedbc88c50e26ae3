#ifndef PROVIDER_COVER_TEXT_H
#define PROVIDER_COVER_TEXT_H
/* Draws the text of a cover with Pango: shaped, broken into lines, and set at the side
 * where a line of the language begins, in the current colour of cairo. */
#include <stdbool.h>

#include <cairo.h>

struct ctx;

enum { COVER_MARGIN = 90, COVER_TEXT_WIDTH = 880 }; /* pixels */

struct cover_text {
	cairo_t *cairo;
	const char *language; /* a clean tag: chooses between glyphs (ja, zh) */
	bool rtl;
};

/*
 * Draws a title as large as it fits, its first line below `top`. Pictographs that the
 * fonts lack are left out. Returns false, and draws nothing, if the fonts lack a letter
 * or nothing remains.
 */
bool cover_text_title(struct ctx *c, const struct cover_text *t, const char *title, double top);

/* Draws one line in letters of `size` and cuts it if it is too long. Draws nothing if
 * the fonts lack a letter of it. */
void cover_text_line(const struct cover_text *t, const char *text, int size, double top);

#endif
