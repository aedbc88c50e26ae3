#include "content/picture-clean.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/log.h"

#define PICTURE_PROFILE_MAX ((size_t)64 * 1024)
#define PICTURE_PROFILE_UNPACKED_MAX ((size_t)1024 * 1024)

/* One picture that is being cleaned. For each kind a function returns why the picture is refused,
 * or NULL: static text. */
struct cleaning {
	struct ctx *c;
	const unsigned char *p; /* the whole picture; picture_read() took it */
	size_t len;
	struct buf out;
	bool turned; /* it would have to be turned, which its kind cannot say
			without metadata */
};

/* ---- profiles */

/* The header of 128 bytes, and the number of tags (ICC.1:2022, 7.2). */
#define PROFILE_HEAD 132

/* Whether the bytes are one whole ICC profile that is short enough to stay. */
static bool
profile_is_whole(const unsigned char *p, size_t len)
{
	size_t said;

	if (len < PROFILE_HEAD || len > PICTURE_PROFILE_MAX)
		return false;
	said = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
	return said == len && memcmp(p + 36, "acsp", 4) == 0;
}

/* ---- GIF */

/* Lengths of GIF and WebP are not checked: picture_read() has seen that every length fits. */

/* Returns the place after a chain of sub-blocks. */
static size_t
skip(const unsigned char *p, size_t at)
{
	while (p[at] != 0)
		at += 1 + (size_t)p[at];
	return at + 1;
}

static size_t
table_length(unsigned char flags)
{
	return (flags & 0x80) != 0 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

/* Writes what is kept of the extension at `at`: how long a frame is shown, and
 * how often the animation repeats. */
static void
write_extension(struct cleaning *cl, size_t at)
{
	static const char loop[] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01";
	const unsigned char *p = cl->p + at;

	if (p[1] == 0xF9 && p[2] == 4) {
		buf_add(&cl->out, p, 7);
		buf_add_char(&cl->out, '\0');
	} else if (skip(cl->p, at + 2) - at >= 19 && memcmp(p, loop, 16) == 0) {
		buf_add(&cl->out, p, 18);
		buf_add_char(&cl->out, '\0');
	}
}

static const char *
clean_gif(struct cleaning *cl)
{
	const unsigned char *p = cl->p;
	size_t at = 13 + table_length(p[10]), end;

	buf_add(&cl->out, p, at);
	while (p[at] != 0x3B) {
		if (p[at] == 0x2C) {
			end = skip(p, at + 11 + table_length(p[at + 9]));
			buf_add(&cl->out, p + at, end - at);
		} else {
			end = skip(p, at + 2);
			write_extension(cl, at);
		}
		at = end;
	}
	buf_add_char(&cl->out, ';');
	return NULL;
}

/* ---- WebP */

#define HEAD 8 /* of a chunk: its name and its length */

enum { FLAG_ANIMATION = 0x02, FLAG_ALPHA = 0x10, FLAG_PROFILE = 0x20 };

static size_t
little(const unsigned char *p, size_t size)
{
	size_t value = 0;

	while (size > 0)
		value = value << 8 | p[--size];
	return value;
}

static void
add_little(struct buf *out, size_t value)
{
	for (int i = 0; i < 4; i++)
		buf_add_char(out, (char)(value >> 8 * i & 0xFF));
}

static bool
webp_is(const unsigned char *chunk, const char *name)
{
	return memcmp(chunk, name, 4) == 0;
}

static bool
is_pixels(const unsigned char *chunk)
{
	return webp_is(chunk, "VP8 ") || webp_is(chunk, "VP8L") || webp_is(chunk, "ALPH");
}

static void
add_webp_chunk(struct cleaning *cl, const unsigned char *name, const void *bytes, size_t len)
{
	buf_add(&cl->out, name, 4);
	add_little(&cl->out, len);
	buf_add(&cl->out, bytes, len);
	if (len % 2 != 0)
		buf_add_char(&cl->out, '\0');
}

/* Corrects the length of the written chunk whose head is at `at` and which ends
 * at the end of the output. */
static void
set_length(struct cleaning *cl, size_t at)
{
	size_t len = cl->out.len - at - HEAD;

	for (size_t i = 0; i < 4; i++)
		cl->out.data[at + 4 + i] = (char)(len >> 8 * i & 0xFF);
}

/* Writes a frame of an animation: its head, and only the chunks of its pixels. */
static const char *
write_frame(struct cleaning *cl, const unsigned char *name, const unsigned char *p, size_t len)
{
	size_t at = 16, begun = cl->out.len, size;

	buf_add(&cl->out, name, 4);
	add_little(&cl->out, 0);
	buf_add(&cl->out, p, at);
	while (at < len) {
		if (len - at < HEAD)
			return "a frame of it is cut off";
		size = little(p + at + 4, 4);
		if (size > len - at - HEAD)
			return "a frame of it is cut off";
		if (is_pixels(p + at))
			add_webp_chunk(cl, p + at, p + at + HEAD, size);
		at += HEAD + size + (size & 1);
	}
	set_length(cl, begun);
	return cl->out.len > begun + HEAD + 16 ? NULL : "a frame of it has no pixels";
}

/* Writes the head of a file with several chunks, with the flags of the chunks
 * that are kept. The flag of a profile is set when the profile is written. */
static void
write_head(struct cleaning *cl, const unsigned char *name, const unsigned char *p)
{
	char head[10];

	memcpy(head, p, sizeof(head));
	head[0] = (char)(p[0] & (FLAG_ANIMATION | FLAG_ALPHA));
	head[1] = head[2] = head[3] = 0;
	add_webp_chunk(cl, name, head, sizeof(head));
}

/* Returns whether an EXIF chunk turns the picture. The chunk begins with its byte
 * order; some programs write the bytes that precede it in a JPEG, too. */
static bool
is_turned(const unsigned char *p, size_t len)
{
	if (len >= 6 && memcmp(p, "Exif\0\0", 6) == 0) {
		p += 6;
		len -= 6;
	}
	return picture_orientation(p, len) != 1;
}

static const char *
clean_webp_chunk(struct cleaning *cl, const unsigned char *chunk, size_t size)
{
	const unsigned char *p = chunk + HEAD;

	if (webp_is(chunk, "VP8X")) {
		write_head(cl, chunk, p);
	} else if (webp_is(chunk, "ICCP")) {
		char *flags = cl->out.data + 12 + HEAD;
		if (profile_is_whole(p, size) && (*flags & FLAG_PROFILE) == 0) {
			add_webp_chunk(cl, chunk, p, size);
			flags = cl->out.data + 12 + HEAD;
			*flags = (char)(*flags | FLAG_PROFILE);
		}
	} else if (webp_is(chunk, "EXIF")) {
		cl->turned = cl->turned || is_turned(p, size);
	} else if (webp_is(chunk, "ANMF")) {
		return write_frame(cl, chunk, p, size);
	} else if (webp_is(chunk, "ANIM")) {
		if (size == 6)
			add_webp_chunk(cl, chunk, p, size);
	} else if (is_pixels(chunk)) {
		add_webp_chunk(cl, chunk, p, size);
	}
	return NULL;
}

static const char *
clean_webp(struct cleaning *cl)
{
	const char *why = NULL;
	size_t at = 12, size;

	buf_lit(&cl->out, "RIFF\0\0\0\0WEBP");
	while (why == NULL && at < cl->len) {
		size = little(cl->p + at + 4, 4);
		why = clean_webp_chunk(cl, cl->p + at, size);
		at += HEAD + size + (size & 1);
	}
	set_length(cl, 0);
	return why;
}

/* ---- JPEG */

enum {
	SOF0 = 0xC0,
	SOF2 = 0xC2,
	DHT = 0xC4,
	RST0 = 0xD0,
	RST7 = 0xD7,
	EOI = 0xD9,
	SOS = 0xDA,
	DQT = 0xDB,
	DNL = 0xDC,
	DRI = 0xDD,
	APP0 = 0xE0,
	APP1 = 0xE1,
	APP2 = 0xE2,
	APP14 = 0xEE
};

#define PROFILE_NAME                                                                               \
	"ICC_PROFILE" /* bytes of this name and its NUL, a number, and
                                    * the count */
#define NAME_HEAD (sizeof(PROFILE_NAME) + 2)

struct jpeg {
	struct cleaning *cl;
	size_t at; /* of the next segment */
	bool profile; /* the color profile is kept */
	bool jfif, exif, adobe, scan; /* these were seen */
};

struct segment {
	int marker;
	const unsigned char *p; /* the bytes after its length */
	size_t len;
};

static size_t
big16(const unsigned char *p)
{
	return (size_t)(p[0] << 8 | p[1]);
}

/* Returns the next segment, without fill bytes; false at the end. picture_read()
 * has seen that every length fits. */
static bool
next(struct jpeg *j, struct segment *out)
{
	const unsigned char *p = j->cl->p;

	while (p[j->at + 1] == 0xFF || p[j->at + 1] == 0x01)
		j->at += p[j->at + 1] == 0xFF ? 1 : 2;
	out->marker = p[j->at + 1];
	j->at += 2;
	if (out->marker == EOI)
		return false;
	out->p = p + j->at + 2;
	out->len = big16(p + j->at) - 2;
	j->at += out->len + 2;
	return true;
}

static bool
begins(const struct segment *s, const char *text, size_t len)
{
	return s->len >= len && memcmp(s->p, text, len) == 0;
}

/* Returns the length of the coded data after the head of a scan. */
static size_t
data_length(const struct jpeg *j)
{
	const unsigned char *p = j->cl->p;
	size_t at = j->at;

	while (p[at] != 0xFF || p[at + 1] == 0 || p[at + 1] == 0xFF ||
	       (p[at + 1] >= RST0 && p[at + 1] <= RST7))
		at++;
	return at - j->at;
}

static bool
is_profile(const struct segment *s)
{
	return s->marker == APP2 && begins(s, PROFILE_NAME, sizeof(PROFILE_NAME)) &&
	       s->len > NAME_HEAD;
}

/* Returns whether the parts of the color profile, put together in order, are a
 * profile that is kept. */
static bool
profile_stays(struct cleaning *cl)
{
	struct jpeg j = { .cl = cl, .at = 2 };
	struct segment s;
	struct buf whole;
	unsigned count = 0;

	buf_init(&whole, cl->c->arena, PICTURE_PROFILE_MAX + 1);
	while (next(&j, &s) && s.marker != SOS) {
		if (!is_profile(&s))
			continue;
		if (s.p[sizeof(PROFILE_NAME)] != ++count)
			return false;
		buf_add(&whole, s.p + NAME_HEAD, s.len - NAME_HEAD);
		if (s.p[sizeof(PROFILE_NAME) + 1] < count)
			return false;
	}
	/* A part that did not fit into `whole` would be written without a check. */
	return !buf_full(&whole) && profile_is_whole((const unsigned char *)whole.data, whole.len);
}

static void
add_segment(struct jpeg *j, int marker, const void *bytes, size_t len)
{
	struct buf *out = &j->cl->out;

	buf_add_char(out, '\xFF');
	buf_add_char(out, (char)marker);
	buf_add_char(out, (char)((len + 2) >> 8));
	buf_add_char(out, (char)((len + 2) & 0xFF));
	buf_add(out, bytes, len);
}

/* Writes the version and the density, without the thumbnail. */
static void
write_jfif(struct jpeg *j, const struct segment *s)
{
	char jfif[14];

	if (j->jfif || s->len < sizeof(jfif) || !begins(s, "JFIF", 5))
		return;
	j->jfif = true;
	memcpy(jfif, s->p, sizeof(jfif));
	jfif[12] = jfif[13] = 0;
	add_segment(j, APP0, jfif, sizeof(jfif));
}

/* Writes the orientation if the picture is not upright, in a directory without
 * other entries. */
static void
write_orientation(struct jpeg *j, const struct segment *s)
{
	char exif[] = "Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0"
		      "?\0\0\0\0\0\0";
	int orientation;

	if (j->exif || !begins(s, "Exif\0", 6))
		return;
	j->exif = true;
	orientation = picture_orientation(s->p + 6, s->len - 6);
	exif[25] = (char)orientation;
	if (orientation != 1)
		add_segment(j, APP1, exif, sizeof(exif) - 1);
}

/* Writes which color transformation the pixels have. */
static void
write_adobe(struct jpeg *j, const struct segment *s)
{
	if (!j->adobe && s->len >= 12 && begins(s, "Adobe", 5)) {
		j->adobe = true;
		add_segment(j, APP14, s->p, 12);
	}
}

/* Returns whether the tables of a DQT or DHT fill it, with nothing after them. */
static bool
tables_fit(const struct segment *s)
{
	size_t at = 0, size;

	while (at < s->len) {
		if (s->marker == DQT) {
			size = s->p[at] >> 4 == 0 ? 65 : 129;
		} else {
			size = 17;
			for (size_t i = 1; i < 17 && at + i < s->len; i++)
				size += s->p[at + i];
		}
		if (size > s->len - at)
			return false;
		at += size;
	}
	return true;
}

/* Writes the tables by which the pixels are decoded. */
static const char *
write_coding(struct jpeg *j, const struct segment *s)
{
	bool fits = true;

	if (s->marker == DQT || s->marker == DHT)
		fits = tables_fit(s);
	else if (s->marker == DRI || s->marker == DNL)
		fits = s->len == 2;
	else if (s->marker == SOS)
		fits = s->len >= 1 && s->len == 4 + 2 * (size_t)s->p[0];
	else if (s->marker < SOF0 || s->marker > SOF2)
		return NULL; /* this segment is not one of them */
	if (!fits)
		return "a table of it is wrong";
	add_segment(j, s->marker, s->p, s->len);
	if (s->marker == SOS) {
		size_t len = data_length(j);
		j->scan = true;
		buf_add(&j->cl->out, j->cl->p + j->at, len);
		j->at += len;
	}
	return NULL;
}

static const char *
clean_jpeg(struct cleaning *cl)
{
	struct jpeg j = { .cl = cl, .at = 2, .profile = profile_stays(cl) };
	const char *why = NULL;
	struct segment s;

	buf_lit(&cl->out, "\xFF\xD8");
	while (why == NULL && next(&j, &s)) {
		if (s.marker < APP0)
			why = write_coding(&j, &s);
		else if (j.scan)
			continue;
		else if (s.marker == APP0)
			write_jfif(&j, &s);
		else if (s.marker == APP1)
			write_orientation(&j, &s);
		else if (s.marker == APP14)
			write_adobe(&j, &s);
		else if (j.profile && is_profile(&s))
			add_segment(&j, APP2, s.p, s.len);
	}
	buf_lit(&cl->out, "\xFF\xD9");
	return why;
}

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
	bool frame; /* a frame after the picture's own pixels has begun */
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
png_is(const struct chunk *chunk, const char *type)
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
add_png_chunk(struct png *png, const struct chunk *chunk, size_t len)
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
	add_png_chunk(png, chunk, chunk->len);
	return inflate_begin(&png->rows, row_bytes(png, png->width, png->height));
}

/* Adds pixels. Drops the bytes after the end of their stream. */
static const char *
clean_data(struct png *png, const struct chunk *chunk)
{
	size_t used = 0;
	const char *why = NULL;

	png->data = true;
	if (!png->rows.over)
		why = inflate_feed(&png->rows, chunk->p, chunk->len, &used);
	if (used > 0 || chunk->len == 0)
		add_png_chunk(png, chunk, used);
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
	if (profile != NULL && profile_is_whole(profile, len))
		add_png_chunk(png, chunk, chunk->len);
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
	add_png_chunk(png, chunk, chunk->len);
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
	add_png_chunk(png, chunk, chunk->len);
	return why;
}

static void
clean_other(struct png *png, const struct chunk *chunk)
{
	size_t i = 0;

	while (i < KEPT && !png_is(chunk, kept[i].type))
		i++;
	if (i == KEPT || png->seen[i] || png->data || chunk->len < kept[i].min ||
	    chunk->len > kept[i].max)
		return;
	png->seen[i] = true;
	add_png_chunk(png, chunk, chunk->len);
}

static const char *
clean_png_chunk(struct png *png, const struct chunk *chunk)
{
	if (png_is(chunk, "IHDR"))
		return clean_head(png, chunk);
	if (png_is(chunk, "IDAT"))
		return clean_data(png, chunk);
	if (png_is(chunk, "iCCP"))
		return clean_profile(png, chunk);
	if (png_is(chunk, "fcTL") && png->seen[ANIMATION])
		return clean_frame_head(png, chunk);
	if (png_is(chunk, "fdAT") && png->seen[ANIMATION])
		return clean_frame_data(png, chunk);
	if (png_is(chunk, "eXIf") && picture_orientation(chunk->p, chunk->len) != 1)
		png->cl->turned = true;
	clean_other(png, chunk);
	return NULL;
}

static const char *
clean_png(struct cleaning *cl)
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
		why = clean_png_chunk(&png, &chunk);
		at += chunk.len + FRAME;
	}
	if (why == NULL)
		why = inflate_end(&png.rows);
	buf_add(&cl->out, cl->p + at, FRAME);
	inflate_close(&png.rows);
	return why;
}

/* ---- all kinds */

static const struct kind {
	const char *type, *name;
	const char *(*clean)(struct cleaning *cl);
} kinds[] = {
	{ "image/png", "PNG", clean_png },
	{ "image/jpeg", "JPEG", clean_jpeg },
	{ "image/gif", "GIF", clean_gif },
	{ "image/webp", "WebP", clean_webp },
};

static const struct kind *
kind_of(const struct picture *picture)
{
	size_t i = 0;

	while (strcmp(kinds[i].type, picture->type) != 0)
		i++;
	return &kinds[i];
}

struct err *
picture_clean(struct ctx *c, const void *bytes, size_t len, struct picture_clean *out)
{
	struct cleaning cl = { .c = c, .p = bytes, .len = len };
	const struct kind *kind;
	const char *why;

	TRY(picture_read(c, bytes, len, &out->is));
	kind = kind_of(&out->is);
	/* The new segment with the orientation of a JPEG may be longer than the
	 * one that it replaces. */
	buf_init(&cl.out, c->arena, len + 64);
	buf_expect(&cl.out, len);
	why = kind->clean(&cl);
	if (cl.turned)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"The picture is not upright: its metadata says that it must be turned, and of a %s no metadata is kept. Turn it in an image editor and save it again, or save it as a JPEG."),
		    kind->name);
	if (why != NULL)
		return refuse(c, ERR_INVALID, tr_mark("The picture is not a whole %s file: %s."),
		    kind->name, why);
	out->changed = cl.out.len != len || memcmp(cl.out.data, bytes, len) != 0;
	out->bytes = out->changed ? cl.out.data : bytes;
	out->len = cl.out.len;
	/* The bytes that are stored must pass the same reader. */
	return out->changed ? picture_read(c, out->bytes, out->len, &out->is) : NULL;
}
