#ifndef CONTENT_PICTURE_CLEAN_H
#define CONTENT_PICTURE_CLEAN_H
/*
 * Removes the metadata of a picture before it is stored and published. Everything goes that is
 * not needed to show it: EXIF, XMP, IPTC, places, names of owners and cameras, dates, comments,
 * thumbnails, second pictures, and what follows the end. The pixels stay as they came: nothing is
 * encoded again. No program of the API has it: it needs zlib.
 *
 * What stays of each kind, beside the pixels:
 *
 * all	an ICC profile of at most 64 KiB
 * JPEG	tables, JFIF without its thumbnail, Adobe's APP14, the orientation, in an
 *	EXIF segment that holds nothing else
 * PNG	PLTE tRNS gAMA cHRM sRGB cICP sBIT, and an animation's acTL fcTL fdAT
 * WebP	VP8X, with flags that say what is left; ALPH ANIM ANMF
 * GIF	graphic controls, and how often an animation repeats (NETSCAPE2.0)
 *
 * A picture that holds nothing else stays byte for byte what it is.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "content/picture-format.h"

struct picture_clean {
	struct picture is;
	const void *bytes; /* in the arena, or those that were given */
	size_t len;
	bool changed; /* the bytes are not those that were given */
};

/*
 * Removes the metadata of a picture. Refuses (ERR_INVALID) what
 * picture_read() refuses; a PNG whose rows are not all there, or whose profile
 * unpacks to more than 1 MiB; a PNG or WebP that is to be
 * turned before it is shown; tables and frames that are wrong inside.
 */
MAY_REFUSE struct err *
picture_clean(struct ctx *c, const void *bytes, size_t len, struct picture_clean *out);

#endif
