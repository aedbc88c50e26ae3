#include "logs/logs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "logs/unpack.h"
#include "system/instance.h"

#define CHUNK 65536

struct file {
	const char *path;
	struct timespec at;
};

/* Puts the newest file first. */
static int
by_time(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	if (x->at.tv_sec != y->at.tv_sec)
		return x->at.tv_sec < y->at.tv_sec ? 1 : -1;
	if (x->at.tv_nsec != y->at.tv_nsec)
		return x->at.tv_nsec < y->at.tv_nsec ? 1 : -1;
	return strcmp(x->path, y->path);
}

const char **
logs_find(struct ctx *c, const char *name, size_t *count)
{
	DIR *dir = opendir(c->instance->log);
	const struct dirent *entry;
	struct file *files = NULL;
	const char **paths;
	size_t len = strlen(name), n = 0;
	struct stat st;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *rest = entry->d_name + len, *path;
		if (strncmp(entry->d_name, name, len) != 0 ||
		    (rest[0] != '\0' && rest[0] != '.' && rest[0] != '-'))
			continue;
		path = arena_printf(c->arena, "%s/%s", c->instance->log, entry->d_name);
		if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		files = arena_grow(c->arena, files, n * sizeof(*files), (n + 1) * sizeof(*files));
		files[n++] = (struct file) { path, st.st_mtim };
	}
	if (dir != NULL)
		closedir(dir);
	if (n > 0)
		qsort(files, n, sizeof(*files), by_time);
	paths = arena_alloc(c->arena, (n + 1) * sizeof(*paths));
	for (size_t i = 0; i < n; i++)
		paths[i] = files[i].path;
	*count = n;
	return paths;
}

/* ---- lines */

/* Where bytes come from: an open file, and what unpacks it or NULL. */
struct source {
	int fd;
	struct unpack *packed;
};

/* Returns the number of bytes, 0 at the end, -1 for a fault (errno). */
static ssize_t
more(struct source *s, char *into, size_t max)
{
	ssize_t got;

	if (s->packed != NULL)
		return unpack_read(s->packed, into, max);
	do
		got = read(s->fd, into, max);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Calls `each` with the lines that are left. Returns NULL, or what is wrong. */
static const char *
read_lines(struct source *s, logs_each *each, void *arg)
{
	char chunk[CHUNK];
	size_t have = 0;
	bool cut = false; /* the bytes read are the rest of a line that is too long */
	ssize_t got;

	while ((got = more(s, chunk + have, sizeof(chunk) - have)) != 0) {
		char *from = chunk, *end;
		if (got < 0)
			return strerror(errno);
		have += (size_t)got;
		while ((end = memchr(from, '\n', have)) != NULL) {
			if (!cut)
				each(arg, from, (size_t)(end - from));
			cut = false;
			have -= (size_t)(end + 1 - from);
			from = end + 1;
		}
		/* Galley never writes such a long line. */
		if (have == sizeof(chunk)) {
			cut = true;
			have = 0;
		}
		memmove(chunk, from, have);
	}
	return NULL;
}

/* Reads a packed file. */
static const char *
read_packed(struct ctx *c, const char *path, int fd, logs_each *each, void *arg)
{
	struct source source = { .packed = unpack_open(c, fd) };
	const char *wrong =
	    source.packed == NULL ? strerror(ENOMEM) : read_lines(&source, each, arg);

	unpack_close(source.packed);
	return wrong == NULL ? NULL
			     : arena_printf(c->arena,
				   "%s was not searched to its end: it cannot be unpacked.", path);
}

bool
logs_is_packed(const char *path)
{
	size_t len = strlen(path);

	return len > 3 && strcmp(path + len - 3, ".gz") == 0;
}

const char *
logs_read(struct ctx *c, const char *path, int64_t last, logs_each *each, void *arg)
{
	const char *wrong;
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return arena_printf(c->arena, "%s: %s.", path, strerror(errno));
	if (logs_is_packed(path)) {
		wrong = read_packed(c, path, fd, each, arg);
		close(fd);
		return wrong;
	}
	if (last > 0 && fstat(fd, &st) == 0 && st.st_size > last)
		(void)lseek(fd, st.st_size - last, SEEK_SET);
	wrong = read_lines(&(struct source) { .fd = fd }, each, arg);
	close(fd);
	return wrong == NULL ? NULL : arena_printf(c->arena, "%s: %s.", path, wrong);
}

void
logs_tail(struct ctx *c, const char *name, int64_t last, logs_each *each, void *arg)
{
	size_t count, files = 0;
	const char **paths = logs_find(c, name, &count);
	int64_t left = last, *bytes = arena_array(c->arena, count + 1, sizeof(*bytes));
	struct stat st;

	while (files < count && left > 0 && !logs_is_packed(paths[files]) &&
	       stat(paths[files], &st) == 0) {
		bytes[files++] = left;
		left -= st.st_size;
	}
	while (files-- > 0)
		(void)logs_read(c, paths[files], bytes[files], each, arg);
}
