#include "system/unsaved.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/filelock.h"
#include "system/instance.h"

#define PREFIX "edit-"
#define LOCK ".lock"

enum { SUFFIX = 3 }; /* bytes of ".md" */

static const char *
lock_path(struct ctx *c, const char *path)
{
	return arena_printf(c->arena, "%s" LOCK, path);
}

int
unsaved_make(struct ctx *c, const char *slug, const char *text, size_t len, struct unsaved *out)
{
	char *path = arena_printf(c->arena, "%s/" PREFIX "%s-XXXXXX.md", c->instance->run, slug);
	int fd = mkostemps(path, SUFFIX, 0), error = 0;
	pid_t holder;

	if (fd < 0)
		return errno;
	if (!fileio_write_all(fd, text, len))
		error = errno;
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error != 0) {
		unlink(path);
		return error;
	}
	out->path = path;
	out->lock = filelock_take(lock_path(c, path), &holder);
	return 0;
}

static void
remove_with(const char *path, const char *suffix)
{
	char beside[4096];
	size_t len = strlen(path) + strlen(suffix);

	if (len >= sizeof(beside))
		return;
	stpcpy(stpcpy(beside, path), suffix);
	unlink(beside);
}

void
unsaved_keep(struct unsaved *u)
{
	remove_with(u->path, LOCK);
	if (u->lock >= 0)
		filelock_release(u->lock);
	u->lock = -1;
}

void
unsaved_remove(struct unsaved *u)
{
	unlink(u->path);
	remove_with(u->path, "~");
	unsaved_keep(u);
}

/* Returns whether the file belongs to an editor: a text, or one of the editor's
 * own files (".edit-….md.swp"). */
static bool
is_ours(const char *name)
{
	if (name[0] == '.')
		name++;
	return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

/* Returns whether a command that is alive has the text of this file open. */
static bool
is_open(struct ctx *c, const char *path)
{
	size_t len = strlen(path), suffix = strlen(LOCK);
	struct stat st;

	if (len > suffix && strcmp(path + len - suffix, LOCK) == 0)
		return filelock_holder(path) != 0;
	path = lock_path(c, path);
	return lstat(path, &st) == 0 && filelock_holder(path) != 0;
}

/* Returns whether the file is "edit-SLUG-XXXXXX.md". */
static bool
is_text_of(const char *name, const char *slug)
{
	size_t prefix = strlen(PREFIX), len = strlen(slug);

	return strncmp(name, PREFIX, prefix) == 0 && strncmp(name + prefix, slug, len) == 0 &&
	       name[prefix + len] == '-' && strlen(name) == prefix + len + strlen("-XXXXXX.md") &&
	       strcmp(name + strlen(name) - SUFFIX, ".md") == 0;
}

void
unsaved_list(struct ctx *c, const char *slug, void (*each)(void *arg, const char *path), void *arg)
{
	DIR *folder = opendir(c->instance->run);
	const struct dirent *entry;
	const char *path;

	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL) {
		if (!is_text_of(entry->d_name, slug))
			continue;
		path = fileio_path(c->arena, c->instance->run, entry->d_name);
		if (!is_open(c, path))
			each(arg, path);
	}
	closedir(folder);
}

void
unsaved_sweep(struct ctx *c)
{
	int64_t oldest = clock_now() / CLOCK_SECOND - (int64_t)UNSAVED_DAYS * 24 * 3600;
	DIR *folder = opendir(c->instance->run);
	const struct dirent *entry;
	const char *path;
	struct stat st;

	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL) {
		if (!is_ours(entry->d_name))
			continue;
		path = fileio_path(c->arena, c->instance->run, entry->d_name);
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_mtime < oldest &&
		    !is_open(c, path))
			unlink(path);
	}
	closedir(folder);
}
