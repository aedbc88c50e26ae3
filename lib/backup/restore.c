#include "backup/restore.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/live.h"
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
#include "system/conf.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/interrupt.h"

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

static restore_fix *const fixes[] = { restore_withdraw, restore_remove_pictures, draw_epochs,
	restore_end_again, restore_close, end_jobs, suspend_dates, end_shares, note_address };

/* The fixes that depend on the present instance; they run again for late writes. */
static restore_fix *const late_fixes[] = { restore_withdraw, restore_remove_pictures,
	restore_end_again, restore_close };

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

static void
keep_epoch(void *arg, const struct workspace *w)
{
	const char **epoch = arg;

	*epoch = w->epoch;
}

/* Runs the fixes, and writes the epoch of the copy to a file: pending_finish() compares
 * it with the database. */
static struct err *
fix_copy(struct ctx *c, struct restore *r)
{
	const char *epoch = "";

	for (size_t i = 0; i < sizeof(fixes) / sizeof(fixes[0]); i++) {
		db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
		fixes[i](c, r);
		db_commit(c);
	}
	db_begin_read(c, DB_CONTENT);
	workspace_list(c, keep_epoch, &epoch);
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
		restore_compare_conf(c, r);
	if (complaint != NULL)
		work_tell(r->work, "the backup's galley.conf is not used: %s", complaint);
	unlink(restore_file(c, r, "galley.conf"));
}

/* Keeps what was written since the copy was fixed, and runs the fixes that this
 * needs. */
static struct err *
catch_up(struct ctx *c, struct restore *r, bool held)
{
	struct err *err = restore_keep_again(c, r, held);

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
		err = restore_keep_end(c, r);
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
	err = restore_unpack(c, r, true, tell_broken);
	if (err == NULL)
		err = restore_with_copy(c, r, restore_tell_pictures);
	if (err != NULL)
		return err;
	use_conf(c, r);
	err = restore_people_prepare(c, r);
	if (err == NULL)
		err = restore_keep(c, r);
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
		err = take_lock(c, r->work, &lock);
	if (err != NULL)
		return err;
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
		restore_keep_drop(r);
		scratch_remove(&r->people_room);
	}
	if (lock >= 0)
		filelock_release(lock);
	return err;
}
