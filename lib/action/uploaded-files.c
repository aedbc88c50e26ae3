#include "action/uploaded-files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/secret.h"
#include "people/task.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/instance.h"

#define UPLOADS_SIZE_MAX ((int64_t)8 << 30) /* bytes of a file that moves in */
#define UPLOADS_OPEN_MAX 2 /* of an account, whose slices are missing */

#define MIB ((int64_t)1024 * 1024)
#define RETRY_AFTER_S 10
#define SWEPT_MAX 100
#define PREFIX "sent-"

static const char *
folder_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console");
}

const char *
uploads_path(struct ctx *c, const char *uuid)
{
	return arena_printf(c->arena, "%s/" PREFIX "%s", folder_of(c), uuid);
}

/* ---- what is refused */

static struct err *
no_room(struct ctx *c)
{
	struct err *err = refuse(c, ERR_UNAVAILABLE,
	    tr_mark(
		"The disk of this instance has not enough space for this file. Ask the operator; what was sent is kept for a day."));

	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

static struct err *
gone(struct ctx *c)
{
	return err_param(c, "upload",
	    tr_mark(
		"This file is not here any more: a file that is not used is removed after a day. Send it again."));
}

static bool
is_backup(const struct uploading *u)
{
	return strcmp(u->kind, "backup") == 0;
}

static struct err *
check_size(struct ctx *c, const struct uploading *u)
{
	if (u->size <= 0)
		return err_param(c, "size", tr_mark("This file is empty."));
	if (!is_backup(u) && u->size > UPLOADS_SIZE_MAX) {
		struct err *err = refuse(c, ERR_TOO_LARGE,
		    tr_mark("This file is too large: it may have %lld GiB."),
		    (long long)(UPLOADS_SIZE_MAX >> 30));
		err->param = "size";
		return err;
	}
	(void)fileio_make_folder(folder_of(c), 0700);
	return disk_has_room(folder_of(c), u->size - u->got) ? NULL : no_room(c);
}

/* What the account may have, in its transaction. `sends`: its slices are still to come. */
static struct err *
check_account(struct ctx *c, const struct uploading *u, bool sends)
{
	struct console_conf conf;
	int64_t bytes, open = uploading_count(c, u->account, &bytes);

	if (sends && open >= UPLOADS_OPEN_MAX)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"Two files are being sent already. Go on with one of them, or wait: what rests for a day is removed."));
	console_conf_read(c, &conf);
	if (is_backup(u) || bytes + u->size <= conf.account_mib * MIB)
		return NULL;
	return refuse(c, ERR_TOO_LARGE,
	    tr_mark(
		"The files that were sent to this account take %lld of %lld MiB, so this one does not fit. They are removed after a day, or ask the operator for more."),
	    (long long)(bytes / MIB), (long long)conf.account_mib);
}

/* ---- begin */

struct err *
uploads_begin(struct ctx *c, struct uploading *u)
{
	const struct uploading *same;
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	u->got = 0;
	if (strlen(u->mark) > UPLOADING_MARK_MAX)
		return err_param(c, "mark", tr_mark("This name is too long."));
	TRY(check_size(c, u));
	ACTION(c, action_begin_console(c));
	same = uploading_find_same(c, u);
	if (same != NULL) {
		*u = *same;
		uploading_touch(c, u->uuid);
		return action_commit(c);
	}
	TRY(check_account(c, u, true));
	uuid_random(uuid);
	u->uuid = uuid;
	uploading_insert(c, u);
	return action_commit(c);
}

/* ---- a slice */

static bool
is_of(const struct uploading *u, const struct uploading *whose)
{
	return u != NULL && strcmp(u->person, whose->person) == 0 &&
	       strcmp(u->account, whose->account) == 0 &&
	       strcmp(u->workspace, whose->workspace) == 0 && strcmp(u->kind, whose->kind) == 0;
}

static struct err *
find_upload(struct ctx *c, const struct uploading *whose, const char *id, struct uploading **out)
{
	TRY(action_read_console(c));
	*out = uploading_find(c, id);
	db_rollback(c);
	return is_of(*out, whose) ? NULL : gone(c);
}

/* Opens the file of the bytes, and waits for those who write it now. */
static int
open_locked(struct ctx *c, const char *uuid)
{
	const char *path = uploads_path(c, uuid);
	int fd;

	(void)fileio_make_folder(folder_of(c), 0700);
	fd = fileio_open(path, O_RDWR | O_CREAT | O_NOFOLLOW);
	if (fd < 0 || flock(fd, LOCK_EX) != 0)
		die_passing(RETRY_AFTER_S, "%s: %s", path, strerror(errno));
	return fd;
}

/* Writes bytes at an offset, durably. Returns an errno, or 0. */
static int
write_at(int fd, int64_t offset, const void *bytes, size_t len)
{
	if (lseek(fd, (off_t)offset, SEEK_SET) < 0 || !fileio_write_all(fd, bytes, len) ||
	    fdatasync(fd) != 0)
		return errno;
	return 0;
}

static struct err *
not_written(struct ctx *c, const char *uuid, int error)
{
	if (error == ENOSPC || error == EDQUOT)
		return no_room(c);
	die_passing(RETRY_AFTER_S, "%s: %s", uploads_path(c, uuid), strerror(error));
}

/* Takes the slice that is wanted, with the file locked. */
static struct err *
take(struct ctx *c, struct uploading *u, int fd, const void *bytes, size_t len)
{
	int64_t got = u->got + (int64_t)len;
	int error;

	if (len == 0 || got > u->size)
		return err_param(c, "slice",
		    tr_mark("The file is not as long as it was said to be. Choose it again."));
	if (!disk_has_room(folder_of(c), (int64_t)len))
		return no_room(c);
	error = write_at(fd, u->got, bytes, len);
	if (error != 0)
		return not_written(c, u->uuid, error);
	(void)FAULT("slice-written");
	ACTION(c, action_begin_console(c));
	if (!uploading_advance(c, u, got))
		return gone(c);
	action_commit(c);
	u->got = got;
	return NULL;
}

struct err *
uploads_slice(struct ctx *c, const struct uploading *whose, const char *id, int64_t offset,
    const void *bytes, size_t len, struct uploading **out, bool *taken)
{
	struct err *err;
	int fd;

	*taken = false;
	TRY(find_upload(c, whose, id, out));
	fd = open_locked(c, id);
	/* As it is now that nobody else writes the file. */
	err = find_upload(c, whose, id, out);
	*taken = err == NULL && (*out)->got == offset;
	if (*taken)
		err = take(c, *out, fd, bytes, len);
	close(fd);
	return err;
}

/* ---- a file that came at once */

struct err *
uploads_store(struct ctx *c, struct uploading *u, const void *bytes, size_t len)
{
	char *uuid = arena_alloc(c->arena, UUID_TEXT);
	int fd, error;

	u->size = (int64_t)len;
	u->got = 0;
	u->mark = "";
	TRY(check_size(c, u));
	uuid_random(uuid);
	u->uuid = uuid;
	fd = open_locked(c, uuid);
	error = write_at(fd, 0, bytes, len);
	close(fd);
	if (error != 0) {
		uploads_drop(c, u);
		return not_written(c, uuid, error);
	}
	(void)FAULT("sent-whole");
	u->got = u->size;
	return NULL;
}

struct err *
uploads_add(struct ctx *c, struct uploading *u)
{
	TRY(check_account(c, u, false));
	uploading_insert(c, u);
	return NULL;
}

void
uploads_drop(struct ctx *c, const struct uploading *u)
{
	(void)unlink(uploads_path(c, u->uuid));
}

struct err *
uploads_get(struct ctx *c, const struct uploading *whose, const char *id, struct uploading **out)
{
	char uuid[UUID_TEXT];

	if (!uuid_parse(id, uuid))
		return gone(c);
	TRY(find_upload(c, whose, uuid, out));
	if (!uploading_is_whole(*out))
		return err_param(c, "upload", tr_mark("This file was not sent to its end."));
	return NULL;
}

/* ---- what rests */

static int64_t
since(const struct ctx *c)
{
	return c->now - (int64_t)UPLOADING_DAY_S * CLOCK_SECOND;
}

/* Returns the UUID in the name of a file of an upload, or NULL. */
static const char *
uuid_in(struct ctx *c, const char *name)
{
	char uuid[UUID_TEXT];

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || !uuid_parse(name + strlen(PREFIX), uuid))
		return NULL;
	return arena_text(c->arena, uuid);
}

/* Returns whether the file was not written for a day: the row of one that is being sent may
 * not be there yet. */
static bool
is_old(struct ctx *c, const char *uuid)
{
	struct stat st;

	return lstat(uploads_path(c, uuid), &st) == 0 &&
	       (int64_t)st.st_mtime * CLOCK_SECOND < since(c);
}

/* Calls `each` for old files without a row, until it returns false. */
static void
each_orphan(struct ctx *c, bool (*each)(struct ctx *c, const char *uuid, void *arg), void *arg)
{
	DIR *dir = opendir(folder_of(c));
	const struct dirent *entry;
	bool more = true;

	while (dir != NULL && more && (entry = readdir(dir)) != NULL) {
		const char *uuid = uuid_in(c, entry->d_name);
		if (uuid != NULL && is_old(c, uuid) && uploading_find(c, uuid) == NULL)
			more = each(c, uuid, arg);
	}
	if (dir != NULL)
		closedir(dir);
}

static bool
note_one(struct ctx *c, const char *uuid, void *arg)
{
	(void)c;
	(void)uuid;
	*(bool *)arg = true;
	return false;
}

static bool
remove_one(struct ctx *c, const char *uuid, void *arg)
{
	int *left = arg;

	(void)unlink(uploads_path(c, uuid));
	return --*left > 0;
}

bool
uploads_are_old(struct ctx *c)
{
	bool found;

	if (!secret_exists(c))
		return false;
	db_begin_read(c, DB_CONSOLE);
	found = uploading_oldest(c, since(c)) != NULL || moving_forget(c, true);
	if (!found)
		each_orphan(c, note_one, &found);
	db_rollback(c);
	return found;
}

void
uploads_sweep(struct ctx *c)
{
	int left = SWEPT_MAX;
	const struct uploading *u;

	if (!secret_exists(c))
		return;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	while (left-- > 0 && (u = uploading_oldest(c, since(c))) != NULL)
		uploading_delete(c, u->id);
	while (left-- > 0 && moving_forget(c, false))
		;
	db_commit(c);
	(void)FAULT("uploads-forgotten");
	left = SWEPT_MAX;
	db_begin_read(c, DB_CONSOLE);
	each_orphan(c, remove_one, &left);
	db_rollback(c);
}

struct keeping {
	struct ctx *c;
	struct uploads_kept *out;
};

/* ---- the files that are still here */

static void
keep_upload(void *arg, const struct uploading *u)
{
	struct keeping *k = arg;

	if (k->out->count == UPLOADS_KEPT)
		return;
	k->out->list[k->out->count++] =
	    (struct uploading) { .uuid = arena_text(k->c->arena, u->uuid),
		    .size = u->size,
		    .got = u->got,
		    .created_at = u->created_at,
		    .changed_at = u->changed_at };
}

struct err *
uploads_kept_list(struct ctx *c, const struct uploading *whose, struct uploads_kept *out)
{
	struct keeping k = { c, out };

	out->count = 0;
	ACTION(c, action_read_console(c));
	uploading_list(c, whose, UPLOADS_KEPT, keep_upload, &k);
	return action_commit(c);
}

/* Returns whether an import of the place is open and reads the file. A workspace has one at
 * most. */
static bool
is_read(struct ctx *c, const struct uploading *u)
{
	const struct task *t = task_newest(c, u->workspace, MOVING_KIND);
	const struct moving *m = t != NULL && task_is_open(t) ? moving_find(c, t->id) : NULL;

	return m != NULL && strcmp(m->upload, u->uuid) == 0;
}

static struct err *
check_unread(struct ctx *c, const struct uploading *whose, const struct uploading *u)
{
	if (u == NULL || strcmp(u->person, whose->person) != 0 ||
	    strcmp(u->account, whose->account) != 0 ||
	    strcmp(u->workspace, whose->workspace) != 0 || strcmp(u->kind, whose->kind) != 0)
		return refuse(c, ERR_NOT_FOUND, tr_mark("This file is not here any more."));
	if (is_read(c, u))
		return refuse(c, ERR_CONFLICT,
		    tr_mark("An import reads this file. Stop it first, or wait for its end."));
	return NULL;
}

struct err *
uploads_kept_remove(struct ctx *c, const struct uploading *whose, const char *id)
{
	const struct uploading *u = NULL;

	ACTION(c, action_begin_console(c));
	u = uploading_find(c, id);
	TRY(check_unread(c, whose, u));
	uploading_delete(c, u->id);
	action_commit(c);
	uploads_drop(c, u);
	return NULL;
}
