#include "command/archive.h"

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
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fault.h"
#include "base/fileio.h"
#include "base/filelock.h"
#include "base/instance.h"
#include "base/uuid.h"
#include "command/progress.h"
#include "command/tar.h"
#include "store/db.h"

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
	return arena_printf(c->arena, "%s/db/%s-%s.%s", c->instance->home,
	    what, archive_time(c), extension);
}

/* A path beside `path` that no other process uses. */
static const char *
fresh_beside(struct ctx *c, const char *path)
{
	char id[UUID_TEXT];

	uuid_random(id);
	return arena_printf(c->arena, "%s/.%s.%s",
	    fileio_folder(c->arena, path), fileio_name(path), id);
}

static struct err *
cannot(struct ctx *c, const char *path)
{
	return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
}

/* Adds a file of the instance under `name`; one that is not there is passed
 * over where that is lawful. */
static struct err *
add_file(struct tar *t, const char *name, const char *path, bool may_lack)
{
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
		err = tar_add_fd(t, name, fd, st.st_size,
		    st.st_mtim.tv_sec * CLOCK_SECOND);
	close(fd);
	return err;
}

static struct err *
add_media(struct tar *t, int64_t *count)
{
	struct ctx *c = t->c;
	DIR *dir = opendir(c->instance->media);
	const struct dirent *entry;
	struct err *err = NULL;

	if (dir == NULL && errno == ENOENT)
		return NULL;
	if (dir == NULL)
		return cannot(c, c->instance->media);
	while (err == NULL && (entry = readdir(dir)) != NULL) {
		if (media_digest_of(c, entry->d_name) == NULL)
			continue;
		err = add_file(t,
		    arena_printf(c->arena, "media/%s", entry->d_name),
		    media_path(c, entry->d_name), true);
		(*count)++;
	}
	closedir(dir);
	return err;
}

/* The pepper as it was before the database was copied, and as it is now: while a
 * restore changes them one after the other, a copy could hold two that do not
 * belong together. */
struct peppers {
	const char *before;
	size_t len; /* of it; 0: it cannot be read */
};

static void
look_at_pepper(struct ctx *c, struct peppers *p)
{
	p->before = fileio_read(c->arena, c->instance->pepper, PEPPERS_MAX,
	    &p->len);
	if (p->before == NULL)
		p->len = 0;
}

static struct err *
add_pepper(struct tar *t, const struct peppers *p, bool damaged)
{
	struct ctx *c = t->c;
	struct peppers now;

	look_at_pepper(c, &now);
	if (!damaged && now.len == 0)
		return cannot(c, c->instance->pepper);
	if (!damaged && now.len == p->len && now.len != PEPPER_SIZE &&
	    now.len != (size_t)2 * PEPPER_SIZE)
		return refuse(c, ERR_INTERNAL, "%s must have %d bytes: no key"
		    " works without it. Restore a backup that has it.",
		    c->instance->pepper, PEPPER_SIZE);
	if (!damaged && (now.len != PEPPER_SIZE || now.len != p->len ||
			    memcmp(now.before, p->before, now.len) != 0))
		return refuse(c, ERR_CONFLICT, "A restore is at work: make the"
		    " backup when it is done.");
	if (now.len == 0)
		return NULL;
	return tar_add(t, "pepper", now.before, now.len, clock_now());
}

/* The database goes first as a copy; media that came after it are harmless. */
static struct err *
add_all(struct tar *t, bool damaged, const char *copy,
    struct archive_facts *facts)
{
	struct ctx *c = t->c;
	struct peppers peppers;
	const char *wrong;
	struct err *err;

	look_at_pepper(c, &peppers);
	wrong = damaged ? db_copy_pages_to(c, copy) : db_copy_to(c, copy);
	if (wrong != NULL)
		return refuse(c, ERR_INTERNAL,
		    "The database cannot be copied: %s.", wrong);
	(void)FAULT("archive-copied");
	err = add_file(t, "galley.db", copy, false);
	if (err == NULL)
		err = add_pepper(t, &peppers, damaged);
	if (err == NULL)
		err = add_file(t, "galley.conf", c->instance->conf, true);
	if (err == NULL)
		err = add_media(t, &facts->media);
	return err != NULL ? err : tar_end(t);
}

static bool
is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 &&
	    (path[len] == '/' || path[len] == '\0');
}

/* A backup holds every secret, a dump all the rest: never where the web server looks. */
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
		    "%s is served by the web server, and this is not for"
		    " everybody: it must be elsewhere.", real);
	return NULL;
}

/* Gives the finished file its name, durably. */
static struct err *
put_in_place(struct ctx *c, int fd, const char *fresh, const char *path)
{
	(void)FAULT("archive-written");
	if (fsync(fd) != 0 || rename(fresh, path) != 0 ||
	    !fileio_sync_folder(fileio_folder(c->arena, path)))
		return cannot(c, path);
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

/* The same while no picture is removed that the copy of the database names. */
static struct err *
add_all_held(struct tar *t, bool damaged, const char *copy,
    struct archive_facts *facts)
{
	int held = media_hold(t->c, false);
	struct err *err;

	if (held < 0)
		return cannot(t->c, "run/media.lock");
	err = add_all(t, damaged, copy, facts);
	filelock_release(held);
	return err;
}

static struct err *
write_archive(struct ctx *c, const char *path, bool damaged,
    struct archive_facts *facts)
{
	const char *home = arena_printf(c->arena, "%s/db", c->instance->home);
	const char *copy = fresh_beside(c,
	    arena_printf(c->arena, "%s/copy", home));
	const char *fresh = fresh_beside(c, path);
	struct err *err = archive_check_place(c, path);
	struct progress progress;
	struct tar t;
	int fd;

	memset(facts, 0, sizeof(*facts));
	if (err != NULL)
		return err;
	archive_sweep(c, home, "copy.");
	fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return cannot(c, path);
	tar_init(&t, c, fd, path);
	progress_begin(&progress, "Writing", PROGRESS_BYTES, 0);
	t.progress = &progress;
	err = add_all_held(&t, damaged, copy, facts);
	progress_end(&progress);
	unlink(copy);
	facts->bytes = t.written;
	if (err == NULL)
		err = put_in_place(c, fd, fresh, path);
	close(fd);
	if (err != NULL)
		unlink(fresh);
	return err;
}

struct err *
archive_write(struct ctx *c, const char *path, struct archive_facts *facts)
{
	return write_archive(c, path, false, facts);
}

struct err *
archive_write_damaged(struct ctx *c, const char *path,
    struct archive_facts *facts)
{
	return write_archive(c, path, true, facts);
}
