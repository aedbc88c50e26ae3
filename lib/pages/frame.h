#ifndef PAGES_FRAME_H
#define PAGES_FRAME_H
/*
 * The page's side of frames in other websites (docs/pages.md §6): a script, which speaks with
 * htdocs/embed.js of the website around it. It is compiled in, and its address has its digest. A
 * page of a workspace without embed_origins has no such script.
 */
#include <stddef.h>

struct arena;
struct hwrite;

/* Returns the script if it has this name below "assets/", else NULL. */
const char *frame_script_find(const char *name, size_t *len);

/* Writes the script's element into <head>, unless `origins` is "". `root` is the path of all pages
 * ("/pages"), `below` that of the workspace's ("/pages/WORD/"), `origins` its embed_origins. `site`
 * is its analytics_site_id, NULL where nobody counts: the script loads collect.js, which is beside
 * `root`, once the website around the frame says that the reader agreed. */
void frame_write(struct hwrite *w, struct arena *a, const char *root, const char *below,
    const char *origins, const char *site);

#endif
