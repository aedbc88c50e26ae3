#include "backup/tar.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/work.h"

#define CHUNK 65536
#define OCTAL_MAX INT64_C(0100000000000) /* 8 GiB: eleven octal digits */
#define PAX_MAX 65536
#define SIZE_LAST                                                                                  \
	(INT64_MAX - TAR_BLOCK) /* the largest size that is a number with
                                           * its padding */

/* A header block (IEEE 1003.1, pax: ustar interchange format). */
struct header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char checksum[8];
	char type;
	char linkname[100];
	char magic[6];
	char version[2];
	char uname[32];
	char gname[32];
	char major[8];
	char minor[8];
	char prefix[155];
	char unused[12];
};

_Static_assert(sizeof(struct header) == TAR_BLOCK, "a header is one block");

void
tar_init(struct tar *t, struct ctx *c, int fd, const char *path)
{
	memset(t, 0, sizeof(*t));
	t->c = c;
	t->fd = fd;
	t->path = path;
}

static void
tell_progress(struct tar *t, size_t len)
{
	if (t->work != NULL)
		work_step(t->work, (int64_t)len);
}

static struct err *
put(struct tar *t, const void *bytes, size_t len)
{
	if (!fileio_write_all(t->fd, bytes, len))
		return refuse(t->c, ERR_INTERNAL, "%s: %s.", t->path, strerror(errno));
	t->written += (int64_t)len;
	tell_progress(t, len);
	return NULL;
}

static int64_t
padding_of(int64_t size)
{
	return (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK;
}

static struct err *
pad(struct tar *t, int64_t size)
{
	static const char zeroes[TAR_BLOCK];

	return put(t, zeroes, (size_t)padding_of(size));
}

/* Writes a number as `width` - 1 octal digits and a NUL. */
static void
octal(char *field, size_t width, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%0*" PRIo64, (int)width - 1, (uint64_t)value);
	memcpy(field, text, width);
}

static unsigned
sum_of(const struct header *h)
{
	const unsigned char *p = (const unsigned char *)h;
	unsigned sum = 0;

	for (size_t i = 0; i < TAR_BLOCK; i++) {
		bool own =
		    i >= offsetof(struct header, checksum) && i < offsetof(struct header, type);
		sum += own ? ' ' : p[i];
	}
	return sum;
}

/* Writes a name; a long one is divided at a slash (ustar). */
static void
put_name(struct header *h, const char *name)
{
	size_t len = strlen(name), half = 0;

	if (len <= TAR_NAME_MAX) {
		memcpy(h->name, name, len);
		return;
	}
	while (half < sizeof(h->prefix) && name[half] != '\0' &&
	       (name[half] != '/' || len - half - 1 > TAR_NAME_MAX))
		half++;
	if (half == sizeof(h->prefix) || name[half] == '\0')
		BUG("a name of %zu bytes in an archive", len);
	memcpy(h->prefix, name, half);
	memcpy(h->name, name + half + 1, len - half - 1);
}

static struct err *
put_header(struct tar *t, const char *name, char type, int64_t size, int64_t at)
{
	struct header h;

	memset(&h, 0, sizeof(h));
	put_name(&h, name);
	octal(h.mode, sizeof(h.mode), 0600);
	octal(h.uid, sizeof(h.uid), 0);
	octal(h.gid, sizeof(h.gid), 0);
	octal(h.size, sizeof(h.size), size < OCTAL_MAX ? size : 0);
	octal(h.mtime, sizeof(h.mtime), at / CLOCK_SECOND);
	h.type = type;
	memcpy(h.magic, "ustar", 6);
	memcpy(h.version, "00", 2);
	octal(h.checksum, sizeof(h.checksum) - 1, sum_of(&h));
	h.checksum[7] = ' ';
	return put(t, &h, sizeof(h));
}

/* Writes a pax header with the size of the next file. The length in a record
 * counts itself. */
static struct err *
put_large(struct tar *t, const char *name, int64_t size, int64_t at)
{
	char record[64];
	int len = snprintf(record, sizeof(record), "%d size=%" PRId64 "\n", 22, size);
	struct err *err;

	len = snprintf(record, sizeof(record), "%d size=%" PRId64 "\n", len, size);
	err = put_header(t, name, 'x', len, at);
	if (err == NULL)
		err = put(t, record, (size_t)len);
	return err != NULL ? err : pad(t, len);
}

static struct err *
begin_file(struct tar *t, const char *name, int64_t size, int64_t at)
{
	struct err *err = NULL;

	if (size >= OCTAL_MAX)
		err = put_large(t, name, size, at);
	return err != NULL ? err : put_header(t, name, '0', size, at);
}

struct err *
tar_add(struct tar *t, const char *name, const void *bytes, size_t len, int64_t at)
{
	struct err *err = begin_file(t, name, (int64_t)len, at);

	if (err == NULL)
		err = put(t, bytes, len);
	return err != NULL ? err : pad(t, (int64_t)len);
}

struct err *
tar_add_fd(struct tar *t, const char *name, int fd, int64_t size, int64_t at)
{
	struct err *err = begin_file(t, name, size, at);
	int64_t left = size;
	char chunk[CHUNK];
	ssize_t got;

	while (err == NULL && left > 0) {
		got = read(fd, chunk, left < CHUNK ? (size_t)left : CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return refuse(t->c, ERR_INTERNAL, "%s: %s.", name,
			    got < 0 ? strerror(errno) : "it became shorter while it was read");
		left -= got;
		err = put(t, chunk, (size_t)got);
	}
	return err != NULL ? err : pad(t, size);
}

struct err *
tar_end(struct tar *t)
{
	static const char zeroes[2 * TAR_BLOCK];

	return put(t, zeroes, sizeof(zeroes));
}

/* Reads `len` bytes. *whole becomes false at the end of the file. */
static struct err *
get(struct tar *t, void *into, size_t len, bool *whole)
{
	char *p = into;

	*whole = false;
	while (len > 0) {
		ssize_t got = read(t->fd, p, len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return refuse(t->c, ERR_INTERNAL, "%s: %s.", t->path, strerror(errno));
		if (got == 0)
			return NULL;
		p += got;
		len -= (size_t)got;
		tell_progress(t, (size_t)got);
	}
	*whole = true;
	return NULL;
}

static struct err *
refuse_cut(struct tar *t)
{
	return refuse(t->c, ERR_INVALID, "%s ends in the middle: it was cut off.", t->path);
}

static struct err *
skip(struct tar *t, int64_t count)
{
	struct err *err = NULL;
	char chunk[CHUNK];
	bool whole = true;

	while (count > 0 && err == NULL && whole) {
		size_t part = count < CHUNK ? (size_t)count : CHUNK;
		err = get(t, chunk, part, &whole);
		count -= (int64_t)part;
	}
	if (err == NULL && !whole)
		return refuse_cut(t);
	return err;
}

/* Returns a number of a header: octal digits, or GNU's 0x80 and big-endian bytes;
 * -1 for anything else. */
static int64_t
number(const char *field, size_t width)
{
	const unsigned char *p = (const unsigned char *)field;
	int64_t value = 0;
	size_t i = 0;

	if (p[0] == 0x80) {
		for (i = 1; i < width; i++) {
			if (value > INT64_MAX >> 8)
				return -1;
			value = value << 8 | p[i];
		}
		return value;
	}
	while (i < width && field[i] == ' ')
		i++;
	for (; i < width && field[i] >= '0' && field[i] <= '7'; i++)
		value = value << 3 | (field[i] - '0');
	if (i < width && field[i] != '\0' && field[i] != ' ')
		return -1;
	return value;
}

static bool
is_empty(const struct header *h)
{
	const char *p = (const char *)h;

	for (size_t i = 0; i < TAR_BLOCK; i++) {
		if (p[i] != '\0')
			return false;
	}
	return true;
}

/* Reads a whole number that can be the size of a file. */
static bool
read_size(const char *digits, int64_t *size)
{
	char *end;

	errno = 0;
	*size = strtoll(digits, &end, 10);
	return errno == 0 && end != digits && *end == '\0' && *size >= 0 && *size <= SIZE_LAST;
}

/* Takes size and path from the records of a pax header, "LENGTH KEY=VALUE\n".
 * Returns false if one is broken or its path is too long. Changes `text`. */
static bool
take_records(struct tar *t, char *text, int64_t *size)
{
	char *end;

	while (*text != '\0') {
		long len = strtol(text, &end, 10);
		const char *record = end + 1;
		if (len <= end - text || *end != ' ' || (size_t)len > strlen(text) ||
		    text[len - 1] != '\n')
			return false;
		text[len - 1] = '\0';
		if (strncmp(record, "size=", 5) == 0 && !read_size(record + 5, size))
			return false;
		if (strncmp(record, "path=", 5) == 0 &&
		    snprintf(t->name, sizeof(t->name), "%s", record + 5) >= (int)sizeof(t->name))
			return false;
		text += len;
	}
	return true;
}

static struct err *
read_records(struct tar *t, int64_t len, int64_t *size)
{
	struct err *err;
	bool whole;
	char *text;

	if (len < 0 || len > PAX_MAX)
		return refuse(
		    t->c, ERR_INVALID, "%s has a header of %" PRId64 " bytes.", t->path, len);
	text = arena_alloc(t->c->arena, (size_t)len + 1);
	err = get(t, text, (size_t)len, &whole);
	if (err == NULL && !whole)
		return refuse_cut(t);
	if (err == NULL && !take_records(t, text, size))
		return refuse(t->c, ERR_INVALID, "%s has a header that cannot be read.", t->path);
	return err != NULL ? err : skip(t, padding_of(len));
}

/* Reads the next header into *h. *more becomes false at the end of the archive. */
static struct err *
get_header(struct tar *t, struct header *h, bool *more)
{
	TRY(get(t, h, sizeof(*h), more));
	if (!*more)
		return refuse_cut(t);
	*more = !is_empty(h);
	if (*more && (number(h->checksum, sizeof(h->checksum)) != sum_of(h) ||
			 memcmp(h->magic, "ustar", 5) != 0))
		return refuse(t->c, ERR_INVALID, "%s is no tar archive, or is damaged.", t->path);
	return NULL;
}

static struct err *
begin_reading(struct tar *t, const struct header *h, int64_t size)
{
	bool divided = memcmp(h->magic, "ustar", 6) == 0 && h->prefix[0] != '\0';

	if (t->name[0] == '\0')
		snprintf(t->name, sizeof(t->name), "%.*s%s%.*s",
		    divided ? (int)sizeof(h->prefix) : 0, h->prefix, divided ? "/" : "",
		    (int)sizeof(h->name), h->name);
	t->size = size >= 0 ? size : number(h->size, sizeof(h->size));
	if (t->size < 0 || t->size > SIZE_LAST)
		return refuse(
		    t->c, ERR_INVALID, "%s: the size of %s is damaged.", t->path, t->name);
	t->left = t->size;
	t->padding = padding_of(t->size);
	return NULL;
}

struct err *
tar_next(struct tar *t, bool *more)
{
	struct err *err = skip(t, t->left + t->padding);
	struct header h;
	int64_t size = -1;

	t->left = t->padding = 0;
	t->name[0] = '\0';
	while (err == NULL) {
		err = get_header(t, &h, more);
		if (err != NULL || !*more)
			return err;
		if (h.type == '0' || h.type == '\0')
			return begin_reading(t, &h, size);
		if (h.type == 'x' || h.type == 'g')
			err = read_records(t, number(h.size, sizeof(h.size)), &size);
		else if (h.type != '5')
			return refuse(
			    t->c, ERR_INVALID, "%s holds more than plain files.", t->path);
	}
	return err;
}

struct err *
tar_read(struct tar *t, void *into, size_t len, size_t *got)
{
	struct err *err;
	bool whole;

	*got = t->left < (int64_t)len ? (size_t)t->left : len;
	err = get(t, into, *got, &whole);
	if (err == NULL && !whole)
		return refuse_cut(t);
	t->left -= (int64_t)*got;
	return err;
}
