#include "system/fresh.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "system/fault.h"

#define LINK_MAX_BYTES 40 /* "/proc/self/fd/" and a number */
#define HEAD 263 /* the bytes of a tar archive that are read: as far as its magic */
#define TRIES 10
#define EMPTY_AFTER_S 3600 /* an empty file may be another program's before this age */

static struct err *
cannot(struct ctx *c, const char *path)
{
	return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
}

/* Returns ".NAME.UUID" beside `path`. */
static const char *
hidden_beside(struct ctx *c, const char *path)
{
	char id[UUID_TEXT];

	uuid_random(id);
	return arena_printf(
	    c->arena, "%s/.%s.%s", fileio_folder(c->arena, path), fileio_name(path), id);
}

/* Writes the path by which a file without a name can be linked to one. */
static void
link_of(int fd, char out[LINK_MAX_BYTES])
{
	snprintf(out, LINK_MAX_BYTES, "/proc/self/fd/%d", fd);
}

/* Opens a file without a name. Returns -1 if the file system has no such files. */
static int
open_nameless(struct ctx *c, const char *path)
{
	char link[LINK_MAX_BYTES];
	struct stat st;
	int fd;

	fd = open(fileio_folder(c->arena, path), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	link_of(fd, link);
	if (lstat(link, &st) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Takes the lock of a file. The lock ends with the process. */
static bool
take_lock(int fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_SETLK, &whole) == 0;
}

/* Opens a file with a hidden name. If another process removes it before its lock
 * is taken, it is made again. */
static bool
open_hidden(struct ctx *c, struct fresh *out)
{
	struct stat st;

	for (int i = 0; i < TRIES; i++) {
		out->name = hidden_beside(c, out->path);
		out->fd = open(out->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (out->fd < 0)
			return false;
		/* On a file system without locks nothing is swept. */
		if ((take_lock(out->fd) || (errno != EACCES && errno != EAGAIN)) &&
		    fstat(out->fd, &st) == 0 && st.st_nlink > 0)
			return true;
		fresh_drop(out);
	}
	errno = EAGAIN;
	return false;
}

struct err *
fresh_make(struct ctx *c, const char *path, struct fresh *out)
{
	*out = (struct fresh) { .path = path };
	out->fd = open_nameless(c, path);
	if (out->fd >= 0) {
		(void)take_lock(out->fd);
		return NULL;
	}
	return open_hidden(c, out) ? NULL : cannot(c, path);
}

/* Links a file without a name to `path`. */
static bool
give_name(const struct fresh *f, const char *path)
{
	char link[LINK_MAX_BYTES];

	link_of(f->fd, link);
	return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* A name that another file has can be taken by a rename only. */
static bool
put_name(struct ctx *c, struct fresh *f, bool replace)
{
	const char *hidden;

	if (f->name == NULL && give_name(f, f->path))
		return true;
	if (f->name == NULL && (errno != EEXIST || !replace))
		return false;
	if (f->name == NULL) {
		hidden = hidden_beside(c, f->path);
		if (!give_name(f, hidden))
			return false;
		f->name = hidden;
		(void)FAULT("fresh-hidden");
	} else if (!replace && access(f->path, F_OK) == 0) {
		errno = EEXIST;
		return false;
	}
	if (rename(f->name, f->path) != 0)
		return false;
	f->name = NULL;
	return true;
}

struct err *
fresh_put(struct ctx *c, struct fresh *f, bool replace)
{
	if (fsync(f->fd) != 0 || !put_name(c, f, replace) ||
	    !fileio_sync_folder(fileio_folder(c->arena, f->path)))
		return cannot(c, f->path);
	close(f->fd);
	f->fd = -1;
	return NULL;
}

void
fresh_drop(struct fresh *f)
{
	if (f->fd < 0)
		return;
	if (f->name != NULL)
		unlink(f->name);
	f->name = NULL;
	close(f->fd);
	f->fd = -1;
}

/* Returns whether the name is ".NAME.UUID". */
static bool
is_hidden(const char *name)
{
	static const char form[] = ".xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t len = strlen(name), tail = sizeof(form) - 1;
	const char *p = name + len - tail;

	if (len < tail + 2 || name[0] != '.')
		return false;
	for (size_t i = 0; i < tail; i++) {
		bool digit = strchr("0123456789abcdef", p[i]) != NULL;
		if (form[i] == 'x' ? !digit : p[i] != form[i])
			return false;
	}
	return true;
}

/* Returns whether the file is a part of an archive that nobody writes: its lock
 * was free. The lock is then held until the caller closes the file. */
static bool
is_left(int fd)
{
	struct stat st;
	char head[HEAD] = "";
	ssize_t got;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    !take_lock(fd))
		return false;
	got = pread(fd, head, sizeof(head), 0);
	if (got == 0)
		return time(NULL) - st.st_mtime > EMPTY_AFTER_S;
	return got == HEAD && memcmp(head + 257, "ustar", 5) == 0 &&
	       (strcmp(head, "galley.db") == 0 || strcmp(head, "pepper") == 0);
}

void
fresh_sweep(struct ctx *c, const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *path;
		int fd;
		if (!is_hidden(entry->d_name))
			continue;
		path = arena_printf(c->arena, "%s/%s", folder, entry->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (is_left(fd))
			unlink(path);
		if (fd >= 0)
			close(fd);
	}
	if (dir != NULL)
		closedir(dir);
}
