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
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "system/conf.h"
#include "system/instance.h"

#define SECONDS 10 /* for one answer */

void
probe_get(struct ctx *c, const char *url, struct remote_how how, struct probe_answer *out)
{
	struct remote *remote;
	struct err *err;

	how.own = true;
	if (how.limit_s == 0)
		how.limit_s = SECONDS;
	remote = remote_open(c, &how);
	err = remote_get(c, remote, url, &out->of);
	remote_close(remote);
	out->by_client = err != NULL && out->of.reason == NULL;
	out->failure = err == NULL	? NULL
		       : out->by_client ? err->message
					: arena_printf(c->arena, "%s: %s", url, out->of.reason);
}

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

/* Returns the paths that were asked for (arena), or NULL. */
static const char *
asked(struct ctx *c)
{
	const char *text = fileio_read_own(c->arena, path_of(c, "probe.asked"), PATHS_MAX, NULL);

	return text != NULL && text[0] != '\0' ? text : NULL;
}

/* Notes the result for these paths, and that the question is answered. */
static void
note(struct ctx *c, const char *below, bool closed)
{
	const char *path = path_of(c, "probe.closed");

	if (closed ? !fileio_replace(c->arena, path, below, strlen(below), 0600)
		   : unlink(path) != 0 && errno != ENOENT)
		log_line("%s: %s", path, strerror(errno));
	(void)unlink(path_of(c, "probe.asked"));
}

/* ---- for the job runner */

/* Returns whether the file is refused at this address. No answer, a redirect and an answer that
 * holds something else are none. */
static bool
is_refused(struct ctx *c, const char *base, const char *path)
{
	const char *host = strstr(base, "://"), *slash;
	struct probe_answer a;

	slash = host != NULL ? strchr(host + 3, '/') : NULL;
	if (slash != NULL)
		base = arena_text_n(c->arena, base, (size_t)(slash - base));
	probe_get(c, arena_printf(c->arena, "%s/%s", base, percent_encode_path(c->arena, path)),
	    (struct remote_how) { .limit_s = 0 }, &a);
	return a.failure == NULL && (a.of.status == 401 || a.of.status == 403 ||
					a.of.status == 404 || a.of.status == 410);
}

/* Returns whether the file is refused in each of the folders (lines) at this address, which may
 * be "". */
static bool
are_refused(struct ctx *c, const char *base, const char *folders, const char *name)
{
	size_t len;

	for (const char *folder = folders; base[0] != '\0'; folder += len + 1) {
		len = strcspn(folder, "\n");
		if (!is_refused(c, base, arena_printf(c->arena, "%.*s/%s", (int)len, folder, name)))
			return false;
		if (folder[len] == '\0')
			break;
	}
	return true;
}

void
probe_try(struct ctx *c)
{
	const char *below = asked(c), *name, *path;
	struct console_conf own;
	char id[UUID_TEXT];
	bool closed;

	if (below == NULL || c->conf->public_url[0] == '\0')
		return;
	uuid_random(id);
	name = arena_printf(c->arena, "probe-%s.txt", id);
	path = arena_printf(c->arena, "%s/console/%s", c->instance->run, name);
	if (!fileio_replace(c->arena, path, id, strlen(id), 0600))
		return;
	console_conf_read(c, &own);
	closed = are_refused(c, c->conf->public_url, below, name) &&
		 are_refused(c, own.url, below, name) && are_refused(c, own.pages_url, below, name);
	(void)unlink(path);
	note(c, below, closed);
}
