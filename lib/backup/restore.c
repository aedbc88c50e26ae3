#include "backup/restore.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/live.h"
#include "access/pepper.h"
#include "access/workspace.h"
#include "article/desk.h"
#include "article/media.h"
#include "backup/archive.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "doctor/verify.h"
#include "job/job.h"
#include "screen/tr.h"
#include "start/pending.h"
#include "store/db.h"
#include "store/hosts.h"
#include "store/migrate.h"
#include "store/schemas.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/work.h"

/* ---- the copy */

const char *
restore_file(struct ctx *c, const struct restore *r, const char *name)
{
	return arena_printf(c->arena, "%s/%s", r->folder, name);
}

struct err *
restore_with_copy(struct ctx *c, struct restore *r, restore_step *step)
{
	return restore_with_database(c, r, restore_file(c, r, "galley.db"), step);
}

struct err *
restore_with_database(struct ctx *c, struct restore *r, const char *path, restore_step *step)
{
	const struct instance *present = c->instance;
	struct instance copy = *present;
	struct err *err;

	copy.db = path;
	db_close(c);
	c->instance = &copy;
	db_open(c, DB_WAIT_TOOL_MS);
	err = step(c, r);
	db_rollback(c);
	db_close(c);
	c->instance = present;
	return err;
}

struct teller {
	struct ctx *c;
	struct restore *r;
};

static void
tell_missing(void *arg, const char *name)
{
	struct teller *t = arg;
	struct restore *r = t->r;
	struct ctx *c = t->c;
	struct arena scratch, *kept = c->arena;
	const char *fault = NULL;
	bool here;
	size_t len;

	if (archive_has_name(&r->facts, name))
		return;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	c->arena = &scratch;
	here = media_read(c, name, &len, &fault) != NULL;
	c->arena = kept;
	arena_release(&scratch);
	if (here)
		return;
	r->pictures = arena_grow(c->arena, r->pictures, r->picture_count * sizeof(*r->pictures),
	    (r->picture_count + 1) * sizeof(*r->pictures));
	r->pictures[r->picture_count++] = name;
	work_tell(r->work, "%s",
	    hint_say(c,
		arena_printf(c->arena,
		    "the picture %s is not in the backup, or damaged there, and was left out: give it again.",
		    name),
		HINT_PICTURE, NULL));
}

/* Tells which pictures of the copy are whole neither in the backup nor in the instance,
 * and lists them: r->pictures. It is a restore_step. */
static struct err *
tell_pictures(struct ctx *c, struct restore *r)
{
	struct teller teller = { c, r };

	db_begin_read(c, DB_CONTENT);
	media_list(c, tell_missing, &teller);
	db_commit(c);
	return NULL;
}

/* Brings the copy to this release's schema, and checks it. */
static struct err *
check_copy(struct ctx *c, struct restore *r)
{
	int64_t now = schemas_number(DB_CONTENT);

	if (!db_is_ours(c))
		return refuse(c, ERR_INVALID, "The database in %s is not Galley's.", r->file);
	/* This check comes first: a foreign trigger must not run in the
	 * migrations. These refuse a newer schema themselves. */
	r->from = db_version(c);
	TRY(r->from > now ? NULL : migrate_compare(c, r->file, r->from));
	TRY(migrate_run(c, DB_CONTENT, &r->from));
	if (r->from != now)
		TRY(migrate_compare(c, r->file, now));
	return verify_run(c, r->work, true, r->each, r->arg, &r->broken);
}

struct err *
restore_unpack(struct ctx *c, struct restore *r, bool media,
    void (*each)(void *arg, const struct verify *check))
{
	const char *damage;

	TRY(archive_read(c, r->work, r->file, r->folder, media ? r->room : NULL, &r->facts));
	damage = db_file_complaint(c, restore_file(c, r, "galley.db"), false);
	if (damage != NULL)
		return refuse(
		    c, ERR_INVALID, "The database in %s is damaged: %s.", r->file, damage);
	r->each = each;
	return restore_with_copy(c, r, check_copy);
}

/* ---- galley.conf of the backup */

const char *
restore_conf_complaint(struct ctx *c, const struct restore *r)
{
	const char *path = restore_file(c, r, "galley.conf");
	struct err *err;
	struct conf conf;

	if (access(path, F_OK) != 0)
		return NULL;
	err = conf_read(c, path, &conf);
	return err != NULL ? err->message : NULL;
}

struct comparing {
	struct ctx *c;
	struct restore *r;
	const char **now; /* values, in the order of conf_each() */
	size_t count; /* of them */
	size_t place; /* of the key that is compared */
};

static void
keep_value(void *arg, const char *key, const char *value, bool is_default)
{
	struct comparing *k = arg;
	size_t size = sizeof(*k->now);

	(void)key, (void)is_default;
	k->now = arena_grow(k->c->arena, k->now, k->count * size, (k->count + 1) * size);
	k->now[k->count++] = arena_text(k->c->arena, value);
}

static void
compare_value(void *arg, const char *key, const char *value, bool is_default)
{
	struct comparing *k = arg;
	const char *now = k->now[k->place++];
	struct restore *r = k->r;
	size_t size = sizeof(*r->conf);

	(void)is_default;
	if (strcmp(now, value) == 0)
		return;
	r->conf =
	    arena_grow(k->c->arena, r->conf, r->conf_count * size, (r->conf_count + 1) * size);
	r->conf[r->conf_count++] = (struct restore_conf) {
		.key = key, .now = conf_shown(k->c, now), .then = conf_shown(k->c, value)
	};
}

/* Finds in which keys galley.conf differs from that of the unpacked backup: r->conf. */
static void
compare_conf(struct ctx *c, struct restore *r)
{
	struct comparing k = { .c = c, .r = r };
	struct instance place = *c->instance;
	struct ctx then = *c;
	struct conf conf;

	place.conf = restore_file(c, r, "galley.conf");
	then.instance = &place;
	if (access(place.conf, F_OK) != 0 || conf_read(&then, place.conf, &conf) != NULL)
		return;
	conf_each(c, c->conf, keep_value, &k);
	conf_each(&then, &conf, compare_value, &k);
}

/* ---- the tar of what is replaced */

static void
tell_unknown(struct ctx *c, const struct work *work, const char *state)
{
	work_tell(work, "the present database %s: %s", state,
	    hint_say(c,
		"keys that were revoked after the backup work again, accounts that were suspended are not, what was withdrawn or removed is shown again, and what was closed is open.",
		HINT_LISTS, NULL));
}

/* Reads from the copy of the present state what must not be undone, and which of
 * its pictures are missing. */
static struct err *
look_at_present(struct ctx *c, struct restore *r)
{
	if (db_is_ours(c) && db_version(c) > 0)
		archive_find_missing(&r->archive);
	if (db_version(c) != schemas_number(DB_CONTENT)) {
		if (r->database_at == 0)
			tell_unknown(c, r->work, "is of another release");
		return NULL;
	}
	db_begin_read(c, DB_CONTENT);
	restore_find_ended(c, r);
	restore_find_present(c, r);
	restore_find_pictures(c, r);
	db_commit(c);
	return NULL;
}

static struct err *
fetch_pictures(struct ctx *c, struct restore *r)
{
	(void)r;
	archive_fetch_pictures(c);
	return NULL;
}

/* Keeps the present state in an archive. The database is its last file, so that
 * only the database is written again. */
static struct err *
keep_state(struct ctx *c, struct restore *r)
{
	const char *copy = r->copy, *wrong;
	struct archive *a = &r->archive;
	struct err *err = NULL;

	(void)unlink(copy);
	wrong = db_swap_copy_to(c, r->swap, copy);
	if (wrong != NULL)
		return refuse(c, ERR_INTERNAL, "The database cannot be copied: %s.", wrong);
	if (r->database_at == 0) {
		err = archive_add_secrets(a);
		if (err == NULL)
			err = archive_add_people(a);
	} else {
		err = archive_back_to(a, r->database_at);
	}
	if (err == NULL && db_has_hosts())
		err = restore_with_database(c, r, copy, fetch_pictures);
	if (err == NULL)
		err = archive_add_pictures(a);
	if (err == NULL)
		err = restore_with_database(c, r, copy, look_at_present);
	r->database_at = a->tar.written;
	return err != NULL ? err : archive_add_database(a, copy);
}

/* Keeps the present state while no picture can be removed that the copy names. */
static struct err *
keep_held(struct ctx *c, struct restore *r)
{
	int held = media_hold(c, false);
	struct err *err;

	if (held < 0)
		return refuse(c, ERR_INTERNAL, "run/media.lock: %s.", strerror(errno));
	err = keep_state(c, r);
	filelock_release(held);
	return err;
}

static void
tell_damaged(const struct restore *r)
{
	work_tell(r->work, "the present %s damaged (%s); what there is is kept in %s.",
	    r->damage != NULL ? "database is" : "pepper is",
	    r->damage != NULL ? r->damage : "it must have 32 bytes", r->kept);
}

static struct err *
refuse_damaged(struct ctx *c, const struct err *err)
{
	if (db_has_hosts())
		return err_hint(c,
		    refuse(c, ERR_INTERNAL,
			"%s Nothing was changed. Make an empty database and another instance with it, and restore there.",
			err->message),
		    HINT_INIT, NULL);
	return err_hint(c,
	    refuse(c, ERR_INTERNAL,
		"%s Nothing was changed. Move %s and the files of that name with -wal and -shm away while nothing runs, make a new database, and restore again.",
		err->message, c->instance->db),
	    HINT_INIT, NULL);
}

/* Keeps the pages of a damaged database as they are: nothing can be read from it. A server still
 * gives its rows, and the pictures that this host has no copy of. */
static struct err *
keep_pages(struct ctx *c, struct restore *r)
{
	struct archive_facts facts;
	struct err *err = NULL;

	if (db_has_hosts())
		err = restore_with_database(c, r, c->instance->db, fetch_pictures);
	if (err == NULL)
		err = archive_write(c, r->work, r->kept, true, true, false, &facts);
	if (err != NULL)
		return refuse_damaged(c, err);
	tell_damaged(r);
	archive_tell_damaged(c, r->work, &facts, r->kept);
	tell_unknown(c, r->work, "is damaged");
	return NULL;
}

static bool
has_pepper(struct ctx *c)
{
	struct stat st;

	return stat(c->instance->pepper, &st) == 0 && st.st_size == PEPPER_SIZE;
}

/*
 * Writes what will be replaced to db/before-restore-TIME.tar, which has no name yet, and
 * finds in it what the restored state must not undo (r->present, r->keys, r->suspended and others).
 * keep_again() does the same for what was written since. Of a damaged database
 * the pages are kept as they are.
 * Without the pepper that is not a backup, but the restore continues.
 */
static struct err *
keep_now(struct ctx *c, struct restore *r)
{
	bool whole = r->damage == NULL && has_pepper(c);

	db_close(c);
	r->swap = db_swap_open(c, DB_CONTENT);
	r->kept = archive_beside(c, "before-restore", whole ? "tar" : "damaged.tar");
	if (r->damage != NULL)
		return keep_pages(c, r);
	TRY(archive_make_room(c, &r->scratch, &r->copy));
	TRY(archive_begin(c, r->work, r->kept, !whole, &r->archive));
	TRY(keep_held(c, r));
	if (!whole)
		tell_damaged(r);
	return NULL;
}

/* Keeps what was written since. `held`: the caller has media_hold(), and db_swap_lock(). */
static struct err *
keep_again(struct ctx *c, struct restore *r, bool held)
{
	return held ? keep_state(c, r) : keep_held(c, r);
}

/* Gives the tar its name. */
static struct err *
keep_end(struct ctx *c, struct restore *r)
{
	(void)c;
	if (r->archive.file.fd < 0)
		return NULL;
	TRY(archive_end(&r->archive, true));
	archive_tell_damaged(c, r->work, &r->archive.facts, r->kept);
	return NULL;
}

/* Removes a tar that has no name yet, and the scratch files. */
static void
keep_drop(struct restore *r)
{
	if (r->swap != NULL)
		db_swap_close(r->swap);
	r->swap = NULL;
	archive_drop(&r->archive);
	scratch_remove(&r->scratch);
}

/* ---- the steps */

/* How often a restore keeps what was written meanwhile, before it does so under the
 * lock; and how often if nobody could read during the lock. */
#define CATCH_UPS 2
#define CATCH_UPS_MAX 9
/* The time of one run of the job runner, and a reserve. */
#define LOCK_WAIT (90 * CLOCK_SECOND)

static void
draw_epochs(struct ctx *c, struct restore *r)
{
	(void)r;
	workspace_draw_epochs(c);
}

struct keeper {
	struct ctx *c;
	struct restore *r;
};

static void
keep_job(void *arg, const struct job *job)
{
	struct keeper *k = arg;
	struct restore *r = k->r;

	r->jobs = arena_grow(k->c->arena, r->jobs, r->job_count * sizeof(*r->jobs),
	    (r->job_count + 1) * sizeof(*r->jobs));
	r->jobs[r->job_count++] = job->uuid;
}

/* Ends the jobs that were open at the time of the backup. Such a job may have
 * ended since: its article and its charge are lost with the rest, and no customer
 * waits for another. */
static void
end_jobs(struct ctx *c, struct restore *r)
{
	struct keeper keeper = { c, r };

	job_end_all(c, 0,
	    "The service was restored from a backup, and this order was not carried out: order it again with a new Idempotency-Key.",
	    keep_job, &keeper);
}

/* Nothing is published at a date that somebody set in another past (docs/console.md §5.2). */
static void
suspend_dates(struct ctx *c, struct restore *r)
{
	(void)r;
	schedule_suspend_all(c, tr_mark("A backup was restored since."));
}

/* A link to a preview that was ended since the backup stays ended (docs/console.md §4.15). */
static void
end_shares(struct ctx *c, struct restore *r)
{
	(void)r;
	desk_end_shares(c);
}

/* A backup that does not say where it was live has the address of its galley.conf. */
static void
note_address(struct ctx *c, struct restore *r)
{
	live_note_address(c, r->address);
}

/*
 * A fix changes the prepared copy, in a writing transaction of its own. Fixes run in the
 * order of the list in restore.c. Data that must not return as the backup has it needs a
 * fix in that list.
 */
typedef void fix(struct ctx *c, struct restore *r);

static fix *const fixes[] = { restore_withdraw, restore_remove_pictures, draw_epochs,
	restore_end_again, restore_close, end_jobs, suspend_dates, end_shares, note_address };

/* The fixes that depend on the present instance; they run again for late writes. */
static fix *const late_fixes[] = { restore_withdraw, restore_remove_pictures, restore_end_again,
	restore_close };

static struct err *
stopped(struct ctx *c)
{
	return work_stopped(c, "nothing was changed.");
}

/* Takes the lock of the job runner; waits for a runner that is working. */
static struct err *
take_lock(struct ctx *c, const struct work *work, int *lock)
{
	const struct timespec pause = { 0, 200 * 1000 * 1000 };
	int64_t deadline = clock_boot() + LOCK_WAIT;
	bool told = false;
	pid_t holder;

	for (;;) {
		*lock = filelock_take(pending_lock(c), &holder);
		if (*lock >= 0)
			return NULL;
		if (holder == 0)
			return refuse(c, ERR_INTERNAL, "%s: %s.", pending_lock(c), strerror(errno));
		if (clock_boot() >= deadline)
			return refuse(c, ERR_CONFLICT,
			    "The job runner or another restore (process %ld) is at work; nothing was changed. End it, or wait until it is done, and say it again.",
			    (long)holder);
		if (work_must_stop(work))
			return stopped(c);
		if (!told)
			work_tell(work,
			    "waiting for process %ld, the job runner or another restore.",
			    (long)holder);
		told = true;
		nanosleep(&pause, NULL);
	}
}

static struct err *
make_folder(struct ctx *c, struct restore *r)
{
	static const char *const names[] = { "galley.db", "galley.db-journal", "galley.db-wal",
		"galley.db-shm", "pepper", "galley.conf", "epoch", ARCHIVE_PEOPLE_UNPACKED,
		ARCHIVE_SECRET_UNPACKED };
	char id[UUID_TEXT];

	uuid_random(id);
	r->folder = arena_printf(c->arena, "%s/db/" PENDING_PREPARED "%s", c->instance->home, id);
	if (mkdir(r->folder, 0700) != 0)
		return refuse(c, ERR_INTERNAL, "%s: %s.", r->folder, strerror(errno));
	r->room = pending_room(c, r->folder);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		interrupt_remove(restore_file(c, r, names[i]));
	interrupt_remove(r->folder);
	return NULL;
}

/* Runs the fixes, and writes the epoch of the copy to a file: pending_finish() compares
 * it with the database. */
static struct err *
fix_copy(struct ctx *c, struct restore *r)
{
	const struct workspace *w;
	const char *epoch = "";

	for (size_t i = 0; i < sizeof(fixes) / sizeof(fixes[0]); i++) {
		db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
		fixes[i](c, r);
		db_commit(c);
	}
	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		epoch = w->epoch;
	db_commit(c);
	if (!fileio_replace(c->arena, restore_file(c, r, "epoch"), epoch, strlen(epoch), 0600))
		return refuse(
		    c, ERR_INTERNAL, "%s: %s.", restore_file(c, r, "epoch"), strerror(errno));
	return NULL;
}

static struct err *
fix_again(struct ctx *c, struct restore *r)
{
	for (size_t i = 0; i < sizeof(late_fixes) / sizeof(late_fixes[0]); i++) {
		db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
		late_fixes[i](c, r);
		db_commit(c);
	}
	return NULL;
}

static void
tell_broken(void *arg, const struct verify *check)
{
	const struct restore *r = arg;

	if (check->count > 0)
		work_tell(r->work, "in the backup: %s: %zu fault%s, such as: %s", check->name,
		    check->count, check->count == 1 ? "" : "s", check->problems[0]);
}

/* Leaves out the backup's galley.conf if this release cannot read it: the present
 * one is better. */
static void
use_conf(struct ctx *c, struct restore *r)
{
	const char *complaint = restore_conf_complaint(c, r);
	struct conf conf = { .public_url = "" };

	r->address = "";
	if (conf_read(c, restore_file(c, r, "galley.conf"), &conf) == NULL)
		r->address = conf.public_url;
	if (complaint == NULL && !r->keep_conf)
		return;
	if (r->keep_conf)
		compare_conf(c, r);
	if (complaint != NULL)
		work_tell(r->work, "the backup's galley.conf is not used: %s", complaint);
	unlink(restore_file(c, r, "galley.conf"));
}

/* Keeps what was written since the copy was fixed, and runs the fixes that this
 * needs. */
static struct err *
catch_up(struct ctx *c, struct restore *r, bool held)
{
	struct err *err = keep_again(c, r, held);

	return err != NULL ? err : restore_with_copy(c, r, fix_again);
}

/* Takes the write lock when everything that was written is kept. Until then it
 * catches up; the last time it does so under the lock. *held is for
 * filelock_release(). */
static struct err *
lock_kept(struct ctx *c, struct restore *r, int *held)
{
	const char *prepared = restore_file(c, r, "galley.db");
	struct err *err = NULL;

	for (int i = 0; err == NULL; i++) {
		bool last = i == CATCH_UPS && db_swap_can_read(r->swap);
		if (last && (*held = media_hold(c, false)) < 0)
			return refuse(c, ERR_INTERNAL, "run/media.lock: %s.", strerror(errno));
		if (db_swap_lock(c, r->swap, prepared) || r->damage != NULL)
			return NULL;
		(void)FAULT("restore-behind");
		if (last)
			return catch_up(c, r, true);
		db_swap_unlock(r->swap);
		if (i == CATCH_UPS_MAX)
			return refuse(c, ERR_CONFLICT,
			    "Somebody writes all the time, and what is written would be lost; nothing was changed. Restore when less is going on, or stop the web server meanwhile.");
		err = catch_up(c, r, false);
	}
	return err;
}

/* Writes the prepared copy into the database. */
static struct err *
swap(struct ctx *c, struct restore *r)
{
	int held = -1;
	struct err *err = lock_kept(c, r, &held);

	if (err == NULL)
		err = keep_end(c, r);
	if (held >= 0)
		filelock_release(held);
	(void)FAULT("restore-locked");
	if (err == NULL) {
		restore_people_stay(c, r);
		db_swap_commit(c, r->swap);
	}
	return err;
}

/* Commits the restore. From here on pending_finish() repairs what a crash leaves
 * (start/pending.h). */
static struct err *
commit(struct ctx *c, struct restore *r)
{
	const char *home = arena_printf(c->arena, "%s/db", c->instance->home);
	struct err *err;

	interrupt_forget();
	if (!fileio_sync_folder(r->folder) || rename(r->folder, pending_folder(c)) != 0 ||
	    !fileio_sync_folder(home))
		return refuse(c, ERR_INTERNAL, "%s: %s; nothing was changed.", pending_folder(c),
		    strerror(errno));
	r->folder = pending_folder(c);
	(void)FAULT("restore-pending");
	err = pending_announce(c);
	(void)FAULT("restore-announced");
	if (err == NULL)
		err = swap(c, r);
	if (err != NULL) {
		db_swap_close(r->swap);
		r->swap = NULL;
		return pending_undo(c, err);
	}
	(void)FAULT("restore-committed");
	return pending_put(c);
}

/* Restores. The long work comes first. What the present instance must not lose is
 * read last. */
static struct err *
prepare(struct ctx *c, struct restore *r)
{
	struct err *err;

	r->arg = r;
	TRY(restore_unpack(c, r, true, tell_broken));
	TRY(restore_with_copy(c, r, tell_pictures));
	use_conf(c, r);
	err = restore_people_prepare(c, r);
	if (err == NULL)
		err = keep_now(c, r);
	if (err == NULL)
		err = restore_with_copy(c, r, fix_copy);
	if (err == NULL)
		err = restore_put_pictures(c, r);
	(void)FAULT("restore-prepared");
	return err;
}

/* Restores, under the lock of the job runner. The restore can be stopped until it
 * commits. Nothing after the commit reads the database: a fault there would call a whole restore
 * failed. The task runner tells the collector the sites of the restored state. */
static struct err *
restore_locked(struct ctx *c, struct restore *r)
{
	struct err *err = prepare(c, r);

	if (err == NULL ? work_must_stop(r->work) : work_is_stopped(err))
		err = stopped(c);
	if (err == NULL)
		err = commit(c, r);
	if (err == NULL)
		restore_people_put(c, r);
	return err;
}

struct err *
restore_run(struct ctx *c, struct restore *r)
{
	const char *folder;
	struct err *err = NULL;
	int lock = -1;

	if (!r->locked)
		TRY(take_lock(c, r->work, &lock));
	pending_sweep(c);
	/* First: a server that does not answer ends the command, and nothing is to be removed
	 * then. */
	r->damage = db_file_complaint(c, c->instance->db, true);
	err = make_folder(c, r);
	if (err == NULL) {
		folder = r->folder;
		r->scratch.fd = r->archive.file.fd = r->people_room.fd = -1;
		err = restore_locked(c, r);
		pending_remove(r->room);
		pending_remove(folder);
		keep_drop(r);
		scratch_remove(&r->people_room);
	}
	if (lock >= 0)
		filelock_release(lock);
	return err;
}
