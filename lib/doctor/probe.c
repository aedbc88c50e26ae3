#include "doctor/probe.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/instance.h"

/* Of all ways together. */
#define PATHS_MAX ((size_t)16 * PATH_MAX)

static const char *
path_of(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/console/%s", c->instance->run, name);
}

/* Returns the path without links, or as it is where the system does not tell. */
static const char *
real_path(struct ctx *c, const char *path)
{
	char *real = realpath(path, NULL);
	char *out = arena_text(c->arena, real != NULL ? real : path);

	for (size_t len = strlen(out); len > 1 && out[len - 1] == '/';)
		out[--len] = '\0';
	free(real);
	return out;
}

/* The ways by which run/ is served; the texts are in the arena. */
struct ways {
	const char *run; /* its path without links */
	const char *paths; /* lines, as probe_below() returns them */
};

static bool
has_line(const char *lines, const char *line)
{
	size_t len = strlen(line), size;

	for (;; lines += size + 1) {
		size = strcspn(lines, "\n");
		if (size == len && memcmp(lines, line, len) == 0)
			return true;
		if (lines[size] == '\0')
			return false;
	}
}

/* Adds a way if run/ is below `folder`, which is served at the path `at`. */
static void
add_way(struct ctx *c, struct ways *w, const char *at, const char *folder)
{
	const char *real = folder[0] == '/' ? real_path(c, folder) : "", *path;
	size_t len = strlen(real);

	if (len == 1)
		len = 0;
	if (real[0] == '\0' || strncmp(w->run, real, len) != 0 || w->run[len] != '/')
		return;
	path = arena_printf(c->arena, "%s/%s/console", at, w->run + len + 1);
	path += strspn(path, "/");
	if (strchr(path, '\n') != NULL || has_line(w->paths, path))
		return;
	w->paths =
	    arena_printf(c->arena, "%s%s%s", w->paths, w->paths[0] != '\0' ? "\n" : "", path);
}

/* Adds the folders above a program whose path ends as its address does. */
static void
add_program(struct ctx *c, struct ways *w, const char *address, const char *file)
{
	char *at = arena_text(c->arena, address), *folder = arena_text(c->arena, file);
	char *at_end, *folder_end;

	for (;;) {
		at_end = strrchr(at, '/');
		folder_end = strrchr(folder, '/');
		if (at_end == NULL || folder_end == NULL || strcmp(at_end, folder_end) != 0)
			return;
		*at_end = *folder_end = '\0';
		add_way(c, w, at, folder[0] != '\0' ? folder : "/");
	}
}

/* Returns the value of a variable, or "". */
static const char *
variable(char *const *variables, const char *name)
{
	size_t len = strlen(name);

	for (; *variables != NULL; variables++) {
		if (strncmp(*variables, name, len) == 0 && (*variables)[len] == '=')
			return *variables + len + 1;
	}
	return "";
}

const char *
probe_below(struct ctx *c, char *const *variables)
{
	struct ways w = { .run = real_path(c, c->instance->run), .paths = "" };

	add_way(c, &w, "", variable(variables, "DOCUMENT_ROOT"));
	add_way(c, &w, variable(variables, "CONTEXT_PREFIX"),
	    variable(variables, "CONTEXT_DOCUMENT_ROOT"));
	add_program(
	    c, &w, variable(variables, "SCRIPT_NAME"), variable(variables, "SCRIPT_FILENAME"));
	return w.paths[0] != '\0' ? w.paths : NULL;
}

void
probe_ask(struct ctx *c, const char *below)
{
	const char *path = path_of(c, "probe.asked");

	if (!fileio_make_folder(fileio_folder(c->arena, path), 0700) ||
	    !fileio_replace(c->arena, path, below, strlen(below), 0600))
		log_line("%s: %s", path, strerror(errno));
}

bool
probe_is_closed(struct ctx *c, const char *below)
{
	const char *path = path_of(c, "probe.closed"), *noted;
	struct stat st;
	int64_t age;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 077) != 0)
		return false;
	age = clock_now() - (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND;
	noted = fileio_read_own(c->arena, path, PATHS_MAX, NULL);
	return noted != NULL && strcmp(noted, below) == 0 && age < CLOCK_DAY && age > -CLOCK_DAY;
}

const char *
probe_asked(struct ctx *c)
{
	const char *text = fileio_read_own(c->arena, path_of(c, "probe.asked"), PATHS_MAX, NULL);

	return text != NULL && text[0] != '\0' ? text : NULL;
}

void
probe_note(struct ctx *c, const char *below, bool closed)
{
	const char *path = path_of(c, "probe.closed");

	if (closed ? !fileio_replace(c->arena, path, below, strlen(below), 0600)
		   : unlink(path) != 0 && errno != ENOENT)
		log_line("%s: %s", path, strerror(errno));
	(void)unlink(path_of(c, "probe.asked"));
}
