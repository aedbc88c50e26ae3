#include "content/picture-format.h"

#include <stdbool.h>
#include <string.h>

#include "base/ctx.h"

#define PICTURE_PIXELS_MAX ((int64_t)40 * 1000 * 1000)

/* ---- EXIF */

/* Returns a number of an EXIF block, in the byte order that its head names. */
static size_t
number(const unsigned char *p, size_t size, bool little)
{
	size_t value = 0;

	for (size_t i = 0; i < size; i++)
		value = value << 8 | p[little ? size - 1 - i : i];
	return value;
}

int
picture_orientation(const unsigned char *p, size_t len)
{
	const unsigned char *entry;
	bool little;
	size_t at, count;

	if (len < 10)
		return 1;
	little = p[0] == 'I';
	at = number(p + 4, 4, little);
	if (at < 8 || at > len - 2)
		return 1;
	count = number(p + at, 2, little);
	for (size_t i = 0; i < count && len - at - 2 >= (i + 1) * 12; i++) {
		entry = p + at + 2 + i * 12;
		if (number(entry, 2, little) == 0x0112) {
			count = number(entry + 8, 2, little);
			return count >= 1 && count <= 8 ? (int)count : 1;
		}
	}
	return 1;
}

/* ---- JPEG */

enum {
	SOF0 = 0xC0, /* baseline */
	SOF2 = 0xC2, /* progressive */
	DHT = 0xC4,
	JPG = 0xC8,
	DAC = 0xCC,
	RST0 = 0xD0,
	RST7 = 0xD7,
	EOI = 0xD9,
	SOS = 0xDA,
	APP1 = 0xE1
};

/* A decoder goes through all pixels once for each scan. Encoders make ten or so; a file with
 * thousands holds up the browser of everybody who reads the article. */
#define SCANS_MAX 100

struct jpeg {
	const unsigned char *p, *end;
	bool frame;
	int scans;
	bool exif; /* only the first EXIF segment counts */
	bool turned; /* turned by 90° */
};

static size_t
big16(const unsigned char *p)
{
	return (size_t)(p[0] << 8 | p[1]);
}

static bool
is_frame(int marker)
{
	return marker >= SOF0 && marker <= 0xCF && marker != DHT && marker != JPG && marker != DAC;
}

static const char *
frame_read(struct jpeg *j, int marker, const unsigned char *p, size_t len, struct picture *out)
{
	if (j->frame)
		return "it has two frames";
	if (marker > SOF2)
		return "it is of a kind that browsers do not show";
	if (len < 6 || p[0] != 8 || p[5] < 1 || p[5] > 4 || len != 6 + (size_t)p[5] * 3)
		return "its frame is wrong";
	j->frame = true;
	out->height = (int64_t)big16(p + 1);
	out->width = (int64_t)big16(p + 3);
	return NULL;
}

/* Moves to the next marker that is not part of the coded data. */
static void
data_skip(struct jpeg *j)
{
	while (j->end - j->p >= 2 && (j->p[0] != 0xFF || j->p[1] == 0 || j->p[1] == 0xFF ||
					 (j->p[1] >= RST0 && j->p[1] <= RST7)))
		j->p++;
}

static const char *
segment_read(struct jpeg *j, int marker, struct picture *out)
{
	const unsigned char *p;
	const char *why = NULL;
	size_t len;

	if (j->end - j->p < 2)
		return "it is cut off";
	len = big16(j->p);
	if (len < 2 || len > (size_t)(j->end - j->p))
		return "it is cut off, or a segment's length is wrong";
	p = j->p + 2;
	j->p += len;
	len -= 2;
	if (is_frame(marker))
		why = frame_read(j, marker, p, len, out);
	else if (marker == APP1 && len >= 6 && !j->exif && j->scans == 0 &&
		 memcmp(p, "Exif\0\0", 6) == 0) {
		j->exif = true;
		j->turned = picture_orientation(p + 6, len - 6) >= 5;
	} else if (marker == SOS) {
		if (!j->frame)
			return "its pixels come before its frame";
		if (++j->scans > SCANS_MAX)
			return "it has too many scans";
		data_skip(j);
	}
	return why;
}

/* The readers of single kinds. Each returns why the picture is refused, or NULL. Static
 * text. */
/* Bytes after the end are not read: cameras put previews there. */
static const char *
picture_jpeg(const unsigned char *p, size_t len, struct picture *out)
{
	struct jpeg j = { .p = p + 2, .end = p + len };
	const char *why = NULL;
	int64_t side;
	int marker;

	while (why == NULL) {
		if (j.end - j.p < 2)
			return "it is cut off";
		if (j.p[0] != 0xFF)
			return "a segment does not begin where it should";
		marker = j.p[1];
		j.p += marker == 0xFF ? 1 : 2;
		if (marker == EOI)
			break;
		if (marker == 0xFF || marker == 0x01)
			continue;
		if (marker < SOF0 || (marker >= RST0 && marker <= 0xD8))
			return "it has a marker in a wrong place";
		why = segment_read(&j, marker, out);
	}
	if (why == NULL && j.scans == 0)
		return "it holds no pixels";
	if (j.turned) {
		side = out->width;
		out->width = out->height;
		out->height = side;
	}
	return why;
}

/* ---- WebP */

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

static const char *
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

/* ---- all kinds */

static uint32_t
big32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t
little16(const unsigned char *p)
{
	return p[0] | p[1] << 8;
}

/* Returns the CRC-32 of PNG (ISO 3309), computed four bits at a time. */
static uint32_t
crc32(const unsigned char *p, size_t len)
{
	static const uint32_t table[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
		0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8,
		0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };
	uint32_t crc = 0xFFFFFFFF;

	for (size_t i = 0; i < len; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

/* What was seen of a PNG's chunks so far. */
struct png {
	int color; /* color type in IHDR */
	bool head, palette, data, data_over;
};

/* Returns whether a color type may have a depth (PNG, table 11.1). The depths are
 * a set of bits. */
static bool
png_depth_fits(int color, int depth)
{
	static const unsigned allowed[7] = { 1U << 1 | 1U << 2 | 1U << 4 | 1U << 8 | 1U << 16, 0,
		1U << 8 | 1U << 16, 1U << 1 | 1U << 2 | 1U << 4 | 1U << 8, 1U << 8 | 1U << 16, 0,
		1U << 8 | 1U << 16 };

	return color <= 6 && depth <= 16 && (allowed[color] >> depth & 1) != 0;
}

static const char *
png_head(const unsigned char *p, size_t len, struct png *png, struct picture *out)
{
	if (png->head || len != 13)
		return "its IHDR chunk is wrong";
	png->head = true;
	png->color = p[9];
	out->width = big32(p);
	out->height = big32(p + 4);
	if (!png_depth_fits(p[9], p[8]) || p[10] != 0 || p[11] != 0 || p[12] > 1)
		return "its IHDR chunk is wrong";
	return NULL;
}

static const char *
png_chunk(const unsigned char *type, const unsigned char *p, size_t len, struct png *png,
    struct picture *out)
{
	bool data = memcmp(type, "IDAT", 4) == 0;

	if (memcmp(type, "IHDR", 4) == 0)
		return png_head(p, len, png, out);
	if (!png->head)
		return "its first chunk is not IHDR";
	if (png->data && !data)
		png->data_over = true;
	if (data) {
		if (png->data_over)
			return "its IDAT chunks are not together";
		if (png->color == 3 && !png->palette)
			return "it has no palette";
		png->data = true;
		return NULL;
	}
	if (memcmp(type, "PLTE", 4) == 0) {
		if (png->palette || png->data || len == 0 || len % 3 != 0 || len > 768)
			return "its palette is wrong";
		png->palette = true;
		return NULL;
	}
	if ((type[0] & 0x20) == 0)
		return "it has a chunk that this program does not know";
	return NULL;
}

static const char *
png_read(const unsigned char *p, size_t len, struct picture *out)
{
	struct png png = { 0 };
	const char *why;
	size_t at = 8, size;

	for (;;) {
		if (len - at < 12)
			return "it is cut off";
		size = big32(p + at);
		if (size > len - at - 12)
			return "it is cut off, or a chunk's length is wrong";
		if (crc32(p + at + 4, size + 4) != big32(p + at + 8 + size))
			return "a checksum is wrong";
		if (memcmp(p + at + 4, "IEND", 4) == 0)
			break;
		why = png_chunk(p + at + 4, p + at + 8, size, &png, out);
		if (why != NULL)
			return why;
		at += size + 12;
	}
	if (!png.data)
		return "it holds no pixels";
	if (size != 0 || at + 12 != len)
		return "there is something after its end";
	return NULL;
}

/* Moves *at past a chain of sub-blocks. Returns false if the chain is cut off. */
static bool
gif_skip(const unsigned char *p, size_t len, size_t *at)
{
	size_t size;

	do {
		if (*at >= len)
			return false;
		size = p[*at];
		*at += 1 + size;
	} while (size != 0);
	return *at <= len;
}

/* Moves *at past the color table, if `flags` announce one. */
static void
gif_table(unsigned char flags, size_t *at)
{
	if ((flags & 0x80) != 0)
		*at += (size_t)3 << ((flags & 7) + 1);
}

/* Moves *at past an image: descriptor, color table, code size, data. */
static const char *
gif_frame(const unsigned char *p, size_t len, size_t *at)
{
	if (len - *at < 10)
		return "it is cut off";
	*at += 10;
	gif_table(p[*at - 1], at);
	if (*at >= len)
		return "it is cut off";
	if (p[*at] < 2 || p[*at] > 8)
		return "a frame's code size is wrong";
	*at += 1;
	return gif_skip(p, len, at) ? NULL : "it is cut off";
}

static const char *
gif_read(const unsigned char *p, size_t len, struct picture *out)
{
	const char *why = NULL;
	bool frame = false;
	size_t at = 13;

	if (len < 13)
		return "it is cut off";
	out->width = little16(p + 6);
	out->height = little16(p + 8);
	gif_table(p[10], &at);
	while (why == NULL) {
		if (at >= len)
			return "it is cut off";
		if (p[at] == 0x3B)
			break;
		if (p[at] == 0x2C) {
			frame = true;
			why = gif_frame(p, len, &at);
		} else if (p[at] == 0x21) {
			at += 2;
			if (!gif_skip(p, len, &at))
				return "it is cut off";
		} else {
			return "it has a block that is none of GIF's";
		}
	}
	if (why == NULL && !frame)
		return "it holds no pixels";
	if (why == NULL && at + 1 != len)
		return "there is something after its end";
	return why;
}

/* The kinds of pictures, by their first bytes. In RIFF files, four other bytes
 * are between the two names. */
static const struct kind {
	const char *type, *extension, *name;
	const char *first;
	size_t first_len;
	const char *(*read)(const unsigned char *p, size_t len, struct picture *out);
} kinds[] = {
	{ "image/png", "png", "PNG", "\x89PNG\r\n\x1A\n", 8, png_read },
	{ "image/jpeg", "jpg", "JPEG", "\xFF\xD8\xFF", 3, picture_jpeg },
	{ "image/gif", "gif", "GIF", "GIF87a", 6, gif_read },
	{ "image/gif", "gif", "GIF", "GIF89a", 6, gif_read },
	{ "image/webp", "webp", "WebP", "RIFF", 4, picture_webp },
};

struct err *
picture_read(struct ctx *c, const void *bytes, size_t len, struct picture *out)
{
	const struct kind *kind = NULL;
	const char *why;

	memset(out, 0, sizeof(*out));
	if (len > PICTURE_BYTES_MAX)
		return refuse(c, ERR_INVALID, tr_mark("The picture is longer than %zu MiB."),
		    PICTURE_BYTES_MAX >> 20);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (len >= kinds[i].first_len &&
		    memcmp(bytes, kinds[i].first, kinds[i].first_len) == 0)
			kind = &kinds[i];
	}
	if (kind == NULL)
		return refuse(
		    c, ERR_INVALID, tr_mark("The picture is not a PNG, JPEG, WebP or GIF file."));
	why = kind->read(bytes, len, out);
	if (why != NULL)
		return refuse(c, ERR_INVALID, tr_mark("The picture is not a whole %s file: %s."),
		    kind->name, why);
	if (out->width == 0 || out->height == 0)
		return refuse(c, ERR_INVALID, tr_mark("The picture has no size."));
	if (out->width > PICTURE_SIDE_MAX || out->height > PICTURE_SIDE_MAX)
		return refuse(c, ERR_INVALID,
		    tr_mark("The picture has %lld × %lld pixels; at most %d × %d fit."),
		    (long long)out->width, (long long)out->height, PICTURE_SIDE_MAX,
		    PICTURE_SIDE_MAX);
	if (out->width * out->height > PICTURE_PIXELS_MAX)
		return refuse(c, ERR_INVALID,
		    tr_mark("The picture has %lld × %lld pixels; at most %lld million pixels fit."),
		    (long long)out->width, (long long)out->height,
		    (long long)(PICTURE_PIXELS_MAX / 1000000));
	out->type = kind->type;
	out->extension = kind->extension;
	return NULL;
}
