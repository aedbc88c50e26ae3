#include "backup/archive.h"

#include <blake2.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/pepper.h"
#include "article/media.h"
#include "backup/tar.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "job/scratch.h"
#include "people/secret.h"
#include "stats/stats.h"
#include "store/db.h"
#include "store/hosts.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/work.h"

/* The names of the people's files in an archive, and in a folder where it is unpacked. */
#define ARCHIVE_PEOPLE "people/console.db"

/* The counts of readers in an archive. */
#define ARCHIVE_STATS "stats/stats.db"

#define PEPPERS_MAX ((size_t)4 * PEPPER_SIZE)
#define LEFTOVER_AFTER_S 86400

const char *
archive_time(struct ctx *c)
{
	char at[CLOCK_TEXT];
	char *plain = arena_alloc(c->arena, CLOCK_TEXT);
	size_t n = 0;

	clock_format_seconds(at, clock_now());
	for (const char *p = at; *p != '\0'; p++) {
		if (*p != '-' && *p != ':')
			plain[n++] = *p;
	}
	plain[n] = '\0';
	return plain;
}

const char *
archive_beside(struct ctx *c, const char *what, const char *extension)
{
	return arena_printf(
	    c->arena, "%s/db/%s-%s.%s", c->instance->home, what, archive_time(c), extension);
}

static struct err *
cannot(struct ctx *c, const char *path)
{
	return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
}

/* Adds a file of the instance under `name`. A missing file is left out if `may_lack`. */
static struct err *
add_file(struct archive *a, const char *name, const char *path, bool may_lack)
{
	struct tar *t = &a->tar;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct err *err;
	struct stat st;

	if (fd < 0 && errno == ENOENT && may_lack)
		return NULL;
	if (fd < 0)
		return cannot(t->c, path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		err = refuse(t->c, ERR_INTERNAL, "%s is no plain file.", path);
	else
		err = tar_add_fd(t, name, fd, st.st_size, st.st_mtim.tv_sec * CLOCK_SECOND);
	close(fd);
	return err;
}

static void
look_at_pepper(struct ctx *c, struct archive_pepper *p)
{
	p->bytes = fileio_read_now(c->arena, c->instance->pepper, PEPPERS_MAX, &p->len);
	if (p->bytes == NULL)
		p->len = 0;
}

/* Adds the pepper. It must be the one from before the archive was begun: while a
 * restore changes database and pepper one after the other, a copy could get two
 * that do not belong together. */
static struct err *
add_pepper(struct archive *a)
{
	struct ctx *c = a->c;
	const struct archive_pepper *before = &a->pepper;
	struct archive_pepper now;

	look_at_pepper(c, &now);
	if (!a->damaged && now.len == 0)
		return cannot(c, c->instance->pepper);
	if (!a->damaged && now.len == before->len && now.len != PEPPER_SIZE &&
	    now.len != (size_t)2 * PEPPER_SIZE)
		return refuse(c, ERR_INTERNAL,
		    "%s must have %d bytes: no key works without it. Restore a backup that has it.",
		    c->instance->pepper, PEPPER_SIZE);
	if (!a->damaged && (now.len != PEPPER_SIZE || now.len != before->len ||
			       memcmp(now.bytes, before->bytes, now.len) != 0))
		return refuse(
		    c, ERR_CONFLICT, "A restore is at work: make the backup when it is done.");
	if (now.len == 0)
		return NULL;
	return tar_add(&a->tar, "pepper", now.bytes, now.len, clock_now());
}

struct err *
archive_add_secrets(struct archive *a)
{
	struct err *err = add_pepper(a);

	return err != NULL ? err : add_file(a, "galley.conf", a->c->instance->conf, true);
}

struct err *
archive_add_database(struct archive *a, const char *copy)
{
	(void)FAULT("archive-copied");
	return add_file(a, "galley.db", copy, false);
}

static bool
is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* Refuses a place from which the web server could serve the file: a backup holds
 * every secret, a dump everything else. */
struct err *
archive_check_place(struct ctx *c, const char *path)
{
	const struct instance *i = c->instance;
	const char *folder = fileio_folder(c->arena, path);
	bool apart = strcmp(i->home, i->programs) != 0;
	char real[PATH_MAX];

	if (realpath(folder, real) == NULL)
		return cannot(c, folder);
	if (is_below(real, arena_printf(c->arena, "%s/htdocs", i->programs)) ||
	    (apart && is_below(real, i->programs) && !is_below(real, i->home)))
		return refuse(c, ERR_INVALID,
		    "%s is served by the web server, and this is not for everybody: it must be elsewhere.",
		    real);
	return NULL;
}

void
archive_sweep(struct ctx *c, const char *folder, const char *name)
{
	const char *prefix = arena_printf(c->arena, ".%s", name);
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	const char *path;
	struct stat st;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		path = arena_printf(c->arena, "%s/%s", folder, entry->d_name);
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    time(NULL) - st.st_mtime > LEFTOVER_AFTER_S)
			unlink(path);
	}
	closedir(dir);
}

struct err *
archive_make_room(struct ctx *c, struct scratch *out, const char **copy)
{
	static const char *const ends[] = { "", "-journal", "-wal", "-shm" };
	int fault = scratch_make(c, out);

	if (fault != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", out->path, strerror(fault));
	/* No file but the instance's database is called galley.db: tests know
	 * files by their names. */
	*copy = arena_printf(c->arena, "%s/copy.db", out->path);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		interrupt_remove(arena_printf(c->arena, "%s%s", *copy, ends[i]));
	interrupt_remove(out->path);
	return NULL;
}

struct err *
archive_begin(
    struct ctx *c, const struct work *work, const char *path, bool damaged, struct archive *a)
{
	*a = (struct archive) { .c = c, .work = work, .damaged = damaged, .file.fd = -1 };
	TRY(archive_check_place(c, path));
	fresh_sweep(c, fileio_folder(c->arena, path));
	TRY(fresh_make(c, path, &a->file));
	if (a->file.name != NULL)
		interrupt_remove(a->file.name);
	look_at_pepper(c, &a->pepper);
	tar_init(&a->tar, c, a->file.fd, path);
	work_begin(work, "Writing", WORK_BYTES, 0);
	a->tar.work = work;
	return NULL;
}

struct err *
archive_end(struct archive *a, bool replace)
{
	struct err *err = tar_end(&a->tar);

	work_end(a->work);
	a->facts.bytes = a->tar.written;
	(void)FAULT("archive-written");
	return err != NULL ? err : fresh_put(a->c, &a->file, replace);
}

struct err *
archive_back_to(struct archive *a, int64_t place)
{
	if (ftruncate(a->file.fd, place) != 0 || lseek(a->file.fd, place, SEEK_SET) != place)
		return cannot(a->c, a->file.path);
	a->tar.written = place;
	return NULL;
}

void
archive_drop(struct archive *a)
{
	if (a->file.fd >= 0)
		work_end(a->work);
	fresh_drop(&a->file);
}

/* Refuses when the work must stop. Call it between two steps. */
static struct err *
may_go_on(struct archive *a)
{
	if (!work_must_stop(a->work))
		return NULL;
	return work_stopped(a->c, "%s was not written.", a->file.path);
}

/* ---- its people, and the counts of readers */

/* Adds the copy at `copy`, and the secret that belongs to it: only a restore replaces
 * the secret. */
static struct err *
add_people_copy(struct archive *a, const char *copy)
{
	struct ctx *c = a->c;
	const char *wrong = db_copy_console_to(c, copy);
	struct err *err;

	if (wrong != NULL)
		return refuse(
		    c, ERR_INTERNAL, "%s cannot be copied: %s.", db_console_path(c), wrong);
	(void)FAULT("archive-people");
	err = add_file(a, ARCHIVE_PEOPLE, copy, false);
	if (err == NULL)
		err = add_file(a, ARCHIVE_SECRET,
		    arena_printf(c->arena, "%s/people/secret", c->instance->home), false);
	a->facts.people = err == NULL;
	return err;
}

struct err *
archive_add_people(struct archive *a)
{
	struct ctx *c = a->c;
	int64_t place = a->tar.written;
	struct scratch scratch;
	const char *copy;
	struct err *err;

	if (!secret_exists(c))
		return NULL;
	TRY(archive_make_room(c, &scratch, &copy));
	err = add_people_copy(a, copy);
	scratch_remove(&scratch);
	if (err == NULL || !a->damaged)
		return err;
	work_tell(a->work, "people/ is left out: %s", err->message);
	return archive_back_to(a, place);
}

static struct err *
add_stats_copy(struct archive *a, const char *copy)
{
	struct ctx *c = a->c;
	const char *wrong = db_copy_views_to(c, copy);
	struct err *err;

	if (wrong != NULL)
		return refuse(
		    c, ERR_INTERNAL, "%s cannot be copied: %s.", db_file_of(c, DB_STATS), wrong);
	err = add_file(a, ARCHIVE_STATS, copy, false);
	a->facts.stats = err == NULL;
	return err;
}

/* Adds the counts of readers, if there are any. */
static struct err *
add_stats(struct archive *a)
{
	struct scratch scratch;
	const char *copy;
	struct err *err;

	if (!stats_is_ready(a->c))
		return NULL;
	TRY(archive_make_room(a->c, &scratch, &copy));
	err = add_stats_copy(a, copy);
	scratch_remove(&scratch);
	return err;
}

/* ---- its pictures */

#define LEFT_AFTER_S 3600 /* a picture that is this old is not being written any more */

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns whether the name is among the first `count`, which are in order. */
static bool
has(const struct archive_facts *f, int64_t count, const char *name)
{
	return count > 0 &&
	       bsearch(&name, f->names, (size_t)count, sizeof(*f->names), by_name) != NULL;
}

static bool
is_damaged(const struct archive_facts *f, const char *name)
{
	for (size_t i = 0; i < f->damaged_count; i++) {
		if (strcmp(f->damaged[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Add the name of a picture, or a damaged picture, to the facts; sort the names;
 * return whether a name is among the sorted names. */
static void
note_name(struct ctx *c, struct archive_facts *f, const char *name)
{
	size_t n = (size_t)f->media, size = sizeof(*f->names);

	if ((n & (n - 1)) == 0) /* the room doubles at each power of two */
		f->names = arena_grow(c->arena, f->names, n * size, (n + n + (n == 0)) * size);
	f->names[f->media++] = arena_text(c->arena, name);
}

static void
note_damaged(struct ctx *c, struct archive_facts *f, const char *name, const char *why)
{
	size_t size = sizeof(*f->damaged);

	f->damaged = arena_grow(
	    c->arena, f->damaged, f->damaged_count * size, (f->damaged_count + 1) * size);
	f->damaged[f->damaged_count++] =
	    (struct archive_damaged) { arena_text(c->arena, name), why };
}

/* Returns whether the picture is lost: its bytes are others, or it is missing. A
 * file that only cannot be read now (because of modes or descriptors) is not
 * lost. */
static bool
is_lost(int error)
{
	return error == EFBIG || error == ENOENT || error == EIO;
}

static struct err *
cannot_read(struct ctx *c, const char *name, const char *fault)
{
	const char *path = media_path(c, name);

	if (errno == EISDIR || errno == ELOOP)
		return refuse(c, ERR_INTERNAL, "%s is no plain file.", path);
	return refuse(c, ERR_INTERNAL, "%s: %s.", path, fault);
}

/* Adds one picture, if its bytes are those that its name says. `scratch` holds
 * its bytes. */
static struct err *
add_picture(struct archive *a, struct arena *scratch, const char *name)
{
	struct ctx *c = a->c;
	struct arena *kept = c->arena;
	const void *bytes;
	const char *fault;
	struct stat st;
	size_t len;

	c->arena = scratch;
	bytes = media_read(c, name, &len, &fault);
	c->arena = kept;
	if (bytes == NULL && !is_lost(errno))
		return cannot_read(c, name, fault);
	if (bytes == NULL) {
		note_damaged(c, &a->facts, name, fault);
		return NULL;
	}
	note_name(c, &a->facts, name);
	if (lstat(media_path(c, name), &st) != 0)
		st.st_mtim.tv_sec = 0;
	return tar_add(&a->tar, arena_printf(scratch, "media/%s", name), bytes, len,
	    st.st_mtim.tv_sec * CLOCK_SECOND);
}

/* Removes ".<digest>.<ext>.<uuid>", which a process that died while it wrote a
 * picture left. */
static void
sweep(struct ctx *c, const char *name)
{
	size_t len = strlen(name), tail = UUID_TEXT; /* length of "." and the uuid */
	const char *path = media_path(c, name);
	struct stat st;

	if (name[0] != '.' || len <= tail + 1 ||
	    media_digest_of(c, arena_text_n(c->arena, name + 1, len - tail - 1)) == NULL)
		return;
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && time(NULL) - st.st_mtime > LEFT_AFTER_S)
		unlink(path);
}

/* Fetches a picture of which this host has no copy. One that cannot be fetched is told of later. */
static void
fetch(void *arg, const char *name)
{
	struct ctx *c = arg;
	struct arena scratch, *kept = c->arena;
	const char *fault;
	size_t len;

	if (access(media_path(c, name), F_OK) == 0)
		return;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	c->arena = &scratch;
	(void)media_read(c, name, &len, &fault);
	c->arena = kept;
	arena_release(&scratch);
}

void
archive_fetch_pictures(struct ctx *c)
{
	if (db_has_hosts())
		media_list(c, fetch, c);
}

static void
sort_names(struct archive_facts *f)
{
	if (f->media > 0)
		qsort(f->names, (size_t)f->media, sizeof(*f->names), by_name);
}

struct err *
archive_add_pictures(struct archive *a)
{
	struct ctx *c = a->c;
	DIR *dir = opendir(c->instance->media);
	struct arena scratch;
	int64_t known = a->facts.media;
	const struct dirent *entry;
	struct err *err = NULL;

	if (dir == NULL && errno == ENOENT)
		return NULL;
	if (dir == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", c->instance->media, strerror(errno));
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	while (err == NULL && (entry = readdir(dir)) != NULL) {
		if (media_digest_of(c, entry->d_name) != NULL &&
		    !has(&a->facts, known, entry->d_name) && !is_damaged(&a->facts, entry->d_name))
			err = add_picture(a, &scratch, entry->d_name);
		else
			sweep(c, entry->d_name);
		if (err == NULL)
			err = may_go_on(a);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	closedir(dir);
	sort_names(&a->facts);
	return err;
}

bool
archive_has_name(const struct archive_facts *f, const char *name)
{
	return has(f, f->media, name);
}

static void
find_missing(void *arg, const char *name)
{
	struct archive *a = arg;

	if (!has(&a->facts, a->facts.media, name) && !is_damaged(&a->facts, name))
		note_damaged(a->c, &a->facts, name, "the file is missing");
}

void
archive_find_missing(struct archive *a)
{
	/* This needs no transaction: a transaction would ask for this release's
	 * schema. */
	media_list(a->c, find_missing, a);
}

void
archive_tell_damaged(
    struct ctx *c, const struct work *work, const struct archive_facts *f, const char *path)
{
	for (size_t i = 0; i < f->damaged_count; i++)
		work_tell(work, "the picture %s is damaged and is not in %s: %s.",
		    f->damaged[i].name, path, f->damaged[i].why);
	if (f->damaged_count > 0)
		work_tell(work, "%s",
		    hint_say(c,
			f->damaged_count == 1
			    ? "give that picture again, or restore a backup that has it."
			    : "give those pictures again, or restore a backup that has them.",
			HINT_PICTURE, NULL));
}

/* ---- writing all of it */

/* Adds everything. The copy of the database was made first, so pictures that were
 * added later do no harm. */
static struct err *
add_all(struct archive *a, const char *copy)
{
	struct ctx *c = a->c;
	const char *wrong = a->damaged ? db_copy_pages_to(c, copy) : db_copy_to(c, copy);

	if (wrong != NULL)
		return refuse(c, ERR_INTERNAL, "The database cannot be copied: %s.", wrong);
	TRY(may_go_on(a));
	TRY(archive_add_database(a, copy));
	TRY(archive_add_secrets(a));
	TRY(archive_add_people(a));
	if (a->stats)
		TRY(add_stats(a));
	if (!a->damaged)
		archive_fetch_pictures(c);
	TRY(archive_add_pictures(a));
	if (!a->damaged && db_is_ours(c) && db_version(c) > 0)
		archive_find_missing(a);
	return NULL;
}

/* Adds everything while no picture can be removed that the copy of the database
 * names. */
static struct err *
add_all_held(struct archive *a, const char *copy)
{
	int held = media_hold(a->c, false);
	struct err *err;

	if (held < 0)
		return cannot(a->c, "run/media.lock");
	db_copies_begin(a->c);
	err = add_all(a, copy);
	db_copies_end(a->c);
	filelock_release(held);
	return err;
}

struct err *
archive_write(struct ctx *c, const struct work *work, const char *path, bool damaged, bool replace,
    bool stats, struct archive_facts *facts)
{
	struct scratch scratch;
	const char *copy;
	struct archive a;
	struct err *err;

	TRY(archive_make_room(c, &scratch, &copy));
	err = archive_begin(c, work, path, damaged, &a);
	a.stats = stats;
	if (err == NULL)
		err = add_all_held(&a, copy);
	scratch_remove(&scratch);
	if (err == NULL)
		err = archive_end(&a, replace);
	if (err != NULL)
		archive_drop(&a);
	*facts = a.facts;
	return err;
}

/* ---- reading */

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
cannot_read_file(struct ctx *c, const char *path)
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
			err = cannot_read_file(t->c, path);
	}
	blake2b_final(&state, digest, DIGEST_BYTES);
	return err;
}

/* Writes the present file to a new file, durably. */
static struct err *
unpack(struct tar *t, const char *path, mode_t mode, unsigned char digest[DIGEST_BYTES])
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	if (fd < 0)
		return cannot_read_file(t->c, path);
	TRY(read_file(t, fd, path, digest));
	if (fchmod(fd, mode) != 0 || fsync(fd) != 0)
		return cannot_read_file(t->c, path);
	if (close(fd) != 0)
		return cannot_read_file(t->c, path);
	return NULL;
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
		return cannot_read_file(c, room);
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
		    c, ERR_INVALID, "%s is not a backup of Galley: it holds %s.", t->path, t->name);
	(void)FAULT("archive-media");
	if (room != NULL) {
		err = unpack_media(t, name, want, room, &good);
	} else {
		err = read_file(t, -1, t->path, digest);
		good = err == NULL && is_same(want, digest);
	}
	if (err == NULL && good)
		note_name(c, facts, name);
	else if (err == NULL)
		note_damaged(c, facts, name, MEDIA_CHANGED);
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
		    t->c, ERR_INVALID, "%s is not a backup of Galley: it holds %s.", t->path, name);
	return read_media(t, name + 6, room, facts);
}

static struct err *
read_all(struct tar *t, const char *folder, const char *room, struct archive_facts *facts)
{
	struct met met = { .database = false };
	bool more;

	for (;;) {
		TRY(tar_next(t, &more));
		if (!more)
			break;
		TRY(read_one(t, folder, room, &met, facts));
		if (work_must_stop(t->work))
			return work_stopped(
			    t->c, "%s was not read to its end; nothing was changed.", t->path);
	}
	if (!met.database || !met.pepper)
		return refuse(t->c, ERR_INVALID, "%s is not a backup of Galley: it lacks %s.",
		    t->path, met.database ? "the pepper" : "galley.db");
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
		return cannot_read_file(c, path);
	if (fstat(fd, &st) == 0)
		facts->bytes = st.st_size;
	tar_init(&t, c, fd, path);
	work_begin(work, "Reading", WORK_BYTES, facts->bytes);
	t.work = work;
	err = read_all(&t, folder, room, facts);
	work_end(work);
	close(fd);
	sort_names(facts);
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
		    "%s is there already and is not a backup of Galley: nothing was written. Name another file.",
		    path);
	*made_at = st.st_mtim.tv_sec * CLOCK_SECOND;
	return NULL;
}
