#include "web/cache-space.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"
#include "web/answer-cache.h"

#define MIB (INT64_C(1024) * 1024)
#define WORKSPACE_BYTES (64 * MIB)
#define ALL_BYTES (512 * MIB)
#define LEFT_BYTES (64 * MIB) /* on the disk, as the job runner has it */
#define BLOCK INT64_C(4096)
#define AGAIN (60 * CLOCK_SECOND) /* until one workspace is swept again */
#define AGAIN_ALL (3600 * CLOCK_SECOND) /* until all are */
#define UNFINISHED_S 60 /* a file that another process writes is finished by then */
#define KEYS 0 /* the folder of keys, which are bounded by their number */
#define LOCK_TRIES 100

/* The record of a workspace in run/kept/used; number 0 is that of all of them. */
struct count {
	int64_t bytes;
	int64_t swept_at;
};

static int64_t
blocks_of(int64_t len)
{
	return (len + BLOCK - 1) / BLOCK * BLOCK;
}

static off_t
offset_of(int64_t id)
{
	return (off_t)(id * (int64_t)sizeof(struct count));
}

/* Reads a record. One that is missing or cannot be true counts as zeros. */
static struct count
read_count(int fd, int64_t id)
{
	struct count count = { 0, 0 };

	if (pread(fd, &count, sizeof(count), offset_of(id)) != (ssize_t)sizeof(count) ||
	    count.bytes < 0)
		memset(&count, 0, sizeof(count));
	return count;
}

static void
write_count(int fd, int64_t id, struct count count)
{
	(void)!pwrite(fd, &count, sizeof(count), offset_of(id));
}

static void
add(int fd, int64_t id, int64_t bytes)
{
	struct count count = read_count(fd, id);

	count.bytes += bytes;
	write_count(fd, id, count);
}

static const char *
folder_of(struct ctx *c, int64_t id)
{
	return id == KEYS ? arena_printf(c->arena, "%s/kept/keys", c->instance->run)
			  : arena_printf(c->arena, "%s/kept/%lld", c->instance->run, (long long)id);
}

static int
open_counts(struct ctx *c, bool create)
{
	const char *path = fileio_path(c->arena, c->instance->run, "kept/used");
	int fd = fileio_open(path, O_RDWR | O_NOFOLLOW | (create ? O_CREAT : 0));

	if (fd < 0 && errno == ENOENT && create &&
	    fileio_make_folder(fileio_folder(c->arena, path), 0700))
		fd = fileio_open(path, O_RDWR | O_NOFOLLOW | O_CREAT);
	return fd;
}

/* Takes the lock, which ends when the file is closed. A process with a request to answer
 * never waits for it. */
static bool
lock(int fd, int tries)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const struct timespec pause = { 0, 10000000 };

	while (fcntl(fd, F_OFD_SETLK, &whole) != 0) {
		if (--tries <= 0)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static bool
disk_is_short(struct ctx *c)
{
	struct statvfs fs;

	if (FAULT("kept-room") != 0)
		return true;
	return statvfs(c->instance->run, &fs) == 0 &&
	       (uint64_t)fs.f_bavail * fs.f_frsize < (uint64_t)LEFT_BYTES;
}

/* Returns the bytes of the file that is replaced. */
static int64_t
taken(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? blocks_of(st.st_size) : 0;
}

static bool
fits(int fd, int64_t id, int64_t more)
{
	return more <= 0 || (read_count(fd, id).bytes + more <= WORKSPACE_BYTES &&
				read_count(fd, 0).bytes + more <= ALL_BYTES);
}

/* ---- sweeping */

struct sweep {
	int fd; /* of the folder */
	bool all; /* remove everything */
	bool known; /* what is fresh */
	int64_t places; /* there are no more */
	struct cache_head fresh; /* its name apart */
};

static bool
is_fresh(const struct sweep *s, const char *name)
{
	int fd = openat(s->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct cache_head head;
	bool fresh;

	if (fd < 0)
		return false;
	fresh = read(fd, &head, sizeof(head)) == (ssize_t)sizeof(head) &&
		cache_head_as_fresh(&head, &s->fresh);
	close(fd);
	return fresh;
}

/* Returns whether a process may still need the file: its answer is fresh, or it is being
 * written beside a place. */
static bool
is_needed(const struct sweep *s, const char *name, const struct stat *st)
{
	size_t digits = strspn(name, "0123456789");

	if (s->all)
		return false;
	if (name[digits] != '\0')
		return st->st_mtime <= time(NULL) && st->st_mtime + UNFINISHED_S > time(NULL);
	if (strtoll(name, NULL, 10) >= s->places)
		return false;
	return !s->known || is_fresh(s, name);
}

/* Removes the stale answers of a folder. Returns how many bytes the others take. */
static __attribute__((cold)) int64_t
sweep(struct ctx *c, int64_t id, bool all)
{
	static const unsigned char no_name[DIGEST_SIZE];
	DIR *dir = opendir(folder_of(c, id));
	struct sweep s = { .all = all, .places = id == KEYS ? INT64_MAX : c->conf->kept_answers };
	const struct dirent *entry;
	struct cache now;
	int64_t left = 0;
	struct stat st;

	if (dir == NULL)
		return 0;
	s.fd = dirfd(dir);
	memset(&now, 0, sizeof(now));
	cache_note(c, &now, id);
	s.known = now.seen.usable;
	cache_head_make(&now, id == KEYS ? 0 : now.seen.workspace, no_name, &s.fresh);
	while ((entry = readdir(dir)) != NULL) {
		if (fstatat(s.fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		    S_ISDIR(st.st_mode))
			continue;
		if (is_needed(&s, entry->d_name, &st) || unlinkat(s.fd, entry->d_name, 0) != 0)
			left += blocks_of(st.st_size);
	}
	closedir(dir);
	return left;
}

/* Counts one workspace again. The caller must hold the lock. */
static __attribute__((cold)) void
count_again(struct ctx *c, int fd, int64_t id, bool all)
{
	struct count count = read_count(fd, id);
	int64_t left = sweep(c, id, all);

	add(fd, 0, left - count.bytes);
	count.bytes = left;
	count.swept_at = clock_now();
	write_count(fd, id, count);
}

/* Returns whether another sweep is due, or the clock was set back. */
static bool
is_due(int64_t swept_at, int64_t again)
{
	int64_t now = clock_now();

	return swept_at > now || swept_at + again <= now;
}

/* ---- keeping */

bool
cache_space_find(
    struct ctx *c, int64_t workspace_id, const char *path, size_t len, struct cache_space *out)
{
	int64_t more = blocks_of((int64_t)len) - taken(path);

	if (disk_is_short(c))
		return false;
	out->fd = open_counts(c, true);
	if (out->fd < 0)
		return false;
	out->workspace_id = workspace_id;
	out->bytes = blocks_of((int64_t)len);
	if (fits(out->fd, workspace_id, more))
		return true;
	if (is_due(read_count(out->fd, workspace_id).swept_at, AGAIN) && lock(out->fd, 1)) {
		count_again(c, out->fd, workspace_id, false);
		if (fits(out->fd, workspace_id, out->bytes - taken(path)))
			return true;
	}
	cache_space_leave(out);
	return false;
}

/* Renames a file and counts its bytes: a file is counted before it exists, and as
 * long as it exists. */
static bool
rename_counted(const struct cache_space *room, const char *fresh, const char *path, int64_t more)
{
	int64_t first = more > 0 ? more : 0, last = more > 0 ? 0 : more;
	int error;

	add(room->fd, 0, first);
	add(room->fd, room->workspace_id, first);
	(void)FAULT("kept-counted");
	if (rename(fresh, path) != 0) {
		error = errno;
		last = -first;
	} else {
		error = 0;
	}
	if (last != 0) {
		add(room->fd, room->workspace_id, last);
		add(room->fd, 0, last);
	}
	errno = error;
	return error == 0;
}

bool
cache_space_fill(struct cache_space *room, const char *fresh, const char *path)
{
	bool done = true;

	if (lock(room->fd, 1)) {
		int64_t more = room->bytes - taken(path);
		if (fits(room->fd, room->workspace_id, more))
			done = rename_counted(room, fresh, path, more);
		else
			unlink(fresh);
	} else {
		unlink(fresh);
	}
	cache_space_leave(room);
	return done;
}

void
cache_space_leave(struct cache_space *room)
{
	int error = errno;

	close(room->fd);
	errno = error;
}

/* ---- for others */

void
cache_drop_workspace(struct ctx *c, int64_t workspace_id)
{
	int fd = open_counts(c, false);

	if (fd >= 0 && lock(fd, LOCK_TRIES))
		count_again(c, fd, workspace_id, true);
	else
		(void)sweep(c, workspace_id, true);
	if (fd >= 0)
		close(fd);
	rmdir(folder_of(c, workspace_id));
}

/* Sweeps every workspace that has a folder, and counts from nothing. The caller must hold
 * the lock. */
static void
sweep_all(struct ctx *c, int fd, bool all)
{
	DIR *dir = opendir(fileio_path(c->arena, c->instance->run, "kept"));
	struct count sum = { 0, clock_now() };
	const struct dirent *entry;

	if (dir == NULL || ftruncate(fd, 0) != 0) {
		if (dir != NULL)
			closedir(dir);
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		struct count one = { 0, sum.swept_at };
		char *end;
		int64_t id = strtoll(entry->d_name, &end, 10);
		if (id <= 0 || *end != '\0')
			continue;
		one.bytes = sweep(c, id, all);
		sum.bytes += one.bytes;
		write_count(fd, id, one);
		rmdir(folder_of(c, id));
	}
	closedir(dir);
	write_count(fd, 0, sum);
	(void)sweep(c, KEYS, all);
}

void
cache_drop_stale(struct ctx *c)
{
	bool off = c->conf->kept_answers == 0, all = off || disk_is_short(c);
	int fd = open_counts(c, false);
	struct count sum;

	if (fd < 0)
		return;
	sum = read_count(fd, 0);
	if ((is_due(sum.swept_at, AGAIN_ALL) || sum.bytes > ALL_BYTES / 4 * 3 ||
		(all && sum.bytes > 0)) &&
	    lock(fd, LOCK_TRIES))
		sweep_all(c, fd, all);
	close(fd);
}
