#include "access/pepper.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ctx.h"
#include "base/fileio.h"
#include "base/instance.h"
#include "base/log.h"
#include "base/uuid.h"

void
pepper_read(struct ctx *c, struct pepper *out)
{
	const char *path = c->instance->pepper;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	ssize_t got;

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	if (fstat(fd, &st) != 0 || (st.st_mode & 077) != 0)
		die("%s can be read by others: chmod 600 it", path);
	got = read(fd, out->bytes, sizeof(out->bytes));
	close(fd);
	if (got != PEPPER_SIZE || st.st_size != PEPPER_SIZE)
		die("%s must have %d bytes: restore it from a backup", path,
		    PEPPER_SIZE);
}

void
pepper_create(struct ctx *c)
{
	struct pepper fresh;
	struct stat st;

	if (lstat(c->instance->pepper, &st) == 0)
		die("%s exists already", c->instance->pepper);
	uuid_random_bytes(fresh.bytes, sizeof(fresh.bytes));
	if (!fileio_replace(c->arena, c->instance->pepper, fresh.bytes,
		sizeof(fresh.bytes), 0600))
		die("%s: %s", c->instance->pepper, strerror(errno));
	pepper_wipe(&fresh);
}

void
pepper_wipe(struct pepper *p)
{
	explicit_bzero(p, sizeof(*p));
}
