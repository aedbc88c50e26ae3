/* The Markdown files below a folder. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "import/import.h"

#define DEPTH_MAX 64

static void
add(struct arena *a, struct import_paths *n, const char *name)
{
	if (n->count == n->room) {
		size_t room = n->room == 0 ? 64 : 2 * n->room;
		n->items = arena_grow(a, n->items,
		    n->room * sizeof(*n->items), room * sizeof(*n->items));
		n->room = room;
	}
	n->items[n->count++] = name;
}

static bool
is_markdown(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot != name &&
	    (strcasecmp(dot, ".md") == 0 || strcasecmp(dot, ".markdown") == 0);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What a name that is not UTF-8 comes to. */
static struct err *
meet_odd(struct ctx *c, const char *path, struct import_paths *odd)
{
	struct stat st;

	if (is_markdown(path) || (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)))
		return refuse(c, ERR_INVALID,
		    "%s: this name is not UTF-8 text: rename it.", path);
	add(c->arena, odd, path);
	return NULL;
}

/* The names in a folder, in the order of their bytes. */
static struct err *
read_folder(struct ctx *c, const char *path, struct import_paths *out,
    struct import_paths *odd)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	struct err *err = NULL;

	if (dir == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", path,
		    strerror(errno));
	while (err == NULL && (entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		if (name[0] == '.')
			continue;
		if (utf8_valid(name, strlen(name)))
			add(c->arena, out, arena_text(c->arena, name));
		else
			err = meet_odd(c, arena_printf(c->arena, "%s/%s", path,
			    name), odd);
	}
	closedir(dir);
	if (out->count > 0)
		qsort(out->items, out->count, sizeof(*out->items), by_bytes);
	return err;
}

static struct err *
walk(struct ctx *c, const char *path, int depth, struct import_paths *files,
    struct import_paths *odd)
{
	struct import_paths names = { NULL, 0, 0 };
	struct err *err;
	struct stat st;

	if (depth > DEPTH_MAX)
		return refuse(c, ERR_INVALID, "%s: folders nest too deep.",
		    path);
	err = read_folder(c, path, &names, odd);
	for (size_t i = 0; i < names.count && err == NULL; i++) {
		const char *below = arena_printf(c->arena, "%s/%s", path,
		    names.items[i]);
		/* What is gone by now is told when it is read. */
		if (lstat(below, &st) == 0 && S_ISDIR(st.st_mode))
			err = walk(c, below, depth + 1, files, odd);
		else if (is_markdown(below))
			add(c->arena, files, below);
	}
	return err;
}

/* A path without the slashes at its end. */
static const char *
trimmed(struct ctx *c, const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return arena_text_n(c->arena, path, len);
}

struct err *
import_walk(struct ctx *c, const char *path, struct import_paths *files,
    struct import_paths *odd)
{
	struct stat st;

	path = trimmed(c, path);
	if ((stat(path, &st) != 0 || access(path, R_OK) != 0) &&
	    errno == EACCES)
		return refuse(c, ERR_INVALID, "%s: %s. It is read as the"
		    " instance's owner: put it where that user may read it.",
		    path, strerror(errno));
	if (stat(path, &st) != 0)
		return refuse(c, ERR_INVALID, "%s: %s.", path,
		    strerror(errno));
	if (S_ISDIR(st.st_mode))
		return walk(c, path, 0, files, odd);
	add(c->arena, files, path);
	return NULL;
}
