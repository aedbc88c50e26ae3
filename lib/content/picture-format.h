#ifndef CONTENT_PICTURE_FORMAT_H
#define CONTENT_PICTURE_FORMAT_H
/*
 * Reads the kind and the size of a picture from its bytes: PNG, JPEG, WebP and GIF. Not a decoder:
 * pixels are never looked at, the file's structure is walked from its first byte to its last, so
 * that one that was cut off, or that says something else than it is, does not become media.
 *
 * picture-clean.h says what of a picture is stored.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

#define PICTURE_BYTES_MAX ((size_t)32 * 1024 * 1024)

/* Of pictures that programs give: documents that are imported, providers, the web. */
#define PICTURE_GIVEN_MAX ((size_t)8 * 1024 * 1024)
#define PICTURE_SIDE_MAX 8192 /* pixels */

struct picture {
	const char *type; /* "image/png"; static */
	const char *extension; /* "png", "jpg", "webp", "gif"; static */
	int64_t width, height; /* pixels as a browser shows it: a JPEG that a
				  camera turned by 90° has them exchanged */
};

/*
 * Reads the kind and size of `len` bytes. Refuses (ERR_INVALID) what is none of
 * the four kinds, longer than PICTURE_BYTES_MAX, larger than PICTURE_SIDE_MAX or
 * PICTURE_PIXELS_MAX, cut off, or wrong inside; the sentence says which and is
 * about "the picture".
 */
MAY_REFUSE struct err *
picture_read(struct ctx *c, const void *bytes, size_t len, struct picture *out);

/* Returns the orientation, 1 to 8, of an EXIF block that begins with its byte order (tag
 * 0x0112 of the first directory); 1, upright, where none can be read. */
int picture_orientation(const unsigned char *p, size_t len);

#endif
