#ifndef ARTICLE_THUMBS_H
#define ARTICLE_THUMBS_H
/*
 * Thumbnails of stored pictures (content/thumbnail.h), for lists of people: htdocs/media/<digest>,
 * with THUMBNAIL_ENDING. The web server gives them as it gives media; no row names them, no backup
 * holds them, and nothing waits for them.
 *
 * A wish is an empty file of the picture's name in run/console/thumbs/. media_insert() leaves one
 * for each new picture, and a list one for each that has no thumbnail yet: one that was stored
 * before there were any, that was restored, or that another host stored. The task runner starts
 * bin/galley-picture for each, beside all else. Of a picture that has none it asks again after a
 * week.
 */
#include <stdbool.h>

struct ctx;
struct work;

/* Returns the thumbnail's file name of an image as content names it ("media:<digest>.<ext>"); NULL
 * if there is none, and then leaves a wish. An address, or NULL, has none. */
const char *thumb_find(struct ctx *c, const char *image);

/* Leaves a wish for the picture "<digest>.<ext>", unless it has a thumbnail. What cannot be left is
 * left by the next list. */
void thumb_wish(struct ctx *c, const char *name);

/* Removes all of a picture whose file is removed. */
void thumb_remove(struct ctx *c, const char *name);

/* The digest that a thumbnail's name says, also while it is being written; NULL for any other. */
const char *thumb_digest_of(struct ctx *c, const char *name);

/* Returns whether there are wishes, and the last look found no fault that lasts. */
bool thumbs_are_due(struct ctx *c);

/* Grants wishes for some seconds. False if it cannot go on: it told the log why. No database
 * is open. */
bool thumbs_make(struct ctx *c, const struct work *work);

#endif
