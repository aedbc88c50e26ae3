#include "start/pending.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pepper.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "job/scratch.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/fresh.h"
#include "system/instance.h"
#include "system/work.h"

#define FILE_MAX ((size_t)64 * 1024)

const char *
pending_folder(struct ctx *c)
{
	return arena_printf(c->arena, "%s/db/restore-pending", c->instance->home);
}

const char *
pending_file(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/%s", pending_folder(c), name);
}

const char *
pending_lock(struct ctx *c)
{
	return arena_printf(c->arena, "%s/runner.lock", c->instance->run);
}

void
pending_remove(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		(void)unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir != NULL)
		closedir(dir);
	(void)rmdir(folder);
}

void
pending_drop(struct ctx *c)
{
	static const char *const files[] = { "pepper", "galley.conf", "epoch", "galley.db",
		"galley.db-journal", "galley.db-wal", "galley.db-shm" };

	/* Only these files are removed: others are not Galley's. */
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(pending_file(c, files[i]));
	rmdir(pending_folder(c));
}

/* Names of files that a process which died had not renamed yet. */
static const char *const left[] = { PENDING_PREPARED, ".pepper.", ".copy." };

static bool
is_left(const char *name)
{
	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
		if (strncmp(name, left[i], strlen(left[i])) == 0)
			return true;
	}
	return false;
}

/* Calls `each` (or NULL) with each path in db/ that was left. Returns whether
 * there are any. */
static bool
find_left(struct ctx *c, void (*each)(struct ctx *c, const char *path))
{
	const char *home = arena_printf(c->arena, "%s/db", c->instance->home);
	const struct dirent *entry;
	DIR *dir = opendir(home);
	bool found = false;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!is_left(entry->d_name))
			continue;
		found = true;
		if (each != NULL)
			each(c, arena_printf(c->arena, "%s/%s", home, entry->d_name));
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

const char *
pending_room(struct ctx *c, const char *prepared)
{
	return arena_printf(c->arena, "%s/%s", c->instance->media, fileio_name(prepared));
}

/* The pictures first: the folder in db/ is what names their folder. */
static void
remove_left(struct ctx *c, const char *path)
{
	if (unlink(path) == 0)
		return;
	if (strncmp(fileio_name(path), PENDING_PREPARED, strlen(PENDING_PREPARED)) == 0)
		pending_remove(pending_room(c, path));
	pending_remove(path);
}

void
pending_sweep(struct ctx *c)
{
	(void)find_left(c, remove_left);
}

/* Returns the bytes of db/pepper; *len is 0 if it cannot be read. */
static const char *
present_pepper(struct ctx *c, size_t *len)
{
	const char *bytes = fileio_read_now(c->arena, c->instance->pepper, FILE_MAX, len);

	if (bytes == NULL)
		*len = 0;
	return bytes;
}

static struct err *
write_pepper(struct ctx *c, const void *bytes, size_t len)
{
	if (fileio_replace(c->arena, c->instance->pepper, bytes, len, 0600))
		return NULL;
	return refuse(c, ERR_INTERNAL, "%s: %s.", c->instance->pepper, strerror(errno));
}

struct err *
pending_announce(struct ctx *c)
{
	unsigned char both[2 * PEPPER_SIZE];
	size_t len, next_len;
	const char *present = present_pepper(c, &len);
	const char *next =
	    fileio_read_now(c->arena, pending_file(c, "pepper"), FILE_MAX, &next_len);

	if (next == NULL || next_len != PEPPER_SIZE)
		return refuse(
		    c, ERR_INTERNAL, "%s: %s.", pending_file(c, "pepper"), strerror(errno));
	/* A pepper that is lost or damaged fits no key anyway. */
	if (len != PEPPER_SIZE || memcmp(present, next, PEPPER_SIZE) == 0)
		return NULL;
	memcpy(both, present, PEPPER_SIZE);
	memcpy(both + PEPPER_SIZE, next, PEPPER_SIZE);
	return write_pepper(c, both, sizeof(both));
}

/* Undoes pending_announce(). */
static struct err *
recant(struct ctx *c)
{
	size_t len;
	const char *present = present_pepper(c, &len);

	if (len != (size_t)2 * PEPPER_SIZE)
		return NULL;
	return write_pepper(c, present, PEPPER_SIZE);
}

/* Writes a file in its place, for a folder of galley.conf that belongs to root.
 * The prepared file stays until that is done. */
static bool
write_in_place(const char *path, const char *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
	bool done;

	if (fd < 0)
		return false;
	done = fileio_write_all(fd, bytes, len) && fsync(fd) == 0;
	return close(fd) == 0 && done;
}

/* Puts one prepared file in its place. A file that was not prepared is left. */
static struct err *
put(struct ctx *c, const char *name, const char *path)
{
	size_t len, old_len = 0;
	const char *bytes = fileio_read_now(c->arena, pending_file(c, name), FILE_MAX, &len);
	const char *old;

	if (bytes == NULL && errno == ENOENT)
		return NULL;
	if (bytes == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", pending_file(c, name), strerror(errno));
	old = fileio_read_now(c->arena, path, FILE_MAX, &old_len);
	if (old != NULL && old_len == len && memcmp(old, bytes, len) == 0)
		return NULL;
	if (fileio_replace(c->arena, path, bytes, len, 0600))
		return NULL;
	if ((errno == EACCES || errno == EPERM) && write_in_place(path, bytes, len))
		return NULL;
	return err_hint(c,
	    refuse(c, ERR_INTERNAL,
		"%s: %s. The database is restored; the file that belongs to it is %s. Fix this first.",
		path, strerror(errno), pending_file(c, name)),
	    HINT_AGAIN, NULL);
}

struct err *
pending_put(struct ctx *c)
{
	struct err *err = put(c, "pepper", c->instance->pepper);

	(void)FAULT("restore-pepper");
	if (err == NULL)
		err = put(c, "galley.conf", c->instance->conf);
	(void)FAULT("restore-conf");
	if (err == NULL)
		pending_drop(c);
	return err;
}

struct err *
pending_undo(struct ctx *c, struct err *cause)
{
	TRY(recant(c));
	pending_drop(c);
	return cause;
}

/* Returns whether the database is the prepared one. A damaged database never is:
 * the prepared one was checked. */
static bool
is_committed(struct ctx *c)
{
	const char *prepared = fileio_read_now(c->arena, pending_file(c, "epoch"), FILE_MAX, NULL);
	const struct workspace *w;
	const char *epoch = "";

	if (prepared == NULL || db_file_complaint(c, c->instance->db, true) != NULL)
		return false;
	db_open(c, DB_WAIT_TOOL_MS);
	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		epoch = w->epoch;
	db_commit(c);
	db_close(c);
	return strcmp(epoch, prepared) == 0;
}

/* Finishes or undoes the restore. The caller must hold the lock. */
static struct err *
finish(struct ctx *c, const struct work *work)
{
	if (is_committed(c)) {
		TRY(pending_put(c));
		work_tell(work, "a restore that was interrupted is now complete.");
		return NULL;
	}
	TRY(recant(c));
	pending_drop(c);
	work_tell(work, "a restore was interrupted before it changed anything.");
	return NULL;
}

struct err *
pending_finish(struct ctx *c, const struct work *work)
{
	const char *home = arena_printf(c->arena, "%s/db", c->instance->home);
	struct err *err = NULL;
	struct stat st;
	bool pending = stat(pending_folder(c), &st) == 0;
	pid_t holder;
	int lock;

	/* fresh_sweep() removes files that have locks of their own. */
	fresh_sweep(c, home);
	scratch_sweep(c);
	if (!pending && !find_left(c, NULL))
		return NULL;
	lock = filelock_take(pending_lock(c), &holder);
	if (lock < 0 && holder != 0)
		return NULL;
	if (lock < 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", pending_lock(c), strerror(errno));
	/* The pending work may be done by now. */
	if (stat(pending_folder(c), &st) == 0)
		err = finish(c, work);
	if (err == NULL)
		pending_sweep(c);
	filelock_release(lock);
	return err;
}
