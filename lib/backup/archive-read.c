/* Reads a backup from a tar (archive.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <blake2.h>

#include "access/pepper.h"
#include "article/media.h"
#include "backup/archive.h"
#include "backup/tar.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "people/secret.h"
#include "system/fault.h"
#include "system/work.h"

#define CHUNK 65536
#define CONF_MAX 65536
#define DIGEST_BYTES 32
#define HEAD 263 /* the bytes of a tar that are read: as far as its magic */

/* The files of an archive that were met so far. */
struct met {
	bool database;
	bool pepper;
	bool conf;
	bool people;
	bool secret;
	bool stats;
};

static struct err *
cannot(struct ctx *c, const char *path)
{
	return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
}

/* Reads the present file to its end, with the digest of its bytes. Writes it to
 * `fd` unless that is -1. */
static struct err *
read_file(struct tar *t, int fd, const char *path, unsigned char digest[DIGEST_BYTES])
{
	struct err *err = NULL;
	blake2b_state state;
	unsigned char chunk[CHUNK];
	size_t got = 1;

	blake2b_init(&state, DIGEST_BYTES);
	while (err == NULL && got > 0) {
		err = tar_read(t, chunk, sizeof(chunk), &got);
		if (err != NULL)
			break;
		blake2b_update(&state, chunk, got);
		if (fd >= 0 && !fileio_write_all(fd, chunk, got))
			err = cannot(t->c, path);
	}
	blake2b_final(&state, digest, DIGEST_BYTES);
	return err;
}

/* Writes the present file to a new file, durably. */
static struct err *
unpack(struct tar *t, const char *path, mode_t mode, unsigned char digest[DIGEST_BYTES])
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	struct err *err;

	if (fd < 0)
		return cannot(t->c, path);
	err = read_file(t, fd, path, digest);
	if (err == NULL && (fchmod(fd, mode) != 0 || fsync(fd) != 0))
		err = cannot(t->c, path);
	if (close(fd) != 0 && err == NULL)
		err = cannot(t->c, path);
	return err;
}

/* Writes the present file into the working folder, as `name`: at most `max` bytes; -1 for
 * any number. */
static struct err *
unpack_as(struct tar *t, const char *folder, const char *name, int64_t max)
{
	unsigned char digest[DIGEST_BYTES];

	if (max >= 0 && t->size > max)
		return refuse(t->c, ERR_INVALID, "%s in %s is too long.", t->name, t->path);
	return unpack(t, arena_printf(t->c->arena, "%s/%s", folder, name), 0600, digest);
}

/* Does the same under the file's own name. */
static struct err *
unpack_into(struct tar *t, const char *folder, int64_t max)
{
	return unpack_as(t, folder, t->name, max);
}

/* Returns whether the bytes have the digest that the name says. */
static bool
is_same(const char *want, const unsigned char digest[DIGEST_BYTES])
{
	char hex[MEDIA_DIGEST];

	digest_hex(hex, digest, DIGEST_BYTES);
	return strcmp(hex, want) == 0;
}

/* Returns whether the media folder has the picture, whole. If the sizes differ,
 * nothing is read. */
static bool
is_there(struct ctx *c, const char *name, int64_t size)
{
	struct arena scratch, *kept = c->arena;
	const char *fault;
	struct stat st;
	size_t len;
	bool whole;

	if (lstat(media_path(c, name), &st) != 0 || st.st_size != size)
		return false;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	c->arena = &scratch;
	whole = media_read(c, name, &len, &fault) != NULL;
	c->arena = kept;
	arena_release(&scratch);
	return whole;
}

/* Writes a media file into `room`, unless the media folder has it, or it was in the archive
 * before. */
static struct err *
unpack_media(struct tar *t, const char *name, const char *want, const char *room, bool *good)
{
	struct ctx *c = t->c;
	const char *path = arena_printf(c->arena, "%s/%s", room, name);
	unsigned char digest[DIGEST_BYTES];
	struct err *err;

	*good = is_there(c, name, t->size) || access(path, F_OK) == 0;
	if (*good)
		return NULL;
	if (mkdir(room, 0700) != 0 && errno != EEXIST)
		return cannot(c, room);
	err = unpack(t, path, 0644, digest);
	*good = err == NULL && is_same(want, digest);
	if (err != NULL || !*good)
		unlink(path);
	return err;
}

static struct err *
read_media(struct tar *t, const char *name, const char *room, struct archive_facts *facts)
{
	struct ctx *c = t->c;
	const char *want = media_digest_of(c, name);
	unsigned char digest[DIGEST_BYTES];
	struct err *err;
	bool good;

	if (want == NULL)
		return refuse(
		    c, ERR_INVALID, "%s is no backup of Galley: it holds %s.", t->path, t->name);
	(void)FAULT("archive-media");
	if (room != NULL) {
		err = unpack_media(t, name, want, room, &good);
	} else {
		err = read_file(t, -1, t->path, digest);
		good = err == NULL && is_same(want, digest);
	}
	if (err == NULL && good)
		archive_note_name(c, facts, name);
	else if (err == NULL)
		archive_note_damaged(c, facts, name, MEDIA_CHANGED);
	return err;
}

/* Returns the name without a "./" at its beginning, which tar(1) writes. */
static const char *
name_of(struct tar *t)
{
	if (strncmp(t->name, "./", 2) == 0)
		memmove(t->name, t->name + 2, strlen(t->name + 2) + 1);
	return t->name;
}

static struct err *
read_one(struct tar *t, const char *folder, const char *room, struct met *met,
    struct archive_facts *facts)
{
	const char *name = name_of(t);

	if (strcmp(name, "galley.db") == 0 && !met->database) {
		met->database = true;
		return unpack_into(t, folder, -1);
	}
	if (strcmp(name, "pepper") == 0 && !met->pepper) {
		met->pepper = t->size == PEPPER_SIZE;
		return unpack_into(t, folder, PEPPER_SIZE);
	}
	if (strcmp(name, "galley.conf") == 0 && !met->conf) {
		met->conf = true;
		return unpack_into(t, folder, CONF_MAX);
	}
	if (strcmp(name, ARCHIVE_PEOPLE) == 0 && !met->people) {
		met->people = true;
		return unpack_as(t, folder, ARCHIVE_PEOPLE_UNPACKED, -1);
	}
	if (strcmp(name, ARCHIVE_SECRET) == 0 && !met->secret) {
		met->secret = t->size == SECRET_SIZE;
		return unpack_as(t, folder, ARCHIVE_SECRET_UNPACKED, SECRET_SIZE);
	}
	if (strcmp(name, ARCHIVE_STATS) == 0 && !met->stats) {
		unsigned char digest[DIGEST_BYTES];
		met->stats = facts->stats = true;
		return read_file(t, -1, t->path, digest);
	}
	if (strncmp(name, "media/", 6) != 0)
		return refuse(
		    t->c, ERR_INVALID, "%s is no backup of Galley: it holds %s.", t->path, name);
	return read_media(t, name + 6, room, facts);
}

static struct err *
read_all(struct tar *t, const char *folder, const char *room, struct archive_facts *facts)
{
	struct met met = { .database = false };
	struct err *err;
	bool more;

	for (;;) {
		err = tar_next(t, &more);
		if (err != NULL)
			return err;
		if (!more)
			break;
		err = read_one(t, folder, room, &met, facts);
		if (err == NULL && work_must_stop(t->work))
			err = work_stopped(
			    t->c, "%s was not read to its end; nothing was changed.", t->path);
		if (err != NULL)
			return err;
	}
	if (!met.database || !met.pepper)
		return refuse(t->c, ERR_INVALID, "%s is no backup of Galley: it lacks %s.", t->path,
		    met.database ? "the pepper" : "galley.db");
	if (met.secret && !met.people)
		return refuse(t->c, ERR_INVALID, "%s is no whole backup: it lacks %s.", t->path,
		    ARCHIVE_PEOPLE);
	/* A backup that was downloaded has no secret (docs/console.md §4.14): its people cannot
	 * sign in anywhere. */
	facts->people = met.secret;
	return NULL;
}

struct err *
archive_read(struct ctx *c, const struct work *work, const char *path, const char *folder,
    const char *room, struct archive_facts *facts)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct err *err;
	struct stat st;
	struct tar t;

	memset(facts, 0, sizeof(*facts));
	if (fd < 0)
		return cannot(c, path);
	if (fstat(fd, &st) == 0)
		facts->bytes = st.st_size;
	tar_init(&t, c, fd, path);
	work_begin(work, "Reading", WORK_BYTES, facts->bytes);
	t.work = work;
	err = read_all(&t, folder, room, facts);
	work_end(work);
	close(fd);
	archive_sort_names(facts);
	return err;
}

static bool
begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Returns whether the file is a backup, by the name of the first file in it. */
static bool
is_backup(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[HEAD] = "";
	const char *name = head;
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, head, sizeof(head));
	close(fd);
	if (got != HEAD || memcmp(head + 257, "ustar", 5) != 0)
		return false;
	head[99] = '\0';
	if (begins(name, "./"))
		name += 2;
	return strcmp(name, "galley.db") == 0 || strcmp(name, "pepper") == 0 ||
	       strcmp(name, "galley.conf") == 0 || begins(name, "media/");
}

struct err *
archive_find_old(struct ctx *c, const char *path, int64_t *made_at)
{
	struct stat st;

	*made_at = -1;
	if (stat(path, &st) != 0 || (S_ISREG(st.st_mode) && st.st_size == 0))
		return NULL;
	if (!S_ISREG(st.st_mode) || !is_backup(path))
		return refuse(c, ERR_CONFLICT,
		    "%s is there already and is no backup of Galley: nothing was written. Name another file.",
		    path);
	*made_at = st.st_mtim.tv_sec * CLOCK_SECOND;
	return NULL;
}
