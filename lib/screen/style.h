#ifndef SCREEN_STYLE_H
#define SCREEN_STYLE_H
/*
 * The style sheet of the console. lib/screen/console.css is compiled in, so that a page and its
 * sheet are always those of one release; its address holds a digest of its bytes, so that a
 * browser may keep it for ever (docs/console.md §6.3).
 */
#include <stddef.h>

struct arena;

/* Returns its address below the console's root: "/console/assets/console-DIGEST.css". */
const char *style_address(struct arena *a, const char *root);

/* Returns the bytes of an asset by its name below "assets/", or NULL: no asset of this release
 * has it. */
const char *style_find(const char *name, size_t *len);

#endif
