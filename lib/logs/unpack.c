#include "logs/unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <unistd.h>

#include <zlib.h>

#include "base/arena.h"
#include "base/ctx.h"

#define CHUNK 32768
#define GZIP_ALONE (16 + MAX_WBITS) /* no other format of zlib's */

struct unpack {
	z_stream z;
	int fd;
	bool within; /* a member has begun: the file may not end here */
	unsigned char in[CHUNK];
};

struct unpack *
unpack_open(struct ctx *c, int fd)
{
	struct unpack *u = arena_alloc(c->arena, sizeof(*u));

	u->fd = fd;
	return inflateInit2(&u->z, GZIP_ALONE) == Z_OK ? u : NULL;
}

/* Reads what is packed. False at the end of the file, and where it cannot be read (errno, else
 * 0). */
static bool
fill(struct unpack *u)
{
	ssize_t got;

	errno = 0;
	do
		got = read(u->fd, u->in, sizeof(u->in));
	while (got < 0 && errno == EINTR);
	u->z.next_in = u->in;
	u->z.avail_in = got > 0 ? (unsigned)got : 0;
	return got > 0;
}

ssize_t
unpack_read(struct unpack *u, char *into, size_t max)
{
	unsigned room = max < INT_MAX ? (unsigned)max : INT_MAX;
	int done;

	u->z.next_out = (unsigned char *)into;
	u->z.avail_out = room;
	while (u->z.avail_out == room) {
		if (u->z.avail_in == 0 && !fill(u)) {
			if (errno == 0 && u->within)
				errno = EBADMSG;
			return errno == 0 ? 0 : -1;
		}
		u->within = true;
		done = inflate(&u->z, Z_NO_FLUSH);
		/* Several members may follow each other. */
		if (done == Z_STREAM_END) {
			u->within = false;
			done = inflateReset(&u->z);
		}
		if (done != Z_OK && done != Z_BUF_ERROR) {
			errno = EBADMSG;
			return -1;
		}
	}
	return room - u->z.avail_out;
}

void
unpack_close(struct unpack *u)
{
	if (u != NULL)
		(void)inflateEnd(&u->z);
}
