#ifndef PAGES_THEME_H
#define PAGES_THEME_H
/*
 * The sheet of a workspace's pages, theme-DIGEST.css: what the workspace chose, as custom
 * properties. lib/pages/pages.css is made of them. DIGEST is of the sheet, so that a browser
 * keeps it for ever.
 */
#include <stdbool.h>

#include "access/pages-settings.h"

struct ctx;

#define THEME_BEGINS "theme-"
#define THEME_ENDS ".css"

/* Returns the sheet (arena). */
const char *theme_sheet(struct ctx *c, const struct pages_look *look);

/* Returns its name, "theme-0123456789abcdef.css" (arena). */
const char *theme_name(struct ctx *c, const struct pages_look *look);

/* Returns whether a text has the form of such a name. */
bool theme_is_name(const char *text);

#endif
