#include "backup/series.h"

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
#include "base/digest.h"
#include "base/fileio.h"
#include "system/instance.h"
#include "backup/archive.h"

#define ID_BYTES 4

/* Returns "NAME-ID-", the beginning of the names of a series. */
static const char *
prefix(struct ctx *c)
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
	return arena_printf(c->arena, "%s/%s%s.tar", folder, prefix(c), archive_time(c));
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
find(struct ctx *c, const char *folder, const char *newest, struct list *out)
{
	const char *start = prefix(c), *path;
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
	struct err *err = find(c, folder, newest, &list);

	*removed = 0;
	if (err != NULL)
		return err;
	for (size_t i = 0; (int64_t)(list.count - i) >= keep && i < list.count; i++) {
		if (unlink(list.paths[i]) != 0)
			return refuse(c, ERR_INTERNAL, "%s: %s.", list.paths[i], strerror(errno));
		(*removed)++;
	}
	archive_sweep(c, folder, prefix(c));
	return NULL;
}
