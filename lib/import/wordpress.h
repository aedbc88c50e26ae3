#ifndef IMPORT_WORDPRESS_H
#define IMPORT_WORDPRESS_H
/* Makes a post (post.h) of an item of a WordPress export, and HTML of its text. */
#include "import/losses.h"
#include "import/post.h"
#include "import/wxr.h"

/*
 * Fills the post and returns NULL; else returns why the item is skipped ("of type page"),
 * and fills out->page only. With `pages` a page is a post: its slug is the last part of its
 * path. The front page has no address, because a redirect of it would move the whole site.
 */
const char *wordpress_post(struct ctx *c, const struct wxr *wxr, const struct wxr_item *item,
    bool pages, struct notes *notes, struct post *out);

/*
 * Returns the text as HTML that means the same, with every newline where it was:
 * comments of the block editor go (columns, buttons and galleries leave a note), [youtube],
 * [vimeo], [caption], [embed], [gallery], [audio],
 * [video] and [playlist] become figures and links, other shortcodes lose their
 * brackets and keep what they enclose (a note); in a text of the classic editor
 * empty lines end paragraphs and newlines are breaks.
 */
const char *
wordpress_html(struct ctx *c, const struct wxr *wxr, const char *text, struct notes *notes);

#endif
