/* Reads a log backwards (logs.h). */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "logs/logs.h"

#define CHUNK 65536

/* The reading of one file: `at` is the end of what is not read yet. */
struct back {
	int fd;
	int64_t at;
	int64_t left; /* bytes that may be read */
	logs_each_back *each;
	void *arg;
	bool stopped;
};

/* Takes the lines of `chunk`, which ends where a line ends, from its end on. The first one is
 * whole if the chunk is the beginning of the file. Moves b->at to the beginning of the last
 * line that was taken. */
static void
take_lines(struct back *b, const char *chunk, size_t len, int64_t start)
{
	size_t end = len;

	while (end > 0 && !b->stopped) {
		size_t text_end = end - (chunk[end - 1] == '\n');
		const char *before = memrchr(chunk, '\n', text_end);
		size_t from = before != NULL ? (size_t)(before - chunk) + 1 : 0;

		if (from == 0 && start > 0 && end < len)
			return; /* its beginning is in the next chunk */
		/* Galley never writes a line that fills a chunk: its rest is none. */
		if (from > 0 || start == 0)
			b->stopped = !b->each(b->arg, chunk + from, text_end - from);
		end = from;
		b->at = start + (int64_t)from;
	}
}

/* Reads one file to its beginning, or as far as it may. */
static void
read_file(struct back *b, char *chunk)
{
	while (b->at > 0 && b->left > 0 && !b->stopped) {
		int64_t was = b->at, start = was > CHUNK ? was - CHUNK : 0;
		ssize_t got = pread(b->fd, chunk, (size_t)(was - start), start);

		if (got != was - start) {
			b->at = 0; /* it cannot be read */
			return;
		}
		take_lines(b, chunk, (size_t)got, start);
		b->left -= was - b->at;
	}
}

/* Returns how many of the files, the newest first, are not packed; their inodes and sizes. */
static size_t
plain_files(const char **paths, size_t count, struct stat *stats)
{
	size_t n = 0;

	while (n < count && !logs_is_packed(paths[n]) && stat(paths[n], &stats[n]) == 0)
		n++;
	return n;
}

bool
logs_back(struct ctx *c, const char *name, struct logs_place *place, int64_t bytes,
    logs_each_back *each, void *arg)
{
	struct back b = { .left = bytes, .each = each, .arg = arg };
	size_t count, i = 0;
	const char **paths = logs_find(c, name, &count);
	struct stat *stats = arena_array(c->arena, count + 1, sizeof(*stats));
	char *chunk = arena_alloc(c->arena, CHUNK);
	bool known = false;

	count = plain_files(paths, count, stats);
	for (size_t k = 0; place->file != 0 && k < count && !known; k++) {
		known = stats[k].st_ino == place->file;
		i = known ? k : 0;
	}
	for (; i < count && b.left > 0 && !b.stopped; i++) {
		b.at = known && place->at < stats[i].st_size ? place->at : stats[i].st_size;
		known = false;
		b.fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		if (b.fd < 0)
			continue;
		read_file(&b, chunk);
		close(b.fd);
		*place = (struct logs_place) { stats[i].st_ino, b.at };
		if (b.at > 0)
			return true;
	}
	return i < count;
}
