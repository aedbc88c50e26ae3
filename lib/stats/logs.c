#include "stats/logs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"

#define CHUNK 32768
#define GZIP_ALONE (16 + MAX_WBITS) /* no other format of zlib's */

struct unpack {
	z_stream z;
	int fd;
	bool within; /* a member has begun: the file may not end here */
	unsigned char in[CHUNK];
};

/* Begins with an open file, which stays the caller's. NULL: there is no memory. The arena must
 * live until unpack_close(). */
static struct unpack *
unpack_open(struct ctx *c, int fd)
{
	struct unpack *u = arena_alloc(c->arena, sizeof(*u));

	u->fd = fd;
	return inflateInit2(&u->z, GZIP_ALONE) == Z_OK ? u : NULL;
}

/* Reads what is packed. False at the end of the file, and where it cannot be read (errno, else
 * 0). */
static bool
fill(struct unpack *u)
{
	ssize_t got;

	errno = 0;
	do
		got = read(u->fd, u->in, sizeof(u->in));
	while (got < 0 && errno == EINTR);
	u->z.next_in = u->in;
	u->z.avail_in = got > 0 ? (unsigned)got : 0;
	return got > 0;
}

/* Reads at most `max` bytes of what was packed: 0 at the end, -1 (errno) where the file is
 * damaged, ends too early, or cannot be read. */
static ssize_t
unpack_read(struct unpack *u, char *into, size_t max)
{
	unsigned room = max < INT_MAX ? (unsigned)max : INT_MAX;
	int done;

	u->z.next_out = (unsigned char *)into;
	u->z.avail_out = room;
	while (u->z.avail_out == room) {
		if (u->z.avail_in == 0 && !fill(u)) {
			if (errno == 0 && u->within)
				errno = EBADMSG;
			return errno == 0 ? 0 : -1;
		}
		u->within = true;
		done = inflate(&u->z, Z_NO_FLUSH);
		/* Several members may follow each other. */
		if (done == Z_STREAM_END) {
			u->within = false;
			done = inflateReset(&u->z);
		}
		if (done != Z_OK && done != Z_BUF_ERROR) {
			errno = EBADMSG;
			return -1;
		}
	}
	return room - u->z.avail_out;
}

static void
unpack_close(struct unpack *u)
{
	if (u != NULL)
		(void)inflateEnd(&u->z);
}

#define LOGS_CHUNK 65536

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
	char chunk[LOGS_CHUNK];
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

/* ---- a line of requests.log */

/* Returns the next word, NUL-terminated, or "" at the end. Moves *p past the
 * space after it. */
static const char *
word(char **p)
{
	char *start = *p;
	size_t len = strcspn(start, " ");

	*p = start + len + (start[len] == ' ');
	start[len] = '\0';
	return start;
}

/* Returns the value of the next word NAME=VALUE. Returns NULL, and leaves *p, if
 * the next word is another. */
static const char *
value(char **p, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(*p, name, len) != 0 || (*p)[len] != '=')
		return NULL;
	return word(p) + len + 1;
}

/* Reads a whole number, and after it the word `unit` if one is given. Returns
 * false if they are not there. */
static bool
number(char **p, const char *unit, int64_t *out)
{
	char *end;

	*out = strtoll(*p, &end, 10);
	if (end == *p || *end != ' ')
		return false;
	*p = end + 1;
	return unit == NULL || strcmp(word(p), unit) == 0;
}

static void
parse_end(char *p, struct logs_request *out)
{
	size_t len;

	out->revision = value(&p, "x1");
	out->ended = strcmp(p, "end") == 0 || strncmp(p, "end ", 4) == 0;
	out->error = value(&p, "error");
	if (out->error != NULL)
		out->sentence = p;
	len = strlen(p);
	out->kept = out->error == NULL && len >= 4 && strcmp(p + len - 4, "kept") == 0;
}

/* Reads what follows the id. Returns false if it is not what web/serve.c
 * writes. */
static bool
parse_request(char *p, struct logs_request *out)
{
	int64_t status;
	const char *key;

	out->method = word(&p);
	out->target = word(&p);
	if (!number(&p, NULL, &status) || !number(&p, "bytes", &out->bytes) ||
	    !number(&p, "us", &out->took_us) || (key = value(&p, "key")) == NULL)
		return false;
	out->status = (int)status;
	out->key = strtoll(key, NULL, 10);
	out->workspace = value(&p, "workspace");
	out->scope = value(&p, "scope");
	out->lacks = value(&p, "lacks");
	out->limit = value(&p, "limit");
	parse_end(p, out);
	return out->workspace != NULL && out->scope != NULL && out->limit != NULL;
}

bool
logs_parse(struct ctx *c, const char *line, size_t len, struct logs_request *out)
{
	char *p = arena_text_n(c->arena, line, len), *bracket;
	const char *rest;

	memset(out, 0, sizeof(*out));
	out->at = word(&p);
	out->program = word(&p);
	bracket = strchr(out->program, '[');
	if (bracket == NULL || strlen(out->at) < 20)
		return false;
	*bracket = '\0';
	out->process = bracket + 1;
	bracket[1 + strcspn(bracket + 1, "]")] = '\0';
	out->id = word(&p);
	rest = arena_text(c->arena, p);
	if (parse_request(p, out))
		return true;
	out->method = rest;
	return false;
}

/* ---- reading backwards */

#define BACK_CHUNK 65536

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
		int64_t was = b->at, start = was > BACK_CHUNK ? was - BACK_CHUNK : 0;
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
	char *chunk = arena_alloc(c->arena, BACK_CHUNK);
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

/* ---- rotating, on a host without a program that does it */

#define MIB (INT64_C(1024) * 1024)
#define OLD_MAX 200 /* files of a larger log_keep are searched up to this number */

static const char *
numbered(struct ctx *c, const char *path, int64_t n)
{
	return n == 0 ? path : arena_printf(c->arena, "%s.%lld", path, (long long)n);
}

/* Returns the number of the last file of operator.log that is younger than a year, or `keep`
 * if that is more: what was changed, and by whom, is kept that long. */
static int64_t
keep_a_year(struct ctx *c, const char *path, int64_t keep)
{
	int64_t year_ago = clock_now() - 366 * CLOCK_DAY;
	struct stat st;

	for (int64_t n = OLD_MAX - 2; n > keep; n--) {
		if (lstat(numbered(c, path, n), &st) == 0 &&
		    (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND > year_ago)
			return n + 1;
	}
	return lstat(numbered(c, path, keep), &st) == 0 &&
		       (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND > year_ago
		   ? keep + 1
		   : keep;
}

/* Moves each file up one number, as far as the first free number, the oldest file
 * first. A kill in between leaves a gap, which the next rotation fills. */
static void
put_aside(struct ctx *c, const char *path, int64_t keep)
{
	int64_t n = 1;

	for (int64_t old = keep + 1; old < OLD_MAX; old++)
		unlink(numbered(c, path, old));
	while (n < keep && access(numbered(c, path, n), F_OK) == 0)
		n++;
	for (; n > 0; n--) {
		(void)FAULT("log-rename");
		if (rename(numbered(c, path, n - 1), numbered(c, path, n)) != 0)
			log_line("%s: %s", path, strerror(errno));
	}
}

void
logs_rotate(struct ctx *c)
{
	static const char *const names[] = { "requests.log", "operator.log", "runner.log",
		"sign-in.log" };
	struct stat st;

	if (c->conf->log_max_mib == 0)
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = arena_printf(c->arena, "%s/%s", c->instance->log, names[i]);
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    st.st_size > c->conf->log_max_mib * MIB)
			put_aside(c, path,
			    strcmp(names[i], "operator.log") == 0
				? keep_a_year(c, path, c->conf->log_keep)
				: c->conf->log_keep);
	}
	log_follow();
}
