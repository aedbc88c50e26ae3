#ifndef SCREEN_ICON_H
#define SCREEN_ICON_H
/* The picture that a browser shows in the tab of a page of Galley: lib/screen/icon.svg, compiled in
 * like the style sheets (style.h). Without it a browser asks for /favicon.ico, which may be
 * another program's, or nobody's. */
#include <stddef.h>

#include "screen/hwrite.h"

#define ICON_TYPE "image/svg+xml"

/* Writes into the head which picture it is; `root` is that of the program's addresses. */
void icon_write(struct hwrite *w, const char *root);

/* Returns the picture if it has this name below "assets/", else NULL. */
const char *icon_find(const char *name, size_t *len);

#endif
