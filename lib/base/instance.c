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

/* The path by which the kernel started the program: absolute, or a bare name in
 * the current folder, as mod_cgid does it. NULL when it is of another form, or
 * names a link: then /proc knows better, at five times the price. */
static const char *
started_as(struct arena *a)
{
	const char *name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	char folder[PATH_MAX];
	struct stat st;

	if (name == NULL || strstr(name, "/.") != NULL)
		return NULL;
	if (strchr(name, '/') == NULL &&
	    getcwd(folder, sizeof(folder)) != NULL && folder[0] == '/')
		name = arena_printf(a, "%s/%s", folder, name);
	if (name[0] != '/' || lstat(name, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	return name;
}

static const char *
program_folder(struct arena *a)
{
	const char *name = started_as(a);
	char path[PATH_MAX];
	ssize_t len;

	if (name != NULL)
		return fileio_folder(a, name);
	len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (len <= 0)
		die("/proc/self/exe: %s", strerror(errno));
	path[len] = '\0';
	return fileio_folder(a, path);
}

/* The path in the file `instance`, or NULL where there is no such file. */
static struct err *
pointed_at(struct ctx *c, const char *folder, const char **home)
{
	const char *path = arena_printf(c->arena, "%s/instance", folder);
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
		char real[PATH_MAX];
		if (realpath(dir, real) == NULL)
			return refuse(c, ERR_INTERNAL, "%s: %s.", dir,
			    strerror(errno));
		out->home = arena_text(a, real);
		out->programs = out->home;
	} else {
		err = pointed_at(c, folder, &out->home);
		if (err != NULL)
			return err;
		if (out->home == NULL)
			out->home = out->programs;
	}
	out->conf = arena_printf(a, "%s/galley.conf", out->home);
	out->db = arena_printf(a, "%s/db/galley.db", out->home);
	out->pepper = arena_printf(a, "%s/db/pepper", out->home);
	out->run = arena_printf(a, "%s/run", out->home);
	out->log = arena_printf(a, "%s/log", out->home);
	out->media = arena_printf(a, "%s/htdocs/media", out->programs);
	return NULL;
}
