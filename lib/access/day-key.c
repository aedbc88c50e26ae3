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
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"
#include "store/hosts.h"
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

/* Returns whether it is this day somewhere on earth at `now`, or will be within a day. */
static bool
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

/* ---- the same keys at several hosts */

/* Reads a key, whatever the time is. Returns false if there is none. */
static bool
day_key_look(struct ctx *c, int64_t day, unsigned char key[DAY_KEY_SIZE])
{
	return read_whole(path_of(c, day), key);
}

/* Writes a key in place of the one that this host has. Returns false with errno set. */
static bool
day_key_put(struct ctx *c, int64_t day, const unsigned char key[DAY_KEY_SIZE])
{
	return fileio_make_folder(day_key_folder(c), 0700) &&
	       fileio_replace(c->arena, path_of(c, day), key, DAY_KEY_SIZE, 0600);
}

#define DAYS_MAX 4 /* what is alive within a day from now */

struct day {
	int64_t day;
	bool own; /* this host has a key already */
	unsigned char key[DAY_KEY_SIZE], shared[DAY_KEY_SIZE];
};

/* Reads this host's keys, and draws those that it lacks. */
static size_t
read_days(struct ctx *c, int64_t now, struct day *out)
{
	int64_t today = day_key_day(now);
	size_t count = 0;

	for (int64_t day = today - 1; day <= today + 2 && count < DAYS_MAX; day++) {
		if (!day_key_is_due(day, now))
			continue;
		out[count].day = day;
		out[count].own = day_key_look(c, day, out[count].key);
		if (!out[count].own)
			uuid_random_bytes(out[count].key, DAY_KEY_SIZE);
		memcpy(out[count].shared, out[count].key, DAY_KEY_SIZE);
		count++;
	}
	return count;
}

void
day_key_share(struct ctx *c, int64_t now)
{
	struct day days[DAYS_MAX];
	size_t count;

	if (!db_has_hosts())
		return;
	count = read_days(c, now, days);
	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	if (count > 0)
		db_day_keys_forget(c, days[0].day);
	for (size_t i = 0; i < count; i++)
		db_day_key_share(c, days[i].day, days[i].shared, DAY_KEY_SIZE);
	db_commit(c);
	for (size_t i = 0; i < count; i++) {
		if (days[i].own && memcmp(days[i].key, days[i].shared, DAY_KEY_SIZE) == 0)
			continue;
		if (!day_key_put(c, days[i].day, days[i].shared))
			log_line("run/days: %s", strerror(errno));
	}
	explicit_bzero(days, sizeof(days));
}
