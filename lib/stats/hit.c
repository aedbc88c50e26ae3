#include "stats/hit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/encoding.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/err.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "system/fault.h"
#include "system/instance.h"

#define SEGMENT_NAME 33 /* bytes of a segment's name and a NUL */
#define SEGMENT_SPACE (INT64_C(64) * 1024 * 1024) /* bytes that hits leave free on the disk */

/* ---- lines */

#define WORDS_MAX 12
#define UUID_BYTES 16

/* 1 TIME DAY WORKSPACE ARTICLE PATH REFERRER CAMPAIGN WIDTH LANGUAGE BOT VISITOR, with the
 * UUIDs and the visitor in base64: 12 words, 11 tabs. */
_Static_assert(1 + 10 + 5 + 22 + 22 + HIT_PATH_MAX + HIT_REFERRER_MAX + HIT_CAMPAIGN_MAX +
		       HIT_WIDTH_MAX + HIT_LANGUAGE_MAX + HIT_BOT_MAX + 11 + WORDS_MAX - 1 <=
		   HIT_LINE_MAX,
    "a line holds all of it");

/* ---- writing */

/* Returns the UUID in 22 characters, and a prefix or "" as it is. */
static const char *
packed(struct arena *a, const char *uuid)
{
	unsigned char bytes[UUID_BYTES];
	size_t count = 0;

	if (strlen(uuid) <= HIT_PREFIX)
		return uuid;
	for (const char *p = uuid; *p != '\0' && count < UUID_BYTES; p++) {
		if (*p == '-')
			continue;
		bytes[count++] = (unsigned char)(percent_digit(p[0]) << 4 | percent_digit(p[1]));
		p++;
	}
	return base64_encode(a, bytes, sizeof(bytes));
}

static void
check(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ')
			BUG("a control character in a hit");
	}
}

size_t
hit_write(struct arena *a, const struct hit *h, char line[HIT_LINE_MAX + 1])
{
	int len = snprintf(line, HIT_LINE_MAX + 1, "%d\t%" PRId64 "\t%" PRId64 "\t%s", (int)h->kind,
	    h->at / CLOCK_SECOND, h->day, packed(a, h->workspace));

	if (h->kind != HIT_VIEW)
		return (size_t)len;
	check(h->path);
	check(h->referrer);
	check(h->campaign);
	len += snprintf(line + len, (size_t)(HIT_LINE_MAX + 1 - len),
	    "\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", packed(a, h->article), h->path, h->referrer,
	    h->campaign, h->width, h->language, h->bot, base64_encode(a, h->visitor, HIT_VISITOR));
	if (len > HIT_LINE_MAX)
		BUG("a hit of %d bytes", len);
	return (size_t)len;
}

/* ---- reading */

/* Splits a line into words. Returns how many there are, or 0 if there are too many. */
static size_t
split(char *line, const char *words[WORDS_MAX])
{
	size_t count = 0;

	while (count < WORDS_MAX) {
		char *tab = strchr(line, '\t');

		words[count++] = line;
		if (tab == NULL)
			return count;
		*tab = '\0';
		line = tab + 1;
	}
	return 0;
}

static bool
read_number(const char *word, int64_t max, int64_t *out)
{
	*out = 0;
	if (word[0] == '\0')
		return false;
	for (; *word != '\0'; word++) {
		if (*word < '0' || *word > '9')
			return false;
		*out = *out * 10 + (*word - '0');
		if (*out > max)
			return false;
	}
	return true;
}

/* Reads bytes of a fixed length in base64. */
static bool
read_bytes(struct arena *a, const char *word, void *out, size_t size)
{
	size_t len;
	const unsigned char *bytes = base64_decode(a, word, &len);

	if (bytes == NULL || len != size)
		return false;
	memcpy(out, bytes, size);
	return true;
}

static bool
read_uuid(struct arena *a, const char *word, char out[UUID_TEXT])
{
	unsigned char bytes[UUID_BYTES];
	char hex[2 * UUID_BYTES + 1];

	if (!read_bytes(a, word, bytes, sizeof(bytes)))
		return false;
	digest_hex(hex, bytes, sizeof(bytes));
	(void)snprintf(out, UUID_TEXT, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12,
	    hex + 16, hex + 20);
	return true;
}

/* Reads the UUID of an article, its prefix, or nothing. */
static bool
read_article(struct arena *a, const char *word, char out[UUID_TEXT])
{
	size_t len = strlen(word);

	if (len != 0 && len != HIT_PREFIX)
		return read_uuid(a, word, out);
	memcpy(out, word, len + 1);
	return strspn(word, "0123456789abcdef") == len;
}

static bool
read_text(const char *word, size_t max, char *out)
{
	size_t len = strlen(word);

	if (len > max)
		return false;
	memcpy(out, word, len + 1);
	return true;
}

static bool
read_words(struct arena *a, const char *const *words, size_t count, struct hit *out)
{
	int64_t kind;

	if (count < 4 || !read_number(words[0], HIT_WITHOUT_CONSENT, &kind) || kind == 0 ||
	    !read_number(words[1], INT64_MAX / CLOCK_SECOND / 100, &out->at) ||
	    !read_number(words[2], 99999, &out->day) || !read_uuid(a, words[3], out->workspace))
		return false;
	out->at *= CLOCK_SECOND;
	out->kind = (enum hit_kind)kind;
	if (kind != HIT_VIEW)
		return count == 4;
	return count == WORDS_MAX && read_article(a, words[4], out->article) &&
	       words[5][0] == '/' && read_text(words[5], HIT_PATH_MAX, out->path) &&
	       read_text(words[6], HIT_REFERRER_MAX, out->referrer) &&
	       read_text(words[7], HIT_CAMPAIGN_MAX, out->campaign) &&
	       read_text(words[8], HIT_WIDTH_MAX, out->width) &&
	       read_text(words[9], HIT_LANGUAGE_MAX, out->language) &&
	       read_text(words[10], HIT_BOT_MAX, out->bot) &&
	       read_bytes(a, words[11], out->visitor, HIT_VISITOR);
}

bool
hit_read(struct arena *a, const char *line, size_t len, struct hit *out)
{
	char copy[HIT_LINE_MAX + 1];
	const char *words[WORDS_MAX];

	memset(out, 0, sizeof(*out));
	if (len > HIT_LINE_MAX || !utf8_valid(line, len))
		return false;
	memcpy(copy, line, len);
	copy[len] = '\0';
	return read_words(a, words, split(copy, words), out);
}

/* ---- segments */

#define OPEN "open"
#define WRITER_WAIT (2 * CLOCK_SECOND)
#define TRIES 100 /* files that are renamed while one line is written */
#define LIST_MAX 10000 /* segments that one run looks at */

static const char *
path_of(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/hits/%s", c->instance->run, name);
}

const char *
segment_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "hits");
}

/* Waits for the lock until the time of the boot clock. */
static bool
lock(int fd, int64_t until)
{
	const struct timespec pause = { 0, 200 * 1000 };

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		if (clock_boot() >= until) {
			errno = EAGAIN;
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

/* ---- writers */

static int
open_to_write(struct ctx *c, const char *path)
{
	const int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
	int fd = fileio_open(path, flags);

	if (fd < 0 && errno == ENOENT && fileio_make_folder(segment_folder(c), 0700))
		fd = fileio_open(path, flags);
	return fd;
}

/* Returns whether the file that is open and locked still has this path. *size is its size. */
static bool
is_at(int fd, const char *path, off_t *size)
{
	struct stat own, there;

	if (fstat(fd, &own) != 0 || lstat(path, &there) != 0)
		return false;
	*size = own.st_size;
	return own.st_ino == there.st_ino && own.st_dev == there.st_dev;
}

static bool
has_space(int fd)
{
	struct statvfs st;

	return fstatvfs(fd, &st) != 0 ||
	       (int64_t)st.f_bavail * (int64_t)st.f_frsize >= SEGMENT_SPACE;
}

/* Writes under the lock. What was written of a line that does not fit is cut off. */
static bool
write_line(int fd, off_t size, const char *line, size_t len)
{
	int fault = FAULT("hit-write");
	ssize_t wrote;

	if (fault == 0 && !has_space(fd))
		fault = ENOSPC;
	/* A test's full disk takes half of the line. */
	wrote = write(fd, line, fault == 0 ? len : len / 2);
	if (wrote == (ssize_t)len)
		return true;
	fault = fault != 0 ? fault : wrote < 0 ? errno : ENOSPC;
	if (wrote > 0 && ftruncate(fd, size) != 0)
		log_line("hits: %s", strerror(errno));
	errno = fault;
	return false;
}

/* Returns 1 if the line is written, 0 if the file was renamed before, -1 for a fault. */
static int
append_once(struct ctx *c, const char *path, const char *line, size_t len, int64_t until)
{
	int fd = open_to_write(c, path), kept, result = -1;
	off_t size;

	if (fd < 0)
		return -1;
	(void)FAULT("hit-opened");
	if (lock(fd, until)) {
		(void)FAULT("hit-locked");
		if (!is_at(fd, path, &size))
			result = 0;
		else if (write_line(fd, size, line, len))
			result = 1;
	}
	kept = errno;
	(void)FAULT("hit-written");
	close(fd);
	errno = kept;
	return result;
}

bool
segment_append(struct ctx *c, const char *line, size_t len)
{
	char out[SEGMENT_LINE_MAX];
	const char *path = path_of(c, OPEN);
	int64_t until = clock_boot() + WRITER_WAIT;
	int result = 0;

	if (len > sizeof(out) - 2)
		BUG("a hit's line of %zu bytes", len);
	out[0] = '\n';
	memcpy(out + 1, line, len);
	out[len + 1] = '\n';
	for (int i = 0; i < TRIES && result == 0; i++)
		result = append_once(c, path, out, len + 2, until);
	if (result == 0)
		errno = EAGAIN;
	return result > 0;
}

/* ---- the reader */

/* A name is 32 hexadecimal digits: run/hits may hold files of others. */
static bool
is_name(const char *text)
{
	return strlen(text) == SEGMENT_NAME - 1 &&
	       strspn(text, "0123456789abcdef") == SEGMENT_NAME - 1;
}

static bool
is_written(struct ctx *c)
{
	struct stat st;

	return lstat(path_of(c, OPEN), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

bool
segment_is_due(struct ctx *c)
{
	size_t count;

	if (is_written(c))
		return true;
	(void)segment_list(c, &count);
	return count > 0;
}

bool
segment_claim(struct ctx *c)
{
	unsigned char bytes[(SEGMENT_NAME - 1) / 2];
	char name[SEGMENT_NAME];

	if (!is_written(c))
		return true;
	uuid_random_bytes(bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		(void)snprintf(name + 2 * i, 3, "%02x", bytes[i]);
	if (rename(path_of(c, OPEN), path_of(c, name)) != 0) {
		log_line("hits: %s", strerror(errno));
		return errno == ENOENT;
	}
	(void)FAULT("hits-claimed");
	/* Else a power failure could give back the old name to lines that were counted. */
	return segment_settle(c);
}

const char **
segment_list(struct ctx *c, size_t *count)
{
	const char **names = arena_array(c->arena, LIST_MAX + 1, sizeof(*names));
	DIR *dir = opendir(segment_folder(c));
	const struct dirent *entry;

	*count = 0;
	while (dir != NULL && *count < LIST_MAX && (entry = readdir(dir)) != NULL) {
		if (is_name(entry->d_name))
			names[(*count)++] = arena_text(c->arena, entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	names[*count] = NULL;
	return names;
}

int
segment_open(struct ctx *c, const char *name, int64_t until)
{
	const char *path = path_of(c, name);
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	off_t size;

	/* Another reader may have counted and removed it before it gave up the lock. */
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lock(fd, until) &&
	    is_at(fd, path, &size))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool
segment_exists(struct ctx *c, const char *name)
{
	struct stat st;

	return lstat(path_of(c, name), &st) == 0 || errno != ENOENT;
}

void
segment_remove(struct ctx *c, const char *name)
{
	if (unlink(path_of(c, name)) != 0 && errno != ENOENT)
		log_line("hits: %s: %s", name, strerror(errno));
}

bool
segment_settle(struct ctx *c)
{
	if (fileio_sync_folder(segment_folder(c)))
		return true;
	log_line("hits: %s", strerror(errno));
	return false;
}

/* ---- what was refused */

static const char *
refused_path(struct ctx *c)
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
	const char *path = refused_path(c);
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
	int fd = fileio_open(refused_path(c), O_RDONLY | O_NOFOLLOW);

	memset(out, 0, REFUSED_DAYS * sizeof(out[0]));
	if (fd < 0)
		return;
	if (!read_file(fd, out, F_RDLCK))
		memset(out, 0, REFUSED_DAYS * sizeof(out[0]));
	close(fd);
}
