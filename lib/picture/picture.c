#include "picture/picture.h"

#include <stdbool.h>
#include <string.h>

#include "base/ctx.h"

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

/* Moves *at behind a chain of sub-blocks. Returns false if the chain is cut off. */
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

/* Moves *at behind the color table, if `flags` announce one. */
static void
gif_table(unsigned char flags, size_t *at)
{
	if ((flags & 0x80) != 0)
		*at += (size_t)3 << ((flags & 7) + 1);
}

/* Moves *at behind an image: descriptor, color table, code size, data. */
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
