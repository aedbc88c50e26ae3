#include "backup/kept-backups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backup/archive.h"
#include "backup/tar.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "screen/tr.h"
#include "system/instance.h"

#define KEPT_DUMP "dump"

/* What begins the name of a backup (archive_beside()). */
static const char *const whats[] = { KEPT_DUMP, "backup", "before-migrate", "before-restore" };

static const char *
folder_of(struct ctx *c)
{
	return arena_printf(c->arena, "%s/db", c->instance->home);
}

/* Reads the time of a name: "20260901T080000Z". */
static bool
read_time(const char *text, int64_t *at)
{
	static const char form[] = "0000-00-00T00:00:00Z";
	char full[sizeof(form)];

	for (size_t i = 0; i < sizeof(form); i++) {
		bool digit = form[i] == '0';
		if (form[i] == '-' || form[i] == ':') {
			full[i] = form[i];
			continue;
		}
		if (digit ? *text < '0' || *text > '9' : *text != form[i] && form[i] != '\0')
			return false;
		full[i] = form[i] == '\0' ? '\0' : *text++;
	}
	return strcmp(text, ".tar") == 0 && clock_parse(full, at);
}

/* Looks at a file of the folder. Returns false if it is no backup. */
static bool
look_at_file(struct ctx *c, const char *name, struct kept *out)
{
	struct stat st;
	size_t len;

	for (size_t i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
		len = strlen(whats[i]);
		if (strncmp(name, whats[i], len) != 0 || name[len] != '-' ||
		    !read_time(name + len + 1, &out->made_at))
			continue;
		out->name = arena_text(c->arena, name);
		out->path = fileio_path(c->arena, folder_of(c), name);
		out->what = whats[i];
		out->dump = strcmp(whats[i], KEPT_DUMP) == 0;
		if (lstat(out->path, &st) != 0 || !S_ISREG(st.st_mode))
			return false;
		out->bytes = st.st_size;
		return true;
	}
	return false;
}

static int
newest_first(const void *a, const void *b)
{
	const struct kept *one = a, *other = b;

	if (one->made_at != other->made_at)
		return one->made_at < other->made_at ? 1 : -1;
	return strcmp(one->name, other->name);
}

struct kept *
kept_list(struct ctx *c, size_t *count)
{
	struct kept *list = NULL, one;
	DIR *dir = opendir(folder_of(c));
	const struct dirent *entry;
	size_t n = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!look_at_file(c, entry->d_name, &one))
			continue;
		list = arena_grow(c->arena, list, n * sizeof(one), (n + 1) * sizeof(one));
		list[n++] = one;
	}
	if (dir != NULL)
		closedir(dir);
	if (n > 0)
		qsort(list, n, sizeof(one), newest_first);
	*count = n < KEPT_MAX ? n : KEPT_MAX;
	return list;
}

struct err *
kept_get(struct ctx *c, const char *name, struct kept *out)
{
	if (!look_at_file(c, name, out))
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such backup here."));
	return NULL;
}

/* ---- what is downloaded */

/* Goes to the next file without reading the one before. */
static struct err *
step(struct tar *t, bool *more)
{
	if (lseek(t->fd, t->left + t->padding, SEEK_CUR) < 0)
		return refuse(t->c, ERR_INTERNAL, "%s: %s.", t->path, strerror(errno));
	t->left = t->padding = 0;
	return tar_next(t, more);
}

/* Finds the bytes of people/secret, with its header: *from and *to; both 0 if it is not in
 * the archive. */
static struct err *
find_secret(struct tar *t, int64_t *from, int64_t *to)
{
	struct err *err;
	bool more;
	off_t at;

	*from = *to = 0;
	for (;;) {
		err = step(t, &more);
		if (err != NULL || !more)
			return err;
		if (strcmp(t->name, ARCHIVE_SECRET) != 0)
			continue;
		at = lseek(t->fd, 0, SEEK_CUR);
		*from = at - TAR_BLOCK;
		*to = at + t->left + t->padding;
		return NULL;
	}
}

struct err *
kept_open(struct ctx *c, const struct kept *k, int *fd, struct kept_piece out[2])
{
	int64_t from = 0, to = 0;
	struct stat st;
	struct err *err = NULL;
	struct tar t;

	*fd = open(k->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (*fd < 0 || fstat(*fd, &st) != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", k->path, strerror(errno));
	tar_init(&t, c, *fd, k->path);
	if (!k->dump)
		err = find_secret(&t, &from, &to);
	if (err == NULL && to > st.st_size)
		err = refuse(c, ERR_INVALID, tr_mark("This backup was cut off."));
	if (err != NULL) {
		close(*fd);
		return err;
	}
	out[0] = (struct kept_piece) { 0, to == 0 ? st.st_size : from };
	out[1] = (struct kept_piece) { to, to == 0 ? 0 : st.st_size - to };
	return NULL;
}

/* ---- series */

#define ID_BYTES 4

/* Returns "NAME-ID-", the beginning of the names of a series. */
static const char *
series_prefix(struct ctx *c)
{
	unsigned char id[ID_BYTES];
	char hex[2 * ID_BYTES + 1];
	struct digest d;

	digest_begin(&d, ID_BYTES, "galley backup series 1");
	digest_text(&d, c->instance->home);
	digest_end(&d, id);
	digest_hex(hex, id, ID_BYTES);
	return arena_printf(c->arena, "%s-%s-", fileio_name(c->instance->home), hex);
}

const char *
series_path(struct ctx *c, const char *folder)
{
	return arena_printf(c->arena, "%s/%s%s.tar", folder, series_prefix(c), archive_time(c));
}

/* Returns whether the name is PREFIX, a time and ".tar". */
static bool
is_of_series(const char *name, const char *start)
{
	static const char form[] = "00000000T000000Z.tar";
	size_t len = strlen(start);
	const char *p = name + len;

	if (strncmp(name, start, len) != 0 || strlen(p) != strlen(form))
		return false;
	for (size_t i = 0; form[i] != '\0'; i++) {
		bool digit = p[i] >= '0' && p[i] <= '9';
		if (form[i] == '0' ? !digit : p[i] != form[i])
			return false;
	}
	return true;
}

struct list {
	const char **paths;
	size_t count;
};

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Finds the paths of the series without `newest`, the oldest first. */
static struct err *
find_series(struct ctx *c, const char *folder, const char *newest, struct list *out)
{
	const char *start = series_prefix(c), *path;
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	size_t size = sizeof(*out->paths);
	struct stat st;

	memset(out, 0, sizeof(*out));
	if (dir == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", folder, strerror(errno));
	while ((entry = readdir(dir)) != NULL) {
		path = arena_printf(c->arena, "%s/%s", folder, entry->d_name);
		if (!is_of_series(entry->d_name, start) || strcmp(path, newest) == 0 ||
		    lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		out->paths =
		    arena_grow(c->arena, out->paths, out->count * size, (out->count + 1) * size);
		out->paths[out->count++] = path;
	}
	closedir(dir);
	if (out->count > 0)
		qsort(out->paths, out->count, size, by_text);
	return NULL;
}

struct err *
series_prune(struct ctx *c, const char *newest, int64_t keep, int64_t *removed)
{
	const char *folder = fileio_folder(c->arena, newest);
	struct list list;

	*removed = 0;
	TRY(find_series(c, folder, newest, &list));
	for (size_t i = 0; (int64_t)(list.count - i) >= keep && i < list.count; i++) {
		if (unlink(list.paths[i]) != 0)
			return refuse(c, ERR_INTERNAL, "%s: %s.", list.paths[i], strerror(errno));
		(*removed)++;
	}
	archive_sweep(c, folder, series_prefix(c));
	return NULL;
}
