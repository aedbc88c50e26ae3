#include "article/public/media-cache.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "article/media.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/db-hosts.h"
#include "store/db.h"
#include "system/filelock.h"
#include "system/instance.h"

#define HOUR_S 3600
#define GONE_MAX 100 /* copies of one transaction: no writer waits for long */
#define SLACK ((size_t)64 * 1024)

/* Finds the bytes; what they are must be what the name says. */
static const void *
find(struct ctx *c, const char *name, size_t *len, const char **fault)
{
	const char *digest = media_digest_of(c, name), *type;
	const void *bytes;

	*fault = "the database has no bytes of it";
	if (digest == NULL)
		return NULL;
	type = strrchr(name, '.') + 1;
	type = arena_printf(c->arena, "image/%s", strcmp(type, "jpg") == 0 ? "jpeg" : type);
	bytes = db_picture_find(c, digest, type, len);
	if (bytes != NULL && !media_is_of(name, bytes, *len)) {
		*fault = MEDIA_CHANGED;
		return NULL;
	}
	return bytes;
}

void
media_cache_keep(struct ctx *c, const struct media *media)
{
	struct arena scratch, *kept = c->arena;
	const char *name = media->url + strlen("media:"), *fault;
	const void *bytes;
	size_t len;

	if (!db_has_hosts())
		return;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX + SLACK);
	c->arena = &scratch;
	if (find(c, name, &len, &fault) == NULL) {
		bytes = media_read(c, name, &len, &fault);
		if (bytes == NULL)
			die_passing(1, "%s: %s; try again", media_path(c, name), fault);
		db_pictures_add(c);
		db_picture_put(c, media->digest, bytes, len);
	}
	c->arena = kept;
	arena_release(&scratch);
}

const void *
media_cache_fetch(struct ctx *c, const char *name, size_t *len)
{
	const char *fault;
	const void *bytes = find(c, name, len, &fault);

	/* It is a copy: where it cannot be written, the next request asks the store, too. */
	if (bytes != NULL && !fileio_replace(c->arena, media_path(c, name), bytes, *len, 0644))
		log_line("%s: %s", media_path(c, name), strerror(errno));
	return bytes;
}

const char *
media_cache_fault(struct ctx *c, const char *name, int64_t bytes)
{
	const char *fault;
	size_t len;

	if (find(c, name, &len, &fault) == NULL)
		return fault;
	return (int64_t)len == bytes ? NULL : "its row says another size";
}

/* ---- what no row names any more */

static const char *
mark(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "media-swept");
}

static bool
is_older(const char *path, int64_t seconds)
{
	struct stat st;

	return lstat(path, &st) != 0 || st.st_mtime + seconds <= clock_now() / CLOCK_SECOND ||
	       st.st_mtime > clock_now() / CLOCK_SECOND + seconds;
}

bool
media_cache_is_due(struct ctx *c)
{
	if (!db_has_hosts() || !is_older(mark(c), HOUR_S))
		return false;
	if (!fileio_replace(c->arena, mark(c), "", 0, 0600))
		log_line("%s: %s", mark(c), strerror(errno));
	return true;
}

/* Returns whether a name is that of a picture which a process was writing: ".<digest>.<ext>.…". */
static bool
is_part(struct ctx *c, const char *name)
{
	const char *dot = strrchr(name, '.');

	return name[0] == '.' && dot != name &&
	       media_digest_of(c, arena_text_n(c->arena, name + 1, (size_t)(dot - name) - 1)) !=
		   NULL;
}

static bool
has_row(struct ctx *c, const char *digest)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM media WHERE digest = :digest");
	bool found;

	db_bind_text(q, ":digest", digest);
	found = db_row(q);
	db_reset(q);
	return found;
}

/* Finds copies without a row, at most GONE_MAX. Their names are in the arena `kept`. */
static size_t
look(struct ctx *c, struct arena *kept, const char *names[GONE_MAX])
{
	DIR *dir = opendir(c->instance->media);
	const struct dirent *entry;
	const char *digest;
	size_t count = 0;

	db_begin_read(c, DB_CONTENT);
	while (dir != NULL && count < GONE_MAX && (entry = readdir(dir)) != NULL) {
		digest = media_digest_of(c, entry->d_name);
		if (digest == NULL && !is_part(c, entry->d_name))
			continue;
		if (!is_older(media_path(c, entry->d_name), HOUR_S))
			continue;
		if (digest == NULL)
			(void)unlink(media_path(c, entry->d_name));
		else if (!has_row(c, digest))
			names[count++] = arena_text(kept, entry->d_name);
		arena_reset(c->arena);
	}
	db_commit(c);
	if (dir != NULL)
		closedir(dir);
	return count;
}

/* Removes them, unless a row came back meanwhile. Returns how many are gone: none while a backup
 * reads pictures. */
static size_t
remove_copies(struct ctx *c, const char *const *names, size_t count)
{
	pid_t holder;
	int held = filelock_take(fileio_path(c->arena, c->instance->run, "media.lock"), &holder);
	size_t gone = 0;

	if (held < 0)
		return 0;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	for (size_t i = 0; i < count; i++)
		gone += media_remove(c, names[i]);
	db_commit(c);
	filelock_release(held);
	return gone;
}

size_t
media_cache_sweep(struct ctx *c)
{
	const char *names[GONE_MAX];
	struct arena scratch, *kept = c->arena;
	size_t all = 0, gone = GONE_MAX;

	while (gone == GONE_MAX) {
		size_t count;

		arena_init(&scratch, SLACK * 16);
		c->arena = &scratch;
		count = look(c, kept, names);
		c->arena = kept;
		arena_release(&scratch);
		gone = count > 0 ? remove_copies(c, names, count) : 0;
		all += gone;
	}
	return all;
}
