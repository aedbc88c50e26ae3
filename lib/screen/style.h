#ifndef SCREEN_STYLE_H
#define SCREEN_STYLE_H
/*
 * The style sheet of the console and its scripts: that of the editor, of large files, of the
 * browser's time zone, and of what is copied. lib/screen/console.css, console.js, sending.js,
 * zone.js and copy.js are compiled in, so that a page and what it uses are always those of one
 * release; their addresses hold a digest of their bytes, so that a browser may keep them for ever
 * (docs/console.md §6.3).
 */
#include <stddef.h>

struct arena;

/* Returns its address below the console's root: "/console/assets/console-DIGEST.css". */
const char *style_address(struct arena *a, const char *root);

/* Returns the script's: "/console/assets/console-DIGEST.js". */
const char *style_script_address(struct arena *a, const char *root);

/* Returns that of the script of large files: "/console/assets/sending-DIGEST.js". */
const char *style_sending_address(struct arena *a, const char *root);

/* Returns that of the script of the browser's time zone: "/console/assets/zone-DIGEST.js". */
const char *style_zone_address(struct arena *a, const char *root);

/* Returns that of the script of what is copied: "/console/assets/copy-DIGEST.js". */
const char *style_copy_address(struct arena *a, const char *root);

/* Returns the bytes of an asset by its name below "assets/", or NULL: no asset of this release
 * has it. */
const char *style_find(const char *name, size_t *len);

#endif
