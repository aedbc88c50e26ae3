#include "base/instance.h"

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

/* "NAME" where it is; NULL when the kernel cannot say. Its 4 KiB lie on the stack
 * only where they are needed. */
static __attribute__((noinline)) const char *
in_current_folder(struct arena *a, const char *name)
{
	char folder[PATH_MAX];

	if (getcwd(folder, sizeof(folder)) == NULL || folder[0] != '/')
		return NULL;
	return fileio_path(a, folder, name);
}

/* The path by which the kernel started the program: absolute, or a bare name in
 * the current folder, as mod_cgid does it. NULL when it is of another form, or
 * names a link: then /proc knows better, at five times the price. */
static const char *
started_as(struct arena *a)
{
	const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	struct stat st;

	if (name == NULL || strstr(name, "/.") != NULL)
		return NULL;
	if (strchr(name, '/') == NULL)
		name = in_current_folder(a, name);
	if (name == NULL || name[0] != '/' || lstat(name, &st) != 0 ||
	    !S_ISREG(st.st_mode))
		return NULL;
	return name;
}

static __attribute__((noinline)) const char *
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

static __attribute__((noinline)) struct err *
named_folder(struct ctx *c, const char *dir, const char **home)
{
	char real[PATH_MAX];

	if (realpath(dir, real) == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", dir, strerror(errno));
	*home = arena_text(c->arena, real);
	return NULL;
}

/* The path in the file `instance`, or NULL where there is no such file. */
static struct err *
pointed_at(struct ctx *c, const char *folder, const char **home)
{
	const char *path = fileio_path(c->arena, folder, "instance");
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	char *text;

	*home = NULL;
	if (fd < 0 && errno == ENOENT)
		return NULL;
	if (fd < 0 || fstat(fd, &st) != 0)
		return refuse(c, ERR_INTERNAL, "%s cannot be read: %s.", path,
		    strerror(errno));
	text = fileio_read_fd(c->arena, fd, PATH_MAX, NULL);
	close(fd);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return refuse(c, ERR_INTERNAL,
		    "%s belongs to another user; remove it or change its owner.",
		    path);
	if ((st.st_mode & 022) != 0)
		return refuse(c, ERR_INTERNAL,
		    "%s may be written by others; say chmod 644 on it.", path);
	if (text == NULL || text[0] != '/')
		return refuse(c, ERR_INTERNAL,
		    "%s must hold one absolute path.", path);
	text[strcspn(text, "\r\n")] = '\0';
	*home = text;
	return NULL;
}

struct err *
instance_find(struct ctx *c, const char *dir, struct instance *out)
{
	struct arena *a = c->arena;
	const char *folder = program_folder(a);
	struct err *err;

	memset(out, 0, sizeof(*out));
	out->programs = fileio_folder(a, folder);
	if (dir != NULL) {
		err = named_folder(c, dir, &out->home);
		if (err != NULL)
			return err;
		out->programs = out->home;
	} else {
		err = pointed_at(c, folder, &out->home);
		if (err != NULL)
			return err;
		if (out->home == NULL)
			out->home = out->programs;
	}
	out->conf = fileio_path(a, out->home, "galley.conf");
	out->db = fileio_path(a, out->home, "db/galley.db");
	out->pepper = fileio_path(a, out->home, "db/pepper");
	out->run = fileio_path(a, out->home, "run");
	out->log = fileio_path(a, out->home, "log");
	out->media = fileio_path(a, out->programs, "htdocs/media");
	return NULL;
}
