#include "store/limit-places.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/placefile.h"

struct limit_places {
	int fd;
};

struct limit_places *
limit_places_open(struct ctx *c, const char *path)
{
	struct limit_places *p = arena_alloc(c->arena, sizeof(*p));

	p->fd = fileio_open(path, O_RDWR | O_CREAT | O_NOFOLLOW);
	return p->fd < 0 ? NULL : p;
}

bool
limit_places_read(struct limit_places *p, int64_t number, void *out, size_t size)
{
	return placefile_read(p->fd, (off_t)number, out, size);
}

bool
limit_places_write(struct limit_places *p, int64_t number, const void *bytes, size_t size)
{
	return placefile_write(p->fd, (off_t)number, bytes, size);
}

void
limit_places_close(struct limit_places *p)
{
	close(p->fd);
}
