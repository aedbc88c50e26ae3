#include "picture/picture-clean.h"

#include <string.h>

#include "picture/picture-inflate.h"

#define FRAME 12 /* bytes of a chunk beside its data */

/* The chunks before the pixels that are kept, once each, and how long each may
 * be. */
static const struct kept {
	const char *type;
	size_t min, max;
} kept[] = {
	{ "PLTE", 3, 768 },
	{ "tRNS", 1, 256 },
	{ "gAMA", 4, 4 },
	{ "cHRM", 32, 32 },
	{ "sRGB", 1, 1 },
	{ "cICP", 4, 4 },
	{ "sBIT", 1, 4 },
	{ "acTL", 8, 8 },
};
enum { KEPT = sizeof(kept) / sizeof(kept[0]), ANIMATION = KEPT - 1 };

struct png {
	struct cleaning *cl;
	struct inflate rows;
	uint32_t width, height; /* of the whole picture */
	int depth, color;
	bool interlaced;
	bool seen[KEPT]; /* these were written */
	bool profile; /* a color profile was looked at */
	bool data; /* the pixels have begun */
	bool frame; /* a frame behind the picture's own pixels has begun */
};

struct chunk {
	const unsigned char *raw; /* length, type, data and checksum */
	const unsigned char *p;
	size_t len;
};

static uint32_t
big32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool
is(const struct chunk *chunk, const char *type)
{
	return memcmp(chunk->raw + 4, type, 4) == 0;
}

static uint64_t
pass_bytes(const struct png *png, uint32_t width, uint32_t height)
{
	static const uint64_t channels[] = { 1, 0, 3, 1, 2, 0, 4 };
	uint64_t bits = channels[png->color] * (uint64_t)png->depth;

	if (width == 0 || height == 0)
		return 0;
	return height * (1 + (width * bits + 7) / 8);
}

/* Returns the bytes of an image's rows, each with its filter (PNG, 8.1: an
 * interlaced image has seven passes). */
static uint64_t
row_bytes(const struct png *png, uint32_t width, uint32_t height)
{
	static const struct {
		uint32_t x, y, dx, dy;
	} passes[] = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
		{ 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 } };
	uint64_t bytes = 0;

	if (!png->interlaced)
		return pass_bytes(png, width, height);
	for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++)
		bytes += pass_bytes(png, (width - passes[i].x + passes[i].dx - 1) / passes[i].dx,
		    (height - passes[i].y + passes[i].dy - 1) / passes[i].dy);
	return bytes;
}

/* Adds the chunk with only the first `len` bytes of its data. */
static void
add_chunk(struct png *png, const struct chunk *chunk, size_t len)
{
	struct buf *out = &png->cl->out;
	uint32_t sum;

	if (len == chunk->len) {
		buf_add(out, chunk->raw, len + FRAME);
		return;
	}
	sum = (uint32_t)crc32(0, chunk->raw + 4, (uInt)len + 4);
	for (int i = 3; i >= 0; i--)
		buf_add_char(out, (char)(len >> 8 * i & 0xFF));
	buf_add(out, chunk->raw + 4, len + 4);
	for (int i = 3; i >= 0; i--)
		buf_add_char(out, (char)(sum >> 8 * i & 0xFF));
}

static const char *
clean_head(struct png *png, const struct chunk *chunk)
{
	png->width = big32(chunk->p);
	png->height = big32(chunk->p + 4);
	png->depth = chunk->p[8];
	png->color = chunk->p[9];
	png->interlaced = chunk->p[12] == 1;
	add_chunk(png, chunk, chunk->len);
	return inflate_begin(&png->rows, row_bytes(png, png->width, png->height));
}

/* Adds pixels. Drops the bytes behind the end of their stream. */
static const char *
clean_data(struct png *png, const struct chunk *chunk)
{
	size_t used = 0;
	const char *why = NULL;

	png->data = true;
	if (!png->rows.over)
		why = inflate_feed(&png->rows, chunk->p, chunk->len, &used);
	if (used > 0 || chunk->len == 0)
		add_chunk(png, chunk, used);
	return why;
}

/* Adds a color profile: its name, a zero byte, the method, and the packed
 * profile. A PNG has one: of more, only the first is looked at, because each may unpack to a
 * thousand times its size. */
static const char *
clean_profile(struct png *png, const struct chunk *chunk)
{
	const unsigned char *name = memchr(chunk->p, 0, chunk->len), *profile;
	size_t at = name == NULL ? 0 : (size_t)(name - chunk->p) + 2, len;

	if (png->data || png->profile || at < 3 || at > 81 || at > chunk->len ||
	    chunk->p[at - 1] != 0)
		return NULL;
	png->profile = true;
	profile = inflate_whole(
	    png->cl->c, chunk->p + at, chunk->len - at, PICTURE_PROFILE_UNPACKED_MAX, &len);
	if (profile != NULL && len > PICTURE_PROFILE_UNPACKED_MAX)
		return "its color profile unpacks to more than 1 MiB";
	if (profile != NULL && picture_profile_stays(profile, len))
		add_chunk(png, chunk, chunk->len);
	return NULL;
}

/* Adds the head of a frame. A frame before the pixels has the picture's own
 * pixels. */
static const char *
clean_frame_head(struct png *png, const struct chunk *chunk)
{
	uint32_t width, height;
	const char *why = png->data ? inflate_end(&png->rows) : NULL;

	if (why != NULL)
		return why;
	if (chunk->len != 26)
		return "a frame of it is wrong";
	width = big32(chunk->p + 4);
	height = big32(chunk->p + 8);
	if (width == 0 || height == 0 || width > png->width || height > png->height)
		return "a frame of it is wrong";
	add_chunk(png, chunk, chunk->len);
	png->frame = png->data;
	return png->frame ? inflate_begin(&png->rows, row_bytes(png, width, height)) : NULL;
}

/* Adds the pixels of a frame. The first four bytes number the chunk. */
static const char *
clean_frame_data(struct png *png, const struct chunk *chunk)
{
	const char *why;
	size_t used;

	if (!png->frame || png->rows.over || chunk->len < 4)
		return "a frame of it is wrong";
	why = inflate_feed(&png->rows, chunk->p + 4, chunk->len - 4, &used);
	if (why == NULL && used != chunk->len - 4)
		why = "a frame of it is wrong";
	add_chunk(png, chunk, chunk->len);
	return why;
}

static void
clean_other(struct png *png, const struct chunk *chunk)
{
	size_t i = 0;

	while (i < KEPT && !is(chunk, kept[i].type))
		i++;
	if (i == KEPT || png->seen[i] || png->data || chunk->len < kept[i].min ||
	    chunk->len > kept[i].max)
		return;
	png->seen[i] = true;
	add_chunk(png, chunk, chunk->len);
}

static const char *
clean_chunk(struct png *png, const struct chunk *chunk)
{
	if (is(chunk, "IHDR"))
		return clean_head(png, chunk);
	if (is(chunk, "IDAT"))
		return clean_data(png, chunk);
	if (is(chunk, "iCCP"))
		return clean_profile(png, chunk);
	if (is(chunk, "fcTL") && png->seen[ANIMATION])
		return clean_frame_head(png, chunk);
	if (is(chunk, "fdAT") && png->seen[ANIMATION])
		return clean_frame_data(png, chunk);
	if (is(chunk, "eXIf") && picture_orientation(chunk->p, chunk->len) != 1)
		png->cl->turned = true;
	clean_other(png, chunk);
	return NULL;
}

const char *
picture_clean_png(struct cleaning *cl)
{
	struct png png = { .cl = cl };
	const char *why = NULL;
	struct chunk chunk;
	size_t at = 8;

	inflate_open(cl->c, &png.rows);
	buf_add(&cl->out, cl->p, at);
	while (why == NULL && memcmp(cl->p + at + 4, "IEND", 4) != 0) {
		chunk.raw = cl->p + at;
		chunk.p = chunk.raw + 8;
		chunk.len = big32(chunk.raw);
		why = clean_chunk(&png, &chunk);
		at += chunk.len + FRAME;
	}
	if (why == NULL)
		why = inflate_end(&png.rows);
	buf_add(&cl->out, cl->p + at, FRAME);
	inflate_close(&png.rows);
	return why;
}
