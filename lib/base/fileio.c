#include "base/fileio.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/uuid.h"

#define FIRST_READ ((size_t)4096)
/* The times of files advance in steps of milliseconds, on some disks in steps of
 * seconds. */
#define SETTLED_S 2

/* Of the process, once it is confined. */
static bool confined, shut_out;

void
fileio_confined(void)
{
	confined = true;
}

bool
fileio_is_shut_out(void)
{
	return shut_out;
}

/* Modes are asked by a call that no confinement refuses. */
static __attribute__((noinline, cold)) void
note_refusal(const char *path, int flags)
{
	int mode = (flags & O_ACCMODE) == O_RDONLY ? R_OK : R_OK | W_OK;

	if (faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 ||
	    (errno == ENOENT && (flags & O_CREAT) != 0))
		shut_out = true;
	errno = EACCES;
}

int
fileio_open(const char *path, int flags)
{
	int fd = openat(AT_FDCWD, path, flags | O_CLOEXEC, 0600);

	if (fd < 0 && confined && errno == EACCES)
		note_refusal(path, flags);
	return fd;
}

void
fileio_cannot_open(const char *path)
{
	size_t len = (size_t)(fileio_name(path) - path);
	int fault = errno;
	char folder[PATH_MAX] = "";

	if (len < sizeof(folder))
		memcpy(folder, path, len);
	if (fault != ENOENT || access(folder, F_OK) != 0)
		die_passing(2, "%s: %s", path, strerror(fault));
	die("%s: %s", path, strerror(fault));
}

/* Returns the size of a file if the system knows it, else 0: then the caller
 * reads to the end. */
static size_t
size_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? (size_t)st.st_size : 0;
}

char *
fileio_read_fd(struct arena *a, int fd, size_t max, size_t *len)
{
	size_t size = size_of(fd), used = 0;
	size_t first = size > 0 ? size : FIRST_READ;
	size_t room = max < first ? max : first;
	char *data = arena_grow(a, NULL, 0, room + 1);
	ssize_t got;

	/* The last byte of the room becomes the NUL, or shows that the file is longer. */
	while ((got = read(fd, data + used, room + 1 - used)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return NULL;
		used += (size_t)got;
		if (used > max) {
			errno = EFBIG;
			return NULL;
		}
		if (used == size)
			break;
		if (used > room) {
			size_t more = room > max / 2 ? max : room * 2;
			data = arena_grow(a, data, room + 1, more + 1);
			room = more;
		}
	}
	data[used] = '\0';
	if (len != NULL)
		*len = used;
	return data;
}

static char *
read_path(struct arena *a, const char *path, int flags, size_t max, size_t *len)
{
	int fd = fileio_open(path, O_RDONLY | flags);
	struct stat st;
	char *data;
	int saved;

	if (fd < 0)
		return NULL;
	data = fileio_read_fd(a, fd, max, len);
	saved = errno;
	/* A pipe without a writer reads as empty, too. */
	if (flags != 0 && data != NULL && *data == '\0' && fstat(fd, &st) == 0 &&
	    !S_ISREG(st.st_mode)) {
		data = NULL;
		saved = EINVAL;
	}
	close(fd);
	errno = saved;
	return data;
}

char *
fileio_read(struct arena *a, const char *path, size_t max, size_t *len)
{
	return read_path(a, path, 0, max, len);
}

char *
fileio_read_now(struct arena *a, const char *path, size_t max, size_t *len)
{
	return read_path(a, path, O_NONBLOCK, max, len);
}

char *
fileio_read_own(struct arena *a, const char *path, size_t max, struct stat *st)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), saved;
	struct stat found;
	char *data = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &found) == 0) {
		errno = EPERM;
		if (S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
		    (found.st_mode & (S_IWGRP | S_IWOTH)) == 0)
			data = fileio_read_fd(a, fd, max, NULL);
	}
	saved = errno;
	close(fd);
	errno = saved;
	if (data != NULL && st != NULL)
		*st = found;
	return data;
}

bool
fileio_write_all(int fd, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t sent = write(fd, p, len);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return false;
		p += sent;
		len -= (size_t)sent;
	}
	return true;
}

char *
fileio_path(struct arena *a, const char *folder, const char *name)
{
	size_t len = strlen(folder), more = strlen(name);
	char *path = arena_grow(a, NULL, 0, len + more + 2);

	memcpy(path, folder, len);
	path[len] = '/';
	memcpy(path + len + 1, name, more + 1);
	return path;
}

char *
fileio_folder(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return arena_text(a, ".");
	if (slash == path)
		return arena_text(a, "/");
	return arena_text_n(a, path, (size_t)(slash - path));
}

const char *
fileio_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

bool
fileio_sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = fsync(fd) == 0;
	close(fd);
	return done;
}

static bool
write_synced(const char *path, const void *bytes, size_t len, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	bool done;

	if (fd < 0)
		return false;
	done = fchmod(fd, mode) == 0 && fileio_write_all(fd, bytes, len) && fsync(fd) == 0;
	if (close(fd) != 0)
		done = false;
	return done;
}

char *
fileio_stage(struct arena *a, const char *path, const void *bytes, size_t len, mode_t mode)
{
	char id[UUID_TEXT];
	char *fresh;
	int saved;

	uuid_random(id);
	fresh = arena_printf(a, "%s/.%s.%s", fileio_folder(a, path), fileio_name(path), id);
	if (write_synced(fresh, bytes, len, mode))
		return fresh;
	saved = errno;
	unlink(fresh);
	errno = saved;
	return NULL;
}

bool
fileio_place(struct arena *a, const char *staged, const char *path)
{
	int saved;

	if (rename(staged, path) == 0 && fileio_sync_folder(fileio_folder(a, path)))
		return true;
	saved = errno;
	unlink(staged);
	errno = saved;
	return false;
}

bool
fileio_replace(struct arena *a, const char *path, const void *bytes, size_t len, mode_t mode)
{
	const char *staged = fileio_stage(a, path, bytes, len, mode);

	return staged != NULL && fileio_place(a, staged, path);
}

/* The kernel's struct statx, which not every C library has. */
struct extended {
	uint32_t mask, before[7];
	uint64_t inode, between[3];
	struct {
		int64_t s;
		uint32_t ns, rest;
	} accessed, born, changed, modified;
	uint32_t of_special[2], device[2];
	uint64_t behind[14];
};
#define WITH_INODE 0x100U
#define WITH_BIRTH 0x800U
_Static_assert(sizeof(struct extended) == 256, "struct statx has 256 bytes");

void
fileio_identify(const char *path, struct fileio_identity *out)
{
	struct extended x;
	struct stat st;

	memset(out, 0, sizeof(*out));
	if (syscall(SYS_statx, AT_FDCWD, path, 0, WITH_INODE | WITH_BIRTH, &x) == 0) {
		out->device = (uint64_t)x.device[0] << 32 | x.device[1];
		out->inode = x.inode;
		if ((x.mask & WITH_BIRTH) != 0)
			out->born = (uint64_t)x.born.s * UINT64_C(1000000000) + x.born.ns;
	} else if (stat(path, &st) == 0) {
		out->device = st.st_dev;
		out->inode = st.st_ino;
	}
}

static uint64_t
ns_of(struct timespec t)
{
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

void
fileio_look(const char *path, struct fileio_written *out)
{
	struct stat st;

	memset(out, 0, sizeof(*out));
	if (stat(path, &st) != 0 || st.st_size == 0)
		return;
	out->len = (uint64_t)st.st_size;
	out->modified = ns_of(st.st_mtim);
	out->changed = ns_of(st.st_ctim);
}

bool
fileio_make_folder(const char *path, mode_t mode)
{
	char part[4096];
	struct stat st;
	bool there;

	if (strlen(path) >= sizeof(part)) {
		errno = ENAMETOOLONG;
		return false;
	}
	there = stat(path, &st) == 0;
	for (size_t i = 1; !there && path[i - 1] != '\0'; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, mode) != 0 && errno != EEXIST)
			return false;
	}
	if (!there && stat(path, &st) != 0)
		return false;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode);
}

bool
fileio_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mode == b->st_mode && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
	       a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

bool
fileio_settled(const struct stat *st)
{
	return (st->st_ctim.tv_sec + SETTLED_S) * CLOCK_SECOND < clock_machine();
}

/* ---- a stream, line by line */

bool
line_read(FILE *in, char *line, size_t size, bool *whole)
{
	bool fits = true, any = false;
	size_t len = 0;
	int c;

	while ((c = getc(in)) != EOF && c != '\n') {
		any = true;
		if (c == '\0' || len + 1 >= size)
			fits = false;
		else
			line[len++] = (char)c;
	}
	line[len] = '\0';
	if (whole != NULL)
		*whole = fits;
	return any || c == '\n';
}
