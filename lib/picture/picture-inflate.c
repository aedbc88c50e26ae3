#include "picture/picture-inflate.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"

#define ROOM ((size_t)64 * 1024)
/* An animation of 8 MiB can unpack to a thousand times its size. */
#define BUDGET ((uint64_t)512 * 1024 * 1024)

void
inflate_open(struct ctx *c, struct inflate *f)
{
	memset(f, 0, sizeof(*f));
	f->room = arena_alloc(c->arena, ROOM);
	f->budget = BUDGET;
	if (inflateInit(&f->z) != Z_OK)
		die_passing(1, "zlib: no memory");
}

void
inflate_close(struct inflate *f)
{
	inflateEnd(&f->z);
}

const char *
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

const char *
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

const char *
inflate_end(const struct inflate *f)
{
	if (f->left > 0)
		return "rows of it are missing";
	return f->over ? NULL : "its pixels are cut off";
}

const unsigned char *
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
