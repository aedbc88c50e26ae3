/* Adds the pictures to an archive (archive.h). */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "article/media.h"
#include "backup/archive.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "store/db-hosts.h"
#include "system/instance.h"

#define LEFT_AFTER_S 3600 /* a picture that is this old is not being written any more */

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns whether the name is among the first `count`, which are in order. */
static bool
has(const struct archive_facts *f, int64_t count, const char *name)
{
	return count > 0 &&
	       bsearch(&name, f->names, (size_t)count, sizeof(*f->names), by_name) != NULL;
}

static bool
is_damaged(const struct archive_facts *f, const char *name)
{
	for (size_t i = 0; i < f->damaged_count; i++) {
		if (strcmp(f->damaged[i].name, name) == 0)
			return true;
	}
	return false;
}

void
archive_note_name(struct ctx *c, struct archive_facts *f, const char *name)
{
	size_t n = (size_t)f->media, size = sizeof(*f->names);

	if ((n & (n - 1)) == 0) /* the room doubles at each power of two */
		f->names = arena_grow(c->arena, f->names, n * size, (n + n + (n == 0)) * size);
	f->names[f->media++] = arena_text(c->arena, name);
}

void
archive_note_damaged(struct ctx *c, struct archive_facts *f, const char *name, const char *why)
{
	size_t size = sizeof(*f->damaged);

	f->damaged = arena_grow(
	    c->arena, f->damaged, f->damaged_count * size, (f->damaged_count + 1) * size);
	f->damaged[f->damaged_count++] =
	    (struct archive_damaged) { arena_text(c->arena, name), why };
}

/* Returns whether the picture is lost: its bytes are others, or it is missing. A
 * file that only cannot be read now (because of modes or descriptors) is not
 * lost. */
static bool
is_lost(int error)
{
	return error == EFBIG || error == ENOENT || error == EIO;
}

static struct err *
cannot_read(struct ctx *c, const char *name, const char *fault)
{
	const char *path = media_path(c, name);

	if (errno == EISDIR || errno == ELOOP)
		return refuse(c, ERR_INTERNAL, "%s is no plain file.", path);
	return refuse(c, ERR_INTERNAL, "%s: %s.", path, fault);
}

/* Adds one picture, if its bytes are those that its name says. `scratch` holds
 * its bytes. */
static struct err *
add(struct archive *a, struct arena *scratch, const char *name)
{
	struct ctx *c = a->c;
	struct arena *kept = c->arena;
	const void *bytes;
	const char *fault;
	struct stat st;
	size_t len;

	c->arena = scratch;
	bytes = media_read(c, name, &len, &fault);
	c->arena = kept;
	if (bytes == NULL && !is_lost(errno))
		return cannot_read(c, name, fault);
	if (bytes == NULL) {
		archive_note_damaged(c, &a->facts, name, fault);
		return NULL;
	}
	archive_note_name(c, &a->facts, name);
	if (lstat(media_path(c, name), &st) != 0)
		st.st_mtim.tv_sec = 0;
	return tar_add(&a->tar, arena_printf(scratch, "media/%s", name), bytes, len,
	    st.st_mtim.tv_sec * CLOCK_SECOND);
}

/* Removes ".<digest>.<ext>.<uuid>", which a process that died while it wrote a
 * picture left. */
static void
sweep(struct ctx *c, const char *name)
{
	size_t len = strlen(name), tail = UUID_TEXT; /* length of "." and the uuid */
	const char *path = media_path(c, name);
	struct stat st;

	if (name[0] != '.' || len <= tail + 1 ||
	    media_digest_of(c, arena_text_n(c->arena, name + 1, len - tail - 1)) == NULL)
		return;
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && time(NULL) - st.st_mtime > LEFT_AFTER_S)
		unlink(path);
}

/* Fetches a picture of which this host has no copy. One that cannot be fetched is told of later. */
static void
fetch(void *arg, const char *name)
{
	struct ctx *c = arg;
	struct arena scratch, *kept = c->arena;
	const char *fault;
	size_t len;

	if (access(media_path(c, name), F_OK) == 0)
		return;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	c->arena = &scratch;
	(void)media_read(c, name, &len, &fault);
	c->arena = kept;
	arena_release(&scratch);
}

void
archive_fetch_pictures(struct ctx *c)
{
	if (db_has_hosts())
		media_list(c, fetch, c);
}

struct err *
archive_add_pictures(struct archive *a)
{
	struct ctx *c = a->c;
	DIR *dir = opendir(c->instance->media);
	struct arena scratch;
	int64_t known = a->facts.media;
	const struct dirent *entry;
	struct err *err = NULL;

	if (dir == NULL && errno == ENOENT)
		return NULL;
	if (dir == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", c->instance->media, strerror(errno));
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	while (err == NULL && (entry = readdir(dir)) != NULL) {
		if (media_digest_of(c, entry->d_name) != NULL &&
		    !has(&a->facts, known, entry->d_name) && !is_damaged(&a->facts, entry->d_name))
			err = add(a, &scratch, entry->d_name);
		else
			sweep(c, entry->d_name);
		if (err == NULL)
			err = archive_ask(a);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	closedir(dir);
	archive_sort_names(&a->facts);
	return err;
}

void
archive_sort_names(struct archive_facts *f)
{
	if (f->media > 0)
		qsort(f->names, (size_t)f->media, sizeof(*f->names), by_name);
}

bool
archive_has_name(const struct archive_facts *f, const char *name)
{
	return has(f, f->media, name);
}

static void
find_missing(void *arg, const char *name)
{
	struct archive *a = arg;

	if (!has(&a->facts, a->facts.media, name) && !is_damaged(&a->facts, name))
		archive_note_damaged(a->c, &a->facts, name, "the file is missing");
}

void
archive_find_missing(struct archive *a)
{
	/* This needs no transaction: a transaction would ask for this release's
	 * schema. */
	media_list(a->c, find_missing, a);
}

void
archive_tell_damaged(
    struct ctx *c, const struct work *work, const struct archive_facts *f, const char *path)
{
	for (size_t i = 0; i < f->damaged_count; i++)
		work_tell(work, "the picture %s is damaged and is not in %s: %s.",
		    f->damaged[i].name, path, f->damaged[i].why);
	if (f->damaged_count > 0)
		work_tell(work, "%s",
		    hint_say(c,
			f->damaged_count == 1
			    ? "give that picture again, or restore a backup that has it."
			    : "give those pictures again, or restore a backup that has them.",
			HINT_PICTURE, NULL));
}
