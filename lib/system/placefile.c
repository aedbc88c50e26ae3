#include "system/placefile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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
