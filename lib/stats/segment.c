#include "stats/segment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "system/fault.h"
#include "system/instance.h"

#define OPEN "open"
#define WRITER_WAIT (2 * CLOCK_SECOND)
#define TRIES 100 /* files that are renamed while one line is written */
#define LIST_MAX 10000 /* segments that one run looks at */

static const char *
path_of(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/hits/%s", c->instance->run, name);
}

const char *
segment_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "hits");
}

/* Waits for the lock until the time of the boot clock. */
static bool
lock(int fd, int64_t until)
{
	const struct timespec pause = { 0, 200 * 1000 };

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		if (clock_boot() >= until) {
			errno = EAGAIN;
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

/* ---- writers */

static int
open_to_write(struct ctx *c, const char *path)
{
	const int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
	int fd = fileio_open(path, flags);

	if (fd < 0 && errno == ENOENT && fileio_make_folder(segment_folder(c), 0700))
		fd = fileio_open(path, flags);
	return fd;
}

/* Returns whether the file that is open and locked still has this path. *size is its size. */
static bool
is_at(int fd, const char *path, off_t *size)
{
	struct stat own, there;

	if (fstat(fd, &own) != 0 || lstat(path, &there) != 0)
		return false;
	*size = own.st_size;
	return own.st_ino == there.st_ino && own.st_dev == there.st_dev;
}

static bool
has_space(int fd)
{
	struct statvfs st;

	return fstatvfs(fd, &st) != 0 ||
	       (int64_t)st.f_bavail * (int64_t)st.f_frsize >= SEGMENT_SPACE;
}

/* Writes under the lock. What was written of a line that does not fit is cut off. */
static bool
write_line(int fd, off_t size, const char *line, size_t len)
{
	int fault = FAULT("hit-write");
	ssize_t wrote;

	if (fault == 0 && !has_space(fd))
		fault = ENOSPC;
	/* A test's full disk takes half of the line. */
	wrote = write(fd, line, fault == 0 ? len : len / 2);
	if (wrote == (ssize_t)len)
		return true;
	fault = fault != 0 ? fault : wrote < 0 ? errno : ENOSPC;
	if (wrote > 0 && ftruncate(fd, size) != 0)
		log_line("hits: %s", strerror(errno));
	errno = fault;
	return false;
}

/* Returns 1 if the line is written, 0 if the file was renamed before, -1 for a fault. */
static int
append_once(struct ctx *c, const char *path, const char *line, size_t len, int64_t until)
{
	int fd = open_to_write(c, path), kept, result = -1;
	off_t size;

	if (fd < 0)
		return -1;
	(void)FAULT("hit-opened");
	if (lock(fd, until)) {
		(void)FAULT("hit-locked");
		if (!is_at(fd, path, &size))
			result = 0;
		else if (write_line(fd, size, line, len))
			result = 1;
	}
	kept = errno;
	(void)FAULT("hit-written");
	close(fd);
	errno = kept;
	return result;
}

bool
segment_append(struct ctx *c, const char *line, size_t len)
{
	char out[SEGMENT_LINE_MAX];
	const char *path = path_of(c, OPEN);
	int64_t until = clock_boot() + WRITER_WAIT;
	int result = 0;

	if (len > sizeof(out) - 2)
		BUG("a hit's line of %zu bytes", len);
	out[0] = '\n';
	memcpy(out + 1, line, len);
	out[len + 1] = '\n';
	for (int i = 0; i < TRIES && result == 0; i++)
		result = append_once(c, path, out, len + 2, until);
	if (result == 0)
		errno = EAGAIN;
	return result > 0;
}

/* ---- the reader */

/* A name is 32 hexadecimal digits: run/hits may hold files of others. */
static bool
is_name(const char *text)
{
	return strlen(text) == SEGMENT_NAME - 1 &&
	       strspn(text, "0123456789abcdef") == SEGMENT_NAME - 1;
}

static bool
is_written(struct ctx *c)
{
	struct stat st;

	return lstat(path_of(c, OPEN), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

bool
segment_is_due(struct ctx *c)
{
	size_t count;

	if (is_written(c))
		return true;
	(void)segment_list(c, &count);
	return count > 0;
}

bool
segment_claim(struct ctx *c)
{
	unsigned char bytes[(SEGMENT_NAME - 1) / 2];
	char name[SEGMENT_NAME];

	if (!is_written(c))
		return true;
	uuid_random_bytes(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		(void)snprintf(name + 2 * i, 3, "%02x", bytes[i]);
	if (rename(path_of(c, OPEN), path_of(c, name)) != 0) {
		log_line("hits: %s", strerror(errno));
		return errno == ENOENT;
	}
	(void)FAULT("hits-claimed");
	/* Else a power failure could give back the old name to lines that were counted. */
	return segment_settle(c);
}

const char **
segment_list(struct ctx *c, size_t *count)
{
	const char **names = arena_array(c->arena, LIST_MAX + 1, sizeof(*names));
	DIR *dir = opendir(segment_folder(c));
	const struct dirent *entry;

	*count = 0;
	while (dir != NULL && *count < LIST_MAX && (entry = readdir(dir)) != NULL) {
		if (is_name(entry->d_name))
			names[(*count)++] = arena_text(c->arena, entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	names[*count] = NULL;
	return names;
}

int
segment_open(struct ctx *c, const char *name, int64_t until)
{
	const char *path = path_of(c, name);
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	off_t size;

	/* Another reader may have counted and removed it before it gave up the lock. */
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lock(fd, until) &&
	    is_at(fd, path, &size))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool
segment_exists(struct ctx *c, const char *name)
{
	struct stat st;

	return lstat(path_of(c, name), &st) == 0 || errno != ENOENT;
}

void
segment_remove(struct ctx *c, const char *name)
{
	if (unlink(path_of(c, name)) != 0 && errno != ENOENT)
		log_line("hits: %s: %s", name, strerror(errno));
}

bool
segment_settle(struct ctx *c)
{
	if (fileio_sync_folder(segment_folder(c)))
		return true;
	log_line("hits: %s", strerror(errno));
	return false;
}
