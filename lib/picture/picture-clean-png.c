#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "picture/picture-clean.h"

/* ---- unpacking
 *
 * The compressed parts of a PNG: rows, which are counted and not kept, and a profile. Nothing
 * unpacks to more than its size allows. */

/* The pixels of one image after another. */
struct inflate {
	z_stream z;
	unsigned char *room;
	uint64_t left; /* bytes of the image under way that are still to come */
	uint64_t budget; /* of all images */
	bool over; /* its stream has ended */
};

#define ROOM ((size_t)64 * 1024)
/* An animation of 8 MiB can unpack to a thousand times its size. */
#define BUDGET ((uint64_t)512 * 1024 * 1024)

static void
inflate_open(struct ctx *c, struct inflate *f)
{
	memset(f, 0, sizeof(*f));
	f->room = arena_alloc(c->arena, ROOM);
	f->budget = BUDGET;
	if (inflateInit(&f->z) != Z_OK)
		die_passing(1, "zlib: no memory");
}

static void
inflate_close(struct inflate *f)
{
	inflateEnd(&f->z);
}

/* Begins an image whose rows are `bytes` long together. Like the next two functions it
 * returns why the image is refused, or NULL. */
static const char *
inflate_begin(struct inflate *f, uint64_t bytes)
{
	if (bytes > f->budget)
		return "its animation is too large";
	f->budget -= bytes;
	f->left = bytes;
	f->over = false;
	inflateReset(&f->z);
	return NULL;
}

/* Takes a piece of its stream; *used: how much of it belongs to the stream. */
static const char *
inflate_feed(struct inflate *f, const unsigned char *p, size_t len, size_t *used)
{
	z_stream *z = &f->z;
	int result = Z_OK;

	z->next_in = (unsigned char *)p;
	z->avail_in = (uInt)len;
	while (!f->over && result == Z_OK) {
		size_t got;
		z->next_out = f->room;
		z->avail_out = ROOM;
		result = inflate(z, Z_NO_FLUSH);
		got = ROOM - z->avail_out;
		if (got > f->left)
			return "it has more pixels than its size says";
		f->left -= got;
		f->over = result == Z_STREAM_END;
	}
	*used = len - z->avail_in;
	/* The whole piece has been taken. */
	if (result == Z_BUF_ERROR && z->avail_in == 0)
		result = Z_OK;
	return result == Z_OK || f->over ? NULL : "its pixels are damaged";
}

/* Ends an image: all rows must be there, and no more. */
static const char *
inflate_end(const struct inflate *f)
{
	if (f->left > 0)
		return "rows of it are missing";
	return f->over ? NULL : "its pixels are cut off";
}

/* Unpacks a stream that must end with its last byte. *len receives the length, at most
 * max + 1: more than `max` means too long. Returns NULL when the bytes are no stream. */
static const unsigned char *
inflate_whole(struct ctx *c, const unsigned char *p, size_t size, size_t max, size_t *len)
{
	unsigned char *out = arena_alloc(c->arena, max + 1);
	z_stream z;
	int result;

	memset(&z, 0, sizeof(z));
	if (inflateInit(&z) != Z_OK)
		die_passing(1, "zlib: no memory");
	z.next_in = (unsigned char *)p;
	z.avail_in = (uInt)size;
	z.next_out = out;
	z.avail_out = (uInt)(max + 1);
	result = inflate(&z, Z_FINISH);
	*len = max + 1 - z.avail_out;
	inflateEnd(&z);
	if (*len > max)
		return out;
	return result == Z_STREAM_END && z.avail_in == 0 ? out : NULL;
}

/* ---- PNG */

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
