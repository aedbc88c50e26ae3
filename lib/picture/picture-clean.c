#include "picture/picture-clean.h"

#include <string.h>

#include "base/ctx.h"

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
