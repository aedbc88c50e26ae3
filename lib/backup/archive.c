#include "backup/archive.h"

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
#include "base/fileio.h"
#include "job/scratch.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/interrupt.h"

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

struct err *
archive_add_file(struct archive *a, const char *name, const char *path, bool may_lack)
{
	struct tar *t = &a->tar;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
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

	return err != NULL ? err : archive_add_file(a, "galley.conf", a->c->instance->conf, true);
}

struct err *
archive_add_database(struct archive *a, const char *copy)
{
	(void)FAULT("archive-copied");
	return archive_add_file(a, "galley.db", copy, false);
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
	struct err *err = archive_check_place(c, path);

	*a = (struct archive) { .c = c, .work = work, .damaged = damaged, .file.fd = -1 };
	if (err != NULL)
		return err;
	fresh_sweep(c, fileio_folder(c->arena, path));
	err = fresh_make(c, path, &a->file);
	if (err != NULL)
		return err;
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

struct err *
archive_ask(struct archive *a)
{
	if (!work_must_stop(a->work))
		return NULL;
	return work_stopped(a->c, "%s was not written.", a->file.path);
}

/* Adds everything. The copy of the database was made first, so pictures that were
 * added later do no harm. */
static struct err *
add_all(struct archive *a, const char *copy)
{
	struct ctx *c = a->c;
	const char *wrong = a->damaged ? db_copy_pages_to(c, copy) : db_copy_to(c, copy);
	struct err *err;

	if (wrong != NULL)
		return refuse(c, ERR_INTERNAL, "The database cannot be copied: %s.", wrong);
	err = archive_ask(a);
	if (err == NULL)
		err = archive_add_database(a, copy);
	if (err == NULL)
		err = archive_add_secrets(a);
	if (err == NULL)
		err = archive_add_people(a);
	if (err == NULL && a->stats)
		err = archive_add_stats(a);
	if (err == NULL && !a->damaged)
		archive_fetch_pictures(c);
	if (err == NULL)
		err = archive_add_pictures(a);
	if (err == NULL && !a->damaged && db_is_ours(c) && db_version(c) > 0)
		archive_find_missing(a);
	return err;
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

	err = archive_make_room(c, &scratch, &copy);
	if (err != NULL)
		return err;
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
