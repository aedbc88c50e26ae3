#include "picture/picture.h"

#include <stdbool.h>
#include <string.h>

struct webp {
	bool extended, animated;
	bool pixels; /* a VP8 or VP8L chunk, or a frame of an animation */
};

static int64_t
little(const unsigned char *p, size_t size)
{
	int64_t value = 0;

	while (size > 0)
		value = value << 8 | p[--size];
	return value;
}

/* Reads the head of a key frame (RFC 6386 §9.1). */
static bool
lossy_size(const unsigned char *p, size_t len, struct picture *size)
{
	if (len < 10 || (p[0] & 1) != 0 || memcmp(p + 3, "\x9D\x01\x2A", 3) != 0)
		return false;
	size->width = little(p + 6, 2) & 0x3FFF;
	size->height = little(p + 8, 2) & 0x3FFF;
	return true;
}

/* Reads the head of a lossless image (RFC 9649 §3.4). */
static bool
lossless_size(const unsigned char *p, size_t len, struct picture *size)
{
	int64_t bits;

	if (len < 5 || p[0] != 0x2F || p[4] >> 5 != 0)
		return false;
	bits = little(p + 1, 4);
	size->width = (bits & 0x3FFF) + 1;
	size->height = (bits >> 14 & 0x3FFF) + 1;
	return true;
}

/* Reads the head of a file with more than one chunk (RFC 9649 §2.7). */
static const char *
extended_read(const unsigned char *p, size_t len, struct webp *w, struct picture *out)
{
	if (len < 10)
		return "its VP8X chunk is wrong";
	w->extended = true;
	w->animated = (p[0] & 2) != 0;
	out->width = little(p + 4, 3) + 1;
	out->height = little(p + 7, 3) + 1;
	return NULL;
}

static const char *
pixels_read(bool fits, const struct picture *size, struct webp *w, struct picture *out)
{
	if (!fits)
		return "its pixels do not begin as they should";
	if (w->pixels || w->animated)
		return "it has pixels where none belong";
	if (w->extended && (size->width != out->width || size->height != out->height))
		return "it gives two different sizes";
	w->pixels = true;
	*out = *size;
	return NULL;
}

static const char *
chunk_read(const unsigned char *type, const unsigned char *p, size_t len, struct webp *w,
    struct picture *out)
{
	struct picture size = { 0 };

	if (memcmp(type, "VP8X", 4) == 0)
		return extended_read(p, len, w, out);
	if (memcmp(type, "VP8 ", 4) == 0)
		return pixels_read(lossy_size(p, len, &size), &size, w, out);
	if (memcmp(type, "VP8L", 4) == 0)
		return pixels_read(lossless_size(p, len, &size), &size, w, out);
	if (memcmp(type, "ANMF", 4) == 0) {
		if (!w->animated || len < 16)
			return "a frame of it is wrong";
		w->pixels = true;
	}
	return NULL;
}

const char *
picture_webp(const unsigned char *p, size_t len, struct picture *out)
{
	struct webp w = { 0 };
	const char *why;
	size_t at = 12, size;

	if (len < 20 || memcmp(p + 8, "WEBP", 4) != 0)
		return "it is cut off, or another RIFF file";
	if ((size_t)little(p + 4, 4) + 8 != len)
		return "it is cut off, or its length is wrong";
	while (at < len) {
		if (len - at < 8)
			return "it is cut off";
		size = (size_t)little(p + at + 4, 4);
		if (size > len - at - 8)
			return "it is cut off, or a chunk's length is wrong";
		if (at > 12 && (memcmp(p + at, "VP8X", 4) == 0 || !w.extended))
			return "a chunk stands where none belongs";
		why = chunk_read(p + at, p + at + 8, size, &w, out);
		if (why != NULL)
			return why;
		at += 8 + size + (size & 1);
	}
	if (!w.pixels)
		return "it holds no pixels";
	return NULL;
}
