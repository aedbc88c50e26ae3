#ifndef PICTURE_PICTURE_CLEAN_H
#define PICTURE_PICTURE_CLEAN_H
/*
 * Removes the metadata of a picture before it is stored and published. Everything goes that is
 * not needed to show it: EXIF, XMP, IPTC, places,
 * names of owners and cameras, dates, comments, thumbnails, second pictures, and
 * what follows the end. The pixels stay as they came: nothing is encoded again.
 * Linked into the tool and the runner only: it needs zlib.
 *
 * What stays of each kind, beside the pixels:
 *
 * all	an ICC profile of at most PICTURE_PROFILE_MAX bytes
 * JPEG	tables, JFIF without its thumbnail, Adobe's APP14, the orientation, in an
 *	EXIF segment that holds nothing else
 * PNG	PLTE tRNS gAMA cHRM sRGB cICP sBIT, and an animation's acTL fcTL fdAT
 * WebP	VP8X, with flags that say what is left; ALPH ANIM ANMF
 * GIF	graphic controls, and how often an animation repeats (NETSCAPE2.0)
 *
 * A picture that holds nothing else stays byte for byte what it is.
 *
 * picture-clean-jpeg.c and picture-clean-png.c have the two kinds that are long.
 *
 * lib/picture: kinds of pictures, and what is removed from them. Not here: where pictures are kept
 * (article/media.h). Begin with picture-format.h.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "picture/picture-format.h"

#define PICTURE_PROFILE_MAX ((size_t)64 * 1024)
#define PICTURE_PROFILE_UNPACKED_MAX ((size_t)1024 * 1024)

struct picture_clean {
	struct picture is;
	const void *bytes; /* in the arena, or those that were given */
	size_t len;
	bool changed; /* the bytes are not those that were given */
};

/*
 * Removes the metadata of a picture. Refuses (ERR_INVALID) what
 * picture_read() refuses; a PNG whose rows are not all there, or whose profile
 * unpacks to more than PICTURE_PROFILE_UNPACKED_MAX; a PNG or WebP that is to be
 * turned before it is shown; tables and frames that are wrong inside.
 */
MAY_REFUSE struct err *
picture_clean(struct ctx *c, const void *bytes, size_t len, struct picture_clean *out);

/* Private to the files of this name: one picture that is being cleaned. */
struct cleaning {
	struct ctx *c;
	const unsigned char *p; /* the whole picture; picture_read() took it */
	size_t len;
	struct buf out;
	bool turned; /* it would have to be turned, which its kind cannot say
			without metadata */
};

/* The kinds. Each returns why the picture is refused, or NULL. Static text. */
const char *picture_clean_jpeg(struct cleaning *cl);
const char *picture_clean_png(struct cleaning *cl);

/* Whether the bytes are one whole ICC profile that is short enough to stay. */
bool picture_profile_stays(const unsigned char *p, size_t len);

#endif
