#include "system/filelock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Returns the process that holds the lock; 0 if the lock was released meanwhile, -1 if that is a
 * process of another container, which has no number here. */
static pid_t
holder_of(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return 0;
	return lock.l_pid > 0 ? lock.l_pid : -1;
}

static int
open_lock(const char *path)
{
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int
filelock_take(const char *path, pid_t *holder)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open_lock(path);
	int saved;

	*holder = 0;
	if (fd < 0)
		return -1;
	while (fcntl(fd, F_SETLK, &lock) != 0) {
		saved = errno;
		if (saved == EAGAIN || saved == EACCES) {
			*holder = holder_of(fd);
			/* The lock was released between the two calls: try again. */
			if (*holder == 0)
				continue;
			if (*holder < 0)
				*holder = 0;
		} else if (saved == EINTR) {
			continue;
		}
		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

int
filelock_wait(const char *path, bool shared)
{
	struct flock lock = { .l_type = shared ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET };
	int fd = open_lock(path);
	int saved;

	while (fd >= 0 && fcntl(fd, F_SETLKW, &lock) != 0) {
		saved = errno;
		if (saved == EINTR)
			continue;
		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

int
filelock_take_byte(const char *path, off_t at)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
	int fd = open_lock(path);
	int saved;

	while (fd >= 0 && fcntl(fd, F_OFD_SETLK, &lock) != 0) {
		saved = errno;
		if (saved == EINTR)
			continue;
		close(fd);
		errno = saved == EACCES ? EAGAIN : saved;
		return -1;
	}
	return fd;
}

pid_t
filelock_holder(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	pid_t holder;

	if (fd < 0)
		return 0;
	holder = holder_of(fd);
	close(fd);
	return holder;
}

void
filelock_release(int fd)
{
	close(fd);
}

/* ---- places in a file */

bool
placefile_read(int fd, off_t offset, void *out, size_t size)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = (off_t)size
	};

	memset(out, 0, size);
	while (fcntl(fd, F_OFD_SETLKW, &lock) != 0) {
		if (errno != EINTR)
			return false;
	}
	return pread(fd, out, size, offset) >= 0;
}

bool
placefile_write(int fd, off_t offset, const void *bytes, size_t size)
{
	ssize_t wrote = pwrite(fd, bytes, size, offset);

	if (wrote >= 0 && wrote != (ssize_t)size)
		errno = ENOSPC;
	return wrote == (ssize_t)size;
}
