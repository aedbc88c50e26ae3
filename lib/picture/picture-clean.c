#include "picture/picture-clean.h"

#include <string.h>

#include "base/ctx.h"

/* ---- GIF */

/* In this file no length is checked: picture_read() has seen that every length
 * fits. */

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
picture_clean_gif(struct cleaning *cl)
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
is(const unsigned char *chunk, const char *name)
{
	return memcmp(chunk, name, 4) == 0;
}

static bool
is_pixels(const unsigned char *chunk)
{
	return is(chunk, "VP8 ") || is(chunk, "VP8L") || is(chunk, "ALPH");
}

static void
add_chunk(struct cleaning *cl, const unsigned char *name, const void *bytes, size_t len)
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
			add_chunk(cl, p + at, p + at + HEAD, size);
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
	add_chunk(cl, name, head, sizeof(head));
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
clean_chunk(struct cleaning *cl, const unsigned char *chunk, size_t size)
{
	const unsigned char *p = chunk + HEAD;

	if (is(chunk, "VP8X")) {
		write_head(cl, chunk, p);
	} else if (is(chunk, "ICCP")) {
		char *flags = cl->out.data + 12 + HEAD;
		if (picture_profile_stays(p, size) && (*flags & FLAG_PROFILE) == 0) {
			add_chunk(cl, chunk, p, size);
			flags = cl->out.data + 12 + HEAD;
			*flags = (char)(*flags | FLAG_PROFILE);
		}
	} else if (is(chunk, "EXIF")) {
		cl->turned = cl->turned || is_turned(p, size);
	} else if (is(chunk, "ANMF")) {
		return write_frame(cl, chunk, p, size);
	} else if (is(chunk, "ANIM")) {
		if (size == 6)
			add_chunk(cl, chunk, p, size);
	} else if (is_pixels(chunk)) {
		add_chunk(cl, chunk, p, size);
	}
	return NULL;
}

static const char *
picture_clean_webp(struct cleaning *cl)
{
	const char *why = NULL;
	size_t at = 12, size;

	buf_lit(&cl->out, "RIFF\0\0\0\0WEBP");
	while (why == NULL && at < cl->len) {
		size = little(cl->p + at + 4, 4);
		why = clean_chunk(cl, cl->p + at, size);
		at += HEAD + size + (size & 1);
	}
	set_length(cl, 0);
	return why;
}

/* ---- all kinds */

/* The header of 128 bytes, and the number of tags (ICC.1:2022, 7.2). */
#define PROFILE_HEAD 132

bool
picture_profile_stays(const unsigned char *p, size_t len)
{
	size_t said;

	if (len < PROFILE_HEAD || len > PICTURE_PROFILE_MAX)
		return false;
	said = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
	return said == len && memcmp(p + 36, "acsp", 4) == 0;
}

static const struct kind {
	const char *type, *name;
	const char *(*clean)(struct cleaning *cl);
} kinds[] = {
	{ "image/png", "PNG", picture_clean_png },
	{ "image/jpeg", "JPEG", picture_clean_jpeg },
	{ "image/gif", "GIF", picture_clean_gif },
	{ "image/webp", "WebP", picture_clean_webp },
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
	struct err *err = picture_read(c, bytes, len, &out->is);
	const struct kind *kind;
	const char *why;

	if (err != NULL)
		return err;
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
