#include "access/sites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/instance.h"

const char *
sites_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "sites");
}

/* Returns the beginning of the line that holds `at`. */
static const char *
line_of(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

/* Finds the line that begins with the id: lines are in the order of their ids. Returns NULL if
 * there is none. */
static const char *
find_line(const char *text, size_t len, const char *id)
{
	const char *from = text, *to = text + len;

	while (from < to) {
		const char *line = line_of(from, from + (to - from) / 2);
		const char *end = memchr(line, '\n', (size_t)(to - line));
		int order;

		if (end == NULL || end - line <= SITES_ID)
			return NULL;
		order = memcmp(id, line, SITES_ID);
		if (order == 0)
			return line;
		if (order < 0)
			to = line;
		else
			from = end + 1;
	}
	return NULL;
}

/* Reads the number at *at, and moves behind the space that follows. */
static int64_t
read_number(char **at)
{
	int64_t number = strtoll(*at, at, 10);

	*at += **at == ' ';
	return number;
}

/* Reads a line behind its id: "WORKSPACE OFFSET CHANGES_AT LATER_OFFSET ORIGIN …". */
static bool
read_line(char *at, struct site *out)
{
	if (at[0] != ' ' || strlen(at) < UUID_TEXT + 1 || at[UUID_TEXT] != ' ')
		return false;
	at[UUID_TEXT] = '\0';
	if (!uuid_parse(at + 1, out->workspace))
		return false;
	at += UUID_TEXT + 1;
	out->offset_s = read_number(&at);
	out->changes_at = read_number(&at);
	out->later_offset_s = strtoll(at, &at, 10);
	out->origins = at;
	return *at == '\0' || *at == ' ';
}

static bool
find_in(struct ctx *c, const char *text, size_t len, const char *id, struct site *out)
{
	const char *line = find_line(text, len, id), *end;

	if (line == NULL)
		return false;
	end = memchr(line, '\n', len - (size_t)(line - text));
	line += SITES_ID;
	return read_line(arena_text_n(c->arena, line, (size_t)(end - line)), out);
}

/* Opens the list; -1 if there is none, and the log says so. */
static int
open_list(const char *path)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		log_line(
		    "%s is missing: the task runner writes it, unless this instance has moved to another store",
		    path);
	else
		log_line("%s: %s", path, strerror(errno));
	return -1;
}

enum sites_found
sites_find(struct ctx *c, const char *id, struct site *out)
{
	const char *path = fileio_path(c->arena, sites_folder(c), "list");
	char *text = MAP_FAILED;
	struct stat st;
	bool found;
	int fd = open_list(path);

	if (fd < 0)
		return SITES_UNKNOWN;
	if (fstat(fd, &st) == 0 && st.st_size == 0) {
		close(fd);
		return SITES_NONE;
	}
	/* Of a long list a few pages are looked at. It is replaced, never written. */
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (text == MAP_FAILED) {
		log_line("%s: %s", path, strerror(errno));
		return SITES_UNKNOWN;
	}
	found = strlen(id) == SITES_ID && find_in(c, text, (size_t)st.st_size, id, out);
	munmap(text, (size_t)st.st_size);
	return found ? SITES_FOUND : SITES_NONE;
}

bool
sites_has_origin(const struct site *s, const char *origin)
{
	size_t len = strlen(origin);
	const char *at = s->origins;

	while (len > 0 && *at == ' ') {
		size_t n = strcspn(++at, " ");
		if (n == len && memcmp(at, origin, len) == 0)
			return true;
		at += n;
	}
	return false;
}

int64_t
sites_local(const struct site *s, int64_t at)
{
	bool later = s->changes_at != 0 && at >= s->changes_at * CLOCK_SECOND;

	return at + (later ? s->later_offset_s : s->offset_s) * CLOCK_SECOND;
}
