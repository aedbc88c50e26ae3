#ifndef PAGES_SHADE_H
#define PAGES_SHADE_H
/*
 * Shades of a workspace's own colour that can be read (docs/pages.md §4): as text their
 * contrast is 4.5 or more (WCAG 2, AA) on every ground of a page. The colour itself is never
 * refused; it stays as it is where it can be read.
 */
#include <stdbool.h>

/* Bytes of "#rrggbb" and a NUL. */
#define SHADE_TEXT 8

/* The grounds of a page on which such text may be: the one that is nearest to a text's colour,
 * for light and for dark. lib/pages/pages.css and htdocs/article.css have these and others that
 * are farther. */
#define SHADE_LIGHT_GROUND "#f5f5f3"
#define SHADE_DARK_GROUND "#26262a"

/* Makes the shade of `colour` ("#rrggbb") for light or dark grounds. */
void shade_of(const char *colour, bool dark, char out[SHADE_TEXT]);

/* Returns the contrast of two colours, 1 to 21. */
double shade_contrast(const char *a, const char *b);

#endif
