#include "command/archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pepper.h"
#include "article/media.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fault.h"
#include "base/fileio.h"
#include "base/instance.h"
#include "base/uuid.h"
#include "command/tar.h"
#include "store/db.h"

const char *
archive_beside(struct ctx *c, const char *what, const char *extension)
{
	char at[CLOCK_TEXT], plain[CLOCK_TEXT];
	size_t n = 0;

	clock_format_seconds(at, clock_now());
	for (const char *p = at; *p != '\0'; p++) {
		if (*p != '-' && *p != ':')
			plain[n++] = *p;
	}
	plain[n] = '\0';
	return arena_printf(c->arena, "%s/db/%s-%s.%s", c->instance->home,
	    what, plain, extension);
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

typedef const char *copier(struct ctx *c, const char *path);

/* The database goes first as a copy; media that came after it are harmless. */
static struct err *
add_all(struct tar *t, copier *copy_to, const char *copy,
    struct archive_facts *facts)
{
	struct ctx *c = t->c;
	const char *wrong = copy_to(c, copy);
	struct err *err;

	if (wrong != NULL)
		return refuse(c, ERR_INTERNAL,
		    "The database cannot be copied: %s.", wrong);
	err = add_file(t, "galley.db", copy, false);
	if (err == NULL)
		err = add_file(t, "pepper", c->instance->pepper, false);
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

/* A backup holds every secret: never where the web server looks. */
static struct err *
check_place(struct ctx *c, const char *path)
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
		    "%s is served by the web server: a backup holds every"
		    " secret and must be elsewhere.", real);
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

static struct err *
write_archive(struct ctx *c, const char *path, copier *copy_to,
    struct archive_facts *facts)
{
	const char *fresh = fresh_beside(c, path);
	const char *copy = fresh_beside(c,
	    arena_printf(c->arena, "%s/db/copy", c->instance->home));
	struct err *err = check_place(c, path);
	struct tar t;
	int fd;

	memset(facts, 0, sizeof(*facts));
	if (err != NULL)
		return err;
	fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return cannot(c, path);
	tar_init(&t, c, fd, path);
	err = add_all(&t, copy_to, copy, facts);
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
	return write_archive(c, path, db_copy_to, facts);
}

struct err *
archive_write_damaged(struct ctx *c, const char *path,
    struct archive_facts *facts)
{
	return write_archive(c, path, db_copy_pages_to, facts);
}
