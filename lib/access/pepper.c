#include "access/pepper.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "system/instance.h"

/* The bytes that were read last. A process of many requests keeps them: an attacker
 * who can read its memory would get them at the next request, too. Any other process
 * wipes them. */
static struct {
	bool usable;
	struct stat st; /* of the file then */
	int count; /* of peppers */
	unsigned char bytes[2 * PEPPER_SIZE];
} known;

static bool
is_known(const char *path)
{
	struct stat st;

	return known.usable && lstat(path, &st) == 0 && fileio_same(&st, &known.st);
}

/* Reads the file. */
static void
learn(struct ctx *c)
{
	const char *path = c->instance->pepper;
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	struct stat st;
	ssize_t got;

	if (fd < 0)
		fileio_cannot_open(path);
	if (fstat(fd, &st) != 0 || (st.st_mode & 077) != 0)
		die("%s can be read by others: chmod 600 it", path);
	got = read(fd, known.bytes, sizeof(known.bytes));
	close(fd);
	if ((got != PEPPER_SIZE && got != 2 * PEPPER_SIZE) || st.st_size != got)
		die("%s must have %d bytes: restore it from a backup", path, PEPPER_SIZE);
	known.st = st;
	known.count = (int)(got / PEPPER_SIZE);
	known.usable = c->lasting && fileio_settled(&st);
}

/* Copies the n-th pepper of the file; false if there are fewer. */
static bool
take(struct ctx *c, int n, struct pepper *out)
{
	bool found;

	if (!c->lasting || !is_known(c->instance->pepper))
		learn(c);
	found = n < known.count;
	if (found)
		memcpy(out->bytes, known.bytes + n * PEPPER_SIZE, PEPPER_SIZE);
	if (!c->lasting)
		explicit_bzero(&known, sizeof(known));
	return found;
}

void
pepper_read(struct ctx *c, struct pepper *out)
{
	(void)take(c, 0, out);
}

bool
pepper_read_next(struct ctx *c, struct pepper *out)
{
	return take(c, 1, out);
}

void
pepper_create(struct ctx *c)
{
	struct pepper fresh;
	struct stat st;

	if (lstat(c->instance->pepper, &st) == 0)
		die("%s exists already", c->instance->pepper);
	uuid_random_bytes(fresh.bytes, sizeof(fresh.bytes));
	if (!fileio_replace(c->arena, c->instance->pepper, fresh.bytes, sizeof(fresh.bytes), 0600))
		die("%s: %s", c->instance->pepper, strerror(errno));
	pepper_wipe(&fresh);
}

void
pepper_wipe(struct pepper *p)
{
	explicit_bzero(p, sizeof(*p));
}
