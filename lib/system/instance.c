#include "system/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"

/* Returns the path of `name` in the current folder. Returns NULL if the kernel
 * cannot tell the folder, or if its path is longer than most: a buffer for every
 * path would cost each process a page of the stack. */
static const char *
in_current_folder(struct arena *a, const char *name)
{
	char folder[256];

	if (getcwd(folder, sizeof(folder)) == NULL || folder[0] != '/')
		return NULL;
	return fileio_path(a, folder, name);
}

/* Returns the path by which the kernel started the program: absolute, or a bare
 * name in the current folder, as mod_cgid starts it. Returns NULL if it has
 * another form or names a link: then /proc/self/exe tells the path, at five times
 * the price. */
static const char *
started_as(struct arena *a)
{
	const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	struct stat st;

	if (name == NULL || strstr(name, "/.") != NULL)
		return NULL;
	if (strchr(name, '/') == NULL)
		name = in_current_folder(a, name);
	if (name == NULL || name[0] != '/' || lstat(name, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	return name;
}

static __attribute__((cold, noinline)) const char *
as_proc_knows(struct arena *a)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len <= 0)
		die("/proc/self/exe: %s", strerror(errno));
	path[len] = '\0';
	return arena_text(a, path);
}

static const char *
program_folder(struct arena *a)
{
	const char *name = started_as(a);

	return fileio_folder(a, name != NULL ? name : as_proc_knows(a));
}

/* Sets *out to the path that the file `name` of a folder holds, or to NULL if
 * there is no such file. */
static struct err *
pointed_at(struct ctx *c, const char *folder, const char *name, const char **out)
{
	const char *path = fileio_path(c->arena, folder, name);
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	char *text;

	*out = NULL;
	if (fd < 0 && errno == ENOENT)
		return NULL;
	if (fd < 0 || fstat(fd, &st) != 0)
		return refuse(c, ERR_INTERNAL, "%s cannot be read: %s.", path, strerror(errno));
	text = fileio_read_fd(c->arena, fd, PATH_MAX, NULL);
	close(fd);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return refuse(c, ERR_INTERNAL,
		    "%s belongs to another user; remove it or change its owner.", path);
	if ((st.st_mode & 022) != 0)
		return refuse(
		    c, ERR_INTERNAL, "%s may be written by others; say chmod 644 on it.", path);
	if (text == NULL || text[0] != '/')
		return refuse(c, ERR_INTERNAL, "%s must hold one absolute path.", path);
	text[strcspn(text, "\r\n")] = '\0';
	*out = text;
	return NULL;
}

/* Finds the instance that an operator named: one folder for everything, or either
 * of the two folders of shared hosting. */
static __attribute__((cold, noinline)) struct err *
find_named(struct ctx *c, const char *dir, struct instance *out)
{
	const char *home, *programs = NULL;
	char real[PATH_MAX];
	struct err *err;

	if (realpath(dir, real) == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", dir, strerror(errno));
	out->home = arena_text(c->arena, real);
	out->programs = out->home;
	err = pointed_at(c, fileio_path(c->arena, real, "bin"), "instance", &home);
	if (err == NULL && home == NULL)
		err = pointed_at(c, real, "programs", &programs);
	if (home != NULL)
		out->home = home;
	if (programs != NULL)
		out->programs = programs;
	return err;
}

/* Finds the instance that this executable belongs to. */
static struct err *
find_own(struct ctx *c, struct instance *out)
{
	const char *folder = program_folder(c->arena);
	struct err *err = pointed_at(c, folder, "instance", &out->home);

	out->programs = fileio_folder(c->arena, folder);
	if (err == NULL && out->home == NULL)
		out->home = out->programs;
	return err;
}

struct err *
instance_find(struct ctx *c, const char *dir, struct instance *out)
{
	struct arena *a = c->arena;

	memset(out, 0, sizeof(*out));
	TRY(dir != NULL ? find_named(c, dir, out) : find_own(c, out));
	out->conf = fileio_path(a, out->home, "galley.conf");
	out->db = fileio_path(a, out->home, "db/galley.db");
	out->pepper = fileio_path(a, out->home, "db/pepper");
	out->run = fileio_path(a, out->home, "run");
	out->log = fileio_path(a, out->home, "log");
	out->media = fileio_path(a, out->programs, "htdocs/media");
	return NULL;
}
