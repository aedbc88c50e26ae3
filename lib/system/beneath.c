#include "system/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fileio.h"

enum { DEPTH_MAX = 128, LINKS_MAX = 40 };

bool
beneath_open(struct arena *a, const char *folder, struct beneath *out)
{
	char real[PATH_MAX];
	struct stat st;

	if (realpath(folder, real) == NULL || stat(real, &st) != 0)
		return false;
	out->path = arena_text(a, strcmp(real, "/") == 0 ? "" : real);
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode);
}

/* The folders from the first one to the place that the walk has reached. */
struct walk {
	struct arena *arena;
	const char *root;
	int fd; /* of the first folder */
	int fds[DEPTH_MAX];
	const char *names[DEPTH_MAX];
	int depth, links;
	const char *rest; /* the part of the path that is still to be walked */
	const char *name; /* of the file at the end; NULL before it is reached */
	int result; /* the file's descriptor, or -1 */
};

static int
here(const struct walk *w)
{
	return w->depth == 0 ? w->fd : w->fds[w->depth - 1];
}

static void
leave(struct walk *w, int depth)
{
	while (w->depth > depth)
		close(w->fds[--w->depth]);
}

static int
fail(int error)
{
	errno = error;
	return -1;
}

/* Continues the walk at the target of the link. */
static int
follow(struct walk *w, int fd)
{
	size_t len = strlen(w->root);
	char target[PATH_MAX];
	ssize_t got = readlinkat(fd, "", target, sizeof(target) - 1);

	if (got < 0 || ++w->links > LINKS_MAX)
		return got < 0 ? -1 : fail(ELOOP);
	target[got] = '\0';
	if (target[0] == '/') {
		if (strncmp(target, w->root, len) != 0 ||
		    (target[len] != '/' && target[len] != '\0'))
			return fail(EXDEV);
		leave(w, 0);
		memmove(target, target + len, strlen(target + len) + 1);
	}
	w->rest = arena_printf(w->arena, "%s/%s", target, w->rest);
	return 0;
}

static int
enter(struct walk *w, int fd, const char *name)
{
	if (w->depth == DEPTH_MAX) {
		close(fd);
		return fail(ENAMETOOLONG);
	}
	w->names[w->depth] = name;
	w->fds[w->depth++] = fd;
	return 0;
}

/* Opens the file at the end of the path. If the name is a link by now, O_NOFOLLOW
 * refuses it. Opening a pipe does not wait for a writer. */
static int
open_end(struct walk *w, const char *name)
{
	struct stat st;

	w->result =
	    openat(here(w), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (w->result < 0)
		return -1;
	if (fstat(w->result, &st) == 0 && S_ISREG(st.st_mode)) {
		w->name = name;
		return 0;
	}
	close(w->result);
	w->result = -1;
	return fail(EINVAL);
}

/* Walks one part of the path. */
static int
step(struct walk *w, const char *name)
{
	struct stat st;
	int fd, done, saved;

	if (strcmp(name, "..") == 0) {
		if (w->depth == 0)
			return fail(EXDEV);
		leave(w, w->depth - 1);
		return 0;
	}
	fd = openat(here(w), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	done = fstat(fd, &st);
	if (done == 0 && S_ISDIR(st.st_mode))
		return enter(w, fd, name);
	if (done != 0)
		; /* it is gone meanwhile */
	else if (S_ISLNK(st.st_mode))
		done = follow(w, fd);
	else if (w->rest[strspn(w->rest, "/.")] != '\0')
		done = fail(ENOTDIR);
	else if (!S_ISREG(st.st_mode))
		done = fail(EINVAL);
	else
		done = open_end(w, name);
	saved = errno;
	close(fd);
	errno = saved;
	return done;
}

static const char *
real_path(const struct walk *w)
{
	const char *path = w->root;

	for (int i = 0; i < w->depth; i++)
		path = arena_printf(w->arena, "%s/%s", path, w->names[i]);
	if (w->name != NULL)
		path = arena_printf(w->arena, "%s/%s", path, w->name);
	return path;
}

int
beneath_file(struct arena *a, const struct beneath *b, const char *path, const char **real)
{
	int root =
	    open(b->path[0] == '\0' ? "/" : b->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct walk w = { .arena = a, .root = b->path, .fd = root, .rest = path, .result = -1 };
	int done = 0, saved;

	if (root < 0)
		return -1;
	while (done == 0 && w.name == NULL && *w.rest != '\0') {
		size_t len = strcspn(w.rest, "/");
		const char *name = arena_text_n(a, w.rest, len);
		w.rest += len + strspn(w.rest + len, "/");
		if (len > 0 && strcmp(name, ".") != 0)
			done = step(&w, name);
	}
	if (done == 0 && w.name == NULL)
		w.result = openat(here(&w), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w.result >= 0 && real != NULL)
		*real = real_path(&w);
	saved = errno;
	leave(&w, 0);
	close(root);
	errno = saved;
	return w.result;
}

char *
beneath_read(struct arena *a, const struct beneath *b, const char *path, size_t max, size_t *len,
    const char **real)
{
	int fd = beneath_file(a, b, path, real), saved;
	char *bytes;

	if (fd < 0)
		return NULL;
	bytes = fileio_read_fd(a, fd, max, len);
	saved = errno;
	close(fd);
	errno = saved;
	return bytes;
}

const char *
beneath_reason(struct arena *a, const struct beneath *b, int error)
{
	if (error == EXDEV)
		return arena_printf(
		    a, "it leads out of the folder %s", b->path[0] == '\0' ? "/" : b->path);
	return error == EINVAL ? "it is no plain file" : strerror(error);
}
