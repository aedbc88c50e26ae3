#include "stats/refused.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "stats/segment.h"

static const char *
path_of(struct ctx *c)
{
	return fileio_path(c->arena, segment_folder(c), "refused");
}

/* Waits for the lock and reads what is there. */
static bool
read_file(int fd, struct refused days[REFUSED_DAYS], short lock)
{
	struct flock whole = { .l_type = lock, .l_whence = SEEK_SET };
	const size_t size = REFUSED_DAYS * sizeof(days[0]);
	ssize_t got;

	while (fcntl(fd, F_OFD_SETLKW, &whole) != 0) {
		if (errno != EINTR)
			return false;
	}
	got = pread(fd, days, size, 0);
	if (got != (ssize_t)size)
		memset(days, 0, size);
	return got >= 0;
}

static void
add(struct refused days[REFUSED_DAYS], enum refused_kind kind, int64_t today)
{
	struct refused *r = &days[today % REFUSED_DAYS];

	if (r->day != today)
		*r = (struct refused) { .day = today };
	r->limited += kind == REFUSED_LIMITED;
	r->unknown += kind == REFUSED_UNKNOWN;
	r->bad_form += kind == REFUSED_BAD_FORM;
}

void
refused_count(struct ctx *c, enum refused_kind kind)
{
	struct refused days[REFUSED_DAYS];
	const char *path = path_of(c);
	const int flags = O_RDWR | O_CREAT | O_NOFOLLOW;
	int fd = fileio_open(path, flags);
	bool done = false;

	if (fd < 0 && errno == ENOENT && fileio_make_folder(segment_folder(c), 0700))
		fd = fileio_open(path, flags);
	if (fd >= 0 && read_file(fd, days, F_WRLCK)) {
		add(days, kind, clock_now() / CLOCK_DAY);
		done = pwrite(fd, days, sizeof(days), 0) == (ssize_t)sizeof(days);
	}
	if (!done)
		log_line("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

void
refused_read(struct ctx *c, struct refused out[REFUSED_DAYS])
{
	int fd = fileio_open(path_of(c), O_RDONLY | O_NOFOLLOW);

	memset(out, 0, REFUSED_DAYS * sizeof(out[0]));
	if (fd < 0)
		return;
	if (!read_file(fd, out, F_RDLCK))
		memset(out, 0, REFUSED_DAYS * sizeof(out[0]));
	close(fd);
}
