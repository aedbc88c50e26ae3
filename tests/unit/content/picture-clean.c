/* suite: fast */
#include "content/picture-clean.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

#define BYTES(text) (text), sizeof(text) - 1

/* What is left of the bytes, or the refusal. */
static void
leaves(const char *bytes, size_t len, const char *want, size_t want_len, const char *name)
{
	struct picture_clean clean;
	/* A block of its own, so that reading beyond it is seen. */
	char *copy = malloc(len);
	struct err *err;

	memcpy(copy, bytes, len);
	err = picture_clean(&ctx, copy, len, &clean);
	if (want_len == 0) {
		if (!ok(err != NULL && strstr(err->message, want) != NULL, "%s: %s", name, want))
			printf("#  got: %s\n", err == NULL ? "nothing" : err->message);
	} else if (!ok(err == NULL && clean.len == want_len &&
			   memcmp(clean.bytes, want, want_len) == 0,
		       "%s", name)) {
		printf("#  got: %s, %zu bytes\n", err == NULL ? "a picture" : err->message,
		    err == NULL ? clean.len : 0);
	}
	ok(err != NULL || clean.changed == (len != want_len || memcmp(bytes, want, len) != 0),
	    "  and says whether it changed");
	free(copy);
	arena_reset(&arena);
}

#define LEAVES(bytes, want, name) leaves(BYTES(bytes), BYTES(want), name)
#define REFUSED(bytes, why, name) leaves(BYTES(bytes), why, 0, name)

#define START "\xFF\xD8"
#define FRAME "\xFF\xC0\0\x0B\x08\0\2\0\3\1\1\x11\0"
#define SCAN                                                                                       \
	"\xFF\xDA\0\x08\1\1\0\0\x3F\0"                                                             \
	"ab\xFF\0c"
#define END "\xFF\xD9"
#define PIXELS FRAME SCAN END
#define EXIF                                                                                       \
	"\xFF\xE1\0\x22"                                                                           \
	"Exif\0\0"
#define TIFF "MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0"

static void
test_jpeg(void)
{
	LEAVES(START PIXELS, START PIXELS, "a JPEG without anything");
	LEAVES(START "\xFF\xFF\xFE\0\4ab\xFF\x01" PIXELS, START PIXELS,
	    "fill bytes, TEM and a comment");
	LEAVES(START FRAME SCAN "\xFF\xFE\0\4ab"
				"\xFF\xE1\0\4ab" SCAN END,
	    START FRAME SCAN SCAN END, "comments between two scans");
	LEAVES(START EXIF TIFF "\x06\0\0\0\0\0\0" PIXELS, START EXIF TIFF "\x06\0\0\0\0\0\0" PIXELS,
	    "an orientation and nothing else stays");
	LEAVES(START EXIF TIFF "\x01\0\0\0\0\0\0" PIXELS, START PIXELS,
	    "upright needs no orientation");
	LEAVES(START EXIF TIFF "\x09\0\0\0\0\0\0" PIXELS, START PIXELS, "nine is none");
	LEAVES(START EXIF TIFF "\x08\0\0\0\0\0\0" EXIF TIFF "\x06\0\0\0\0\0\0" PIXELS,
	    START EXIF TIFF "\x08\0\0\0\0\0\0" PIXELS, "the first one counts");
	LEAVES(START "\xFF\xE0\0\x13JFIF\0\1\1\0\0\1\0\1\1\1abc" PIXELS,
	    START "\xFF\xE0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0" PIXELS, "JFIF loses its thumbnail");
	LEAVES(START "\xFF\xE0\0\x0AJFIF\0abc" PIXELS, START PIXELS,
	    "a JFIF segment that is too short");
	LEAVES(START "\xFF\xEE\0\x10"
		     "Adobe\0\x64\0\0\0\0\1ab" PIXELS,
	    START "\xFF\xEE\0\x0E"
		  "Adobe\0\x64\0\0\0\0\1" PIXELS,
	    "Adobe's segment loses what follows");
	LEAVES(START "\xFF\xE2\0\x12ICC_PROFILE\0\2\2ab" PIXELS, START PIXELS,
	    "a profile without its first part");
	LEAVES(START "\xFF\xE2\0\x12ICC_PROFILE\0\1\1ab" PIXELS, START PIXELS,
	    "a profile that is none");
	LEAVES(START "\xFF\xDD\0\4\0\1" PIXELS, START "\xFF\xDD\0\4\0\1" PIXELS,
	    "restart intervals stay");
	REFUSED(START "\xFF\xDD\0\5\0\1\1" PIXELS, "table of it",
	    "restart intervals that are too long");
	REFUSED(
	    START "\xFF\xDB\0\4\0\1" PIXELS, "table of it", "a quantization table that is cut off");
	REFUSED(START "\xFF\xC4\0\4\0\1" PIXELS, "table of it", "a Huffman table that is cut off");
	REFUSED(START FRAME "\xFF\xDA\0\x09\1\1\0\0\x3F\0x"
			    "ab" END,
	    "table of it", "a scan's head with more behind it");
	LEAVES(START "\xFF\xCC\0\4ab\xFF\xF0\0\4ab" PIXELS, START PIXELS,
	    "segments that no such JPEG has");
}

#define GIF "GIF89a\3\0\2\0\0\0\0"
#define GIF_FRAME "\x2C\0\0\0\0\1\0\1\0\0\2\1a\0"
#define LOOP "!\xFF\x0BNETSCAPE2.0"

static void
test_gif(void)
{
	LEAVES(GIF GIF_FRAME ";", GIF GIF_FRAME ";", "a GIF without anything");
	LEAVES(GIF "!\xFE\1a\1b\0" GIF_FRAME ";", GIF GIF_FRAME ";", "a comment of two blocks");
	LEAVES(GIF LOOP "\3\1\5\0\0" GIF_FRAME ";", GIF LOOP "\3\1\5\0\0" GIF_FRAME ";",
	    "a loop stays");
	LEAVES(GIF LOOP "\3\1\5\0\6secret\0" GIF_FRAME ";", GIF LOOP "\3\1\5\0\0" GIF_FRAME ";",
	    "what follows in it goes");
	LEAVES(GIF LOOP "\0" GIF_FRAME ";", GIF GIF_FRAME ";", "an empty loop");
	LEAVES(GIF "!\xF9\4abcd\2ef\0" GIF_FRAME ";", GIF "!\xF9\4abcd\0" GIF_FRAME ";",
	    "a control of one block");
	LEAVES(GIF "!\xF9\0" GIF_FRAME ";", GIF GIF_FRAME ";", "an empty control");
}

#define LOSSY "VP8 \x0A\0\0\0\x10\0\0\x9D\x01\x2A\3\0\2\0"
#define HEAD(flags) "VP8X\x0A\0\0\0" flags "\0\0\0\2\0\0\1\0\0"
/* A whole profile; one byte tells two of them apart. */
#define ZEROS "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define PROFILE(which)                                                                             \
	"ICCP\x86\0\0\0"                                                                           \
	"\0\0\0\x86" ZEROS which "acsp" ZEROS ZEROS ZEROS "\0"
#define MOVING HEAD("\2") "ANIM\6\0\0\0abcdef"
#define PLACE "0123456789012345" /* where a frame is, and how long */

static struct buf
riff(const char *chunks, size_t len)
{
	struct buf b;

	buf_init(&b, &arena, 1000);
	buf_lit(&b, "RIFF");
	buf_add_char(&b, (char)(len + 4));
	buf_add_char(&b, (char)((len + 4) >> 8));
	buf_lit(&b, "\0\0WEBP");
	buf_add(&b, chunks, len);
	return b;
}

static void
webp_leaves(const char *chunks, size_t len, const char *want, size_t want_len, const char *name)
{
	struct buf from = riff(chunks, len), to = riff(want, want_len);

	leaves(from.data, from.len, to.data, to.len, name);
}

static void
webp_refused(const char *chunks, size_t len, const char *why, const char *name)
{
	struct buf from = riff(chunks, len);

	leaves(from.data, from.len, why, 0, name);
}

static void
test_webp(void)
{
	webp_leaves(BYTES(LOSSY), BYTES(LOSSY), "a WebP of one chunk");
	webp_leaves(BYTES(HEAD("\x3C") "ICCP\2\0\0\0ab" LOSSY "XMP \1\0\0\0a\0"),
	    BYTES(HEAD("\x10") LOSSY), "flags of what is not there, a profile that is none, XMP");
	webp_leaves(BYTES(HEAD("\x20") PROFILE("1") LOSSY), BYTES(HEAD("\x20") PROFILE("1") LOSSY),
	    "a profile stays");
	webp_leaves(BYTES(HEAD("\x20") PROFILE("1") PROFILE("2") LOSSY),
	    BYTES(HEAD("\x20") PROFILE("1") LOSSY), "a second profile goes");
	webp_leaves(BYTES(MOVING "ANMF\x2A\0\0\0" PLACE LOSSY "EXIF\0\0\0\0"),
	    BYTES(MOVING "ANMF\x22\0\0\0" PLACE LOSSY), "a frame keeps its pixels only");
	webp_leaves(BYTES(MOVING "ANIM\2\0\0\0ab"
				 "ANMF\x22\0\0\0" PLACE LOSSY),
	    BYTES(MOVING "ANMF\x22\0\0\0" PLACE LOSSY), "an animation's chunk that is too short");
	webp_refused(BYTES(MOVING "ANMF\x10\0\0\0" PLACE), "no pixels", "a frame without pixels");
	webp_refused(BYTES(MOVING "ANMF\x14\0\0\0" PLACE "VP8 "), "cut off",
	    "a frame that ends within a chunk's head");
	webp_refused(BYTES(MOVING "ANMF\x18\0\0\0" PLACE "VP8 \1\0\0\0"), "cut off",
	    "a frame that ends within a chunk");
}

int
main(void)
{
	arena_init(&arena, (size_t)128 * 1024 * 1024);
	test_jpeg();
	test_gif();
	test_webp();
	arena_release(&arena);
	return done_testing();
}
