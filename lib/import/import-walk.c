/* Finds the Markdown files below a folder. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "import/import.h"

#define DEPTH_MAX 64

/* A folder below the one that the caller named: `name` is its path from there, ""
 * for the named folder itself. */
struct place {
	const struct beneath *folder;
	const char *path; /* its path as messages show it */
	const char *name;
};

static struct place
inside(struct ctx *c, const struct place *place, const char *name)
{
	return (struct place) { place->folder, fileio_path(c->arena, place->path, name),
		place->name[0] == '\0' ? name : fileio_path(c->arena, place->name, name) };
}

static void
add(struct arena *a, struct import_paths *n, const struct place *place)
{
	if (n->count == n->room) {
		size_t room = n->room == 0 ? 64 : 2 * n->room;
		n->items =
		    arena_grow(a, n->items, n->room * sizeof(*n->items), room * sizeof(*n->items));
		n->room = room;
	}
	n->items[n->count++] = (struct import_path) { place->path, place->folder, place->name };
}

/* Returns whether the file is Markdown: NAME.md or NAME.markdown, in any case. */
static bool
is_markdown(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot != name &&
	       (strcasecmp(dot, ".md") == 0 || strcasecmp(dot, ".markdown") == 0);
}

/* An entry of a folder. */
struct entry {
	const char *name;
	bool is_folder, is_link;
	bool to_folder; /* it is a link to a folder */
};

struct entries {
	struct entry *list;
	size_t count, room;
};

static int
by_bytes(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void
add_entry(struct arena *a, struct entries *n, const struct entry *entry)
{
	if (n->count == n->room) {
		size_t room = n->room == 0 ? 64 : 2 * n->room;
		n->list =
		    arena_grow(a, n->list, n->room * sizeof(*n->list), room * sizeof(*n->list));
		n->room = room;
	}
	n->list[n->count++] = *entry;
}

/* Handles a name that is not UTF-8: for a Markdown file or a folder the import is
 * refused; any other is only listed as odd. */
static struct err *
meet_odd(
    struct ctx *c, const struct place *place, const struct entry *entry, struct import_paths *odd)
{
	if (is_markdown(entry->name) || entry->is_folder)
		return refuse(
		    c, ERR_INVALID, "%s: this name is not UTF-8 text: rename it.", place->path);
	add(c->arena, odd, place);
	return NULL;
}

/* Looks at one name. A file that is gone by now is reported when it is read. */
static struct entry
look(struct arena *a, int folder, const char *name)
{
	struct entry entry = { .name = arena_text(a, name) };
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return entry;
	entry.is_folder = S_ISDIR(st.st_mode);
	entry.is_link = S_ISLNK(st.st_mode);
	entry.to_folder =
	    entry.is_link && fstatat(folder, name, &st, 0) == 0 && S_ISDIR(st.st_mode);
	return entry;
}

/* Reads the names in a folder, ordered by their bytes. */
static struct err *
read_folder(struct ctx *c, const struct place *place, struct entries *out, struct import_paths *odd)
{
	int fd = beneath_file(c->arena, place->folder, place->name, NULL);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct err *err = NULL;

	if (dir == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", place->path,
		    beneath_reason(c->arena, place->folder, errno));
	while (err == NULL && (entry = readdir(dir)) != NULL) {
		struct entry found;
		struct place below;
		if (entry->d_name[0] == '.')
			continue;
		found = look(c->arena, fd, entry->d_name);
		below = inside(c, place, found.name);
		if (utf8_valid(found.name, strlen(found.name)))
			add_entry(c->arena, out, &found);
		else
			err = meet_odd(c, &below, &found, odd);
	}
	closedir(dir);
	if (out->count > 0)
		qsort(out->list, out->count, sizeof(*out->list), by_bytes);
	return err;
}

/* Returns whether the entry is a link to a folder outside the one that the caller
 * named. */
static bool
leads_out(struct ctx *c, const struct place *place, const struct entry *entry)
{
	int fd = entry->to_folder ? beneath_file(c->arena, place->folder, place->name, NULL) : -1;

	if (fd >= 0)
		close(fd);
	return entry->to_folder && fd < 0 && errno == EXDEV;
}

/* Adds the Markdown files of a folder and of the folders in it, in the order of
 * their paths. */
static struct err *
walk(struct ctx *c, const struct place *place, int depth, struct import_paths *files,
    struct import_paths *odd)
{
	struct entries entries = { NULL, 0, 0 };
	struct err *err;

	if (depth > DEPTH_MAX)
		return refuse(c, ERR_INVALID, "%s: folders nest too deep.", place->path);
	err = read_folder(c, place, &entries, odd);
	for (size_t i = 0; i < entries.count && err == NULL; i++) {
		const struct entry *entry = &entries.list[i];
		struct place below = inside(c, place, entry->name);
		if (entry->is_folder)
			err = walk(c, &below, depth + 1, files, odd);
		else if (leads_out(c, &below, entry) ||
			 (is_markdown(entry->name) && !entry->to_folder))
			add(c->arena, files, &below);
	}
	return err;
}

/* Returns a path without the slashes at its end. */
static const char *
trimmed(struct ctx *c, const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return arena_text_n(c->arena, path, len);
}

/* Opens the folder that the caller named, or the folder of a named file. If it is
 * the last file's folder, it is used again: the files of one folder follow each
 * other. */
static const struct beneath *
named(struct ctx *c, const char *folder, const struct import_paths *files)
{
	struct beneath *out = arena_alloc(c->arena, sizeof(*out));
	const struct beneath *last =
	    files->count == 0 ? NULL : files->items[files->count - 1].folder;

	if (!beneath_open(c->arena, folder, out))
		return NULL;
	return last != NULL && strcmp(last->path, out->path) == 0 ? last : out;
}

struct err *
import_walk(struct ctx *c, const char *path, struct import_paths *files, struct import_paths *odd)
{
	struct place place = { .path = trimmed(c, path), .name = "" };
	struct stat st;
	bool is_folder;

	path = place.path;
	if ((stat(path, &st) != 0 || access(path, R_OK) != 0) && errno == EACCES)
		return refuse(c, ERR_INVALID,
		    "%s: %s. It is read as the instance's owner: put it where that user may read it.",
		    path, strerror(errno));
	if (stat(path, &st) != 0)
		return refuse(c, ERR_INVALID, "%s: %s.", path, strerror(errno));
	is_folder = S_ISDIR(st.st_mode);
	place.folder = named(c, is_folder ? path : fileio_folder(c->arena, path), files);
	if (place.folder == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", path, strerror(errno));
	if (is_folder)
		return walk(c, &place, 0, files, odd);
	place.name = fileio_name(path);
	add(c->arena, files, &place);
	return NULL;
}
