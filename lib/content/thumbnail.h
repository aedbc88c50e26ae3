#ifndef CONTENT_THUMBNAIL_H
#define CONTENT_THUMBNAIL_H
/*
 * Makes the thumbnail of a picture that is stored, for lists of people: a WebP of at most 160
 * pixels' width and 8 KiB, upright, without metadata, of the first frame. article/thumbs.h says
 * where it is, and when it is made.
 *
 * Only bin/galley-picture may call it: three libraries read a stranger's bytes here.
 */
#include <stddef.h>

struct ctx;

#define THUMBNAIL_WIDTH 160 /* a smaller picture keeps its own */
#define THUMBNAIL_BYTES_MAX ((size_t)8 * 1024)

/* What follows the digest in a thumbnail's name: its width, and the number of what makes it, which
 * changes when the same picture gets other bytes. */
#define THUMBNAIL_ENDING "-160-1.webp"

/*
 * Sets *out to the thumbnail, in the arena. Of a picture that is longer than three times its
 * height, or higher than three halves of its width, it shows the middle. Returns NULL, or why there
 * is none ("it is damaged"). What picture_read() refuses, no library reads.
 */
const char *
thumbnail_make(struct ctx *c, const void *bytes, size_t len, const void **out, size_t *out_len);

#endif
