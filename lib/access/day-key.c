#include "access/day-key.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "store/db-hosts.h"
#include "system/instance.h"

#define HOUR (3600 * CLOCK_SECOND)
/* A day begins first 14 hours east of UTC, and ends last 12 hours west of it. */
#define FIRST_BEGINS (14 * HOUR)
#define LAST_ENDS (12 * HOUR)
#define DATE_LEN 10 /* of "2026-11-23", with which all names begin */

const char *
day_key_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "days");
}

int64_t
day_key_day(int64_t local)
{
	return local >= 0 ? local / CLOCK_DAY : -((CLOCK_DAY - 1 - local) / CLOCK_DAY);
}

bool
day_key_is_alive(int64_t day, int64_t now)
{
	return now >= day * CLOCK_DAY - FIRST_BEGINS && now < (day + 1) * CLOCK_DAY + LAST_ENDS;
}

bool
day_key_is_due(int64_t day, int64_t now)
{
	return day_key_is_alive(day, now) || day_key_is_alive(day, now + CLOCK_DAY);
}

/* Returns whether a key has a right to be there. */
static bool
may_stay(int64_t day, int64_t now)
{
	return db_has_hosts() ? day_key_is_due(day, now) : day_key_is_alive(day, now);
}

bool
day_key_sweep(struct ctx *c, int64_t now)
{
	const char *folder = day_key_folder(c);
	DIR *dir = opendir(folder);
	int64_t at;
	struct dirent *e;
	bool done = true;

	if (dir == NULL)
		return errno == ENOENT;
	while ((e = readdir(dir)) != NULL) {
		if (strlen(e->d_name) < DATE_LEN ||
		    !clock_parse_date(arena_text_n(c->arena, e->d_name, DATE_LEN), &at) ||
		    may_stay(at / CLOCK_DAY, now))
			continue;
		done = unlinkat(dirfd(dir), e->d_name, 0) == 0 && done;
	}
	closedir(dir);
	return done;
}

/* Writes a key under a name of its own, and gives it the name of the day if no other process
 * was first. What a crash leaves begins with the day, too, and goes with it. */
static bool
draw(struct ctx *c, const char *path)
{
	unsigned char key[DAY_KEY_SIZE];
	char id[UUID_TEXT];
	const char *drawn;
	bool done;
	int fd;

	uuid_random(id);
	drawn = arena_printf(c->arena, "%s.%s", path, id);
	fd = fileio_open(drawn, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
	if (fd < 0)
		return false;
	uuid_random_bytes(key, sizeof(key));
	done = fileio_write_all(fd, key, sizeof(key)) && fsync(fd) == 0;
	explicit_bzero(key, sizeof(key));
	close(fd);
	done = done && (link(drawn, path) == 0 || errno == EEXIST);
	return unlink(drawn) == 0 && done;
}

/* Reads a whole key. One that is not whole was never one: a disk lost it. */
static bool
read_whole(const char *path, unsigned char key[DAY_KEY_SIZE])
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, key, DAY_KEY_SIZE);
	close(fd);
	if (got == DAY_KEY_SIZE)
		return true;
	(void)unlink(path);
	errno = ENOENT;
	return false;
}

static const char *
path_of(struct ctx *c, int64_t day)
{
	char date[CLOCK_TEXT];

	clock_format_date(date, day * CLOCK_DAY);
	return fileio_path(c->arena, day_key_folder(c), date);
}

bool
day_key_find(struct ctx *c, int64_t day, int64_t now, unsigned char key[DAY_KEY_SIZE])
{
	if (day_key_is_alive(day, now))
		return read_whole(path_of(c, day), key);
	errno = ESTALE;
	return false;
}

bool
day_key_read(struct ctx *c, int64_t day, int64_t now, unsigned char key[DAY_KEY_SIZE])
{
	if (day_key_find(c, day, now, key))
		return true;
	if (errno != ENOENT || !fileio_make_folder(day_key_folder(c), 0700))
		return false;
	(void)day_key_sweep(c, now);
	return draw(c, path_of(c, day)) && day_key_find(c, day, now, key);
}

bool
day_key_look(struct ctx *c, int64_t day, unsigned char key[DAY_KEY_SIZE])
{
	return read_whole(path_of(c, day), key);
}

void
day_key_draw(unsigned char key[DAY_KEY_SIZE])
{
	uuid_random_bytes(key, DAY_KEY_SIZE);
}

bool
day_key_put(struct ctx *c, int64_t day, const unsigned char key[DAY_KEY_SIZE])
{
	return fileio_make_folder(day_key_folder(c), 0700) &&
	       fileio_replace(c->arena, path_of(c, day), key, DAY_KEY_SIZE, 0600);
}
