#include "task/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "access/live.h"
#include "action/dates/later.h"
#include "action/moving/uploads.h"
#include "action/person/ending.h"
#include "article/public/media-cache.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "stats/count.h"
#include "stats/hits.h"
#include "stats/segment.h"
#include "stats/stats.h"
#include "store/db-hosts.h"
#include "store/db.h"
#include "system/harden.h"
#include "system/instance.h"
#include "system/stop.h"
#include "system/work.h"
#include "system/zone/zone.h"
#include "task/errand.h"
#include "task/moving/moving-unpack.h"
#include "task/slice.h"

#define TIMERS (2 * CLOCK_SECOND)
#define NOT_NOW 9 /* status of a child that could not begin what is due */

static bool
must_stop(void *arg)
{
	(void)arg;
	return stop_signal() != 0;
}

void
child_errand(struct ctx *c)
{
	const struct work work = { .must_stop = must_stop };

	if (!errand_run(c, false, &work))
		_exit(NOT_NOW);
}

void
child_aside(struct ctx *c)
{
	const struct work work = { .must_stop = must_stop };

	if (!errand_run(c, true, &work))
		_exit(NOT_NOW);
}

bool
child_is_quiet(struct ctx *c)
{
	bool quiet;

	db_begin_read(c, DB_CONTENT);
	quiet = live_quiet_since(c) != 0;
	db_rollback(c);
	return quiet;
}

void
child_timers(struct ctx *c)
{
	int64_t until = clock_boot() + TIMERS;
	bool live;

	db_open(c, DB_WAIT_TOOL_MS);
	live = !child_is_quiet(c);
	ending_all(c);
	if (uploads_are_old(c))
		uploads_sweep(c);
	(void)moving_unpack_sweep(c, false);
	while (live && clock_boot() < until && stop_signal() == 0 && later_run_next(c))
		arena_reset(c->arena);
	db_close(c);
}

void
child_count(struct ctx *c)
{
	bool news;

	db_open(c, DB_WAIT_TOOL_MS);
	news = count_run(c);
	db_close(c);
	if (!news)
		_exit(NOT_NOW);
}

void
child_hits(struct ctx *c)
{
	bool more;

	db_open(c, DB_WAIT_TOOL_MS);
	more = hits_count(c);
	db_close(c);
	if (!more)
		_exit(NOT_NOW);
}

void
child_sweep(struct ctx *c)
{
	db_open(c, DB_WAIT_TOOL_MS);
	(void)media_cache_sweep(c);
	db_close(c);
}

void
child_confine(struct ctx *c)
{
	const char *run = c->instance->run;
	const struct harden_path paths[] = {
		{ .path = c->instance->home },
		{ .path = fileio_folder(c->arena, c->instance->db), .writes = true },
		{ .path = fileio_path(c->arena, c->instance->home, "people"), .writes = true },
		{ .path = stats_folder(c), .writes = true },
		{ .path = c->instance->log, .writes = true },
		{ .path = fileio_path(c->arena, run, "console"),
		    .writes = true,
		    .make = HARDEN_MAKE_FOLDER },
		{ .path = segment_folder(c), .writes = true, .make = HARDEN_MAKE_FOLDER },
		{ .path = fileio_path(c->arena, run, "generation"),
		    .writes = true,
		    .make = HARDEN_MAKE_FILE },
		{ .path = fileio_path(c->arena, run, "media.lock"),
		    .writes = true,
		    .make = HARDEN_MAKE_FILE },
		{ .path = c->instance->media, .writes = true },
		{ .path = c->instance->programs },
		{ .path = ZONE_SYSTEM },
	};

	db_before_confinement(c);
	(void)harden_confine(paths, sizeof(paths) / sizeof(paths[0]));
}

void
child_slice(struct ctx *c)
{
	db_open(c, DB_WAIT_TOOL_MS);
	slice_run(c, false, child_confine);
	db_close(c);
}

void
child_slice_beside(struct ctx *c)
{
	db_open(c, DB_WAIT_TOOL_MS);
	slice_run(c, true, child_confine);
	db_close(c);
}

pid_t
child_begin(struct ctx *c, void (*work)(struct ctx *c), bool confined)
{
	pid_t own = getpid(), pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != own)
			_exit(1);
		if (confined)
			child_confine(c);
		work(c);
		_exit(0);
	}
	if (pid < 0)
		log_line("fork: %s", strerror(errno));
	return pid;
}

bool
child_came_to_its_end(int status, int *deaths)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_NOW)
		return false;
	++*deaths;
	log_line("a child ended with status %d", status);
	return false;
}

bool
child_run(struct ctx *c, void (*work)(struct ctx *c), bool confined, int *deaths)
{
	pid_t pid = child_begin(c, work, confined);
	int status = 0;

	if (pid < 0)
		return false;
	/* A signal ends the wait with EINTR only while no handler restarts it, so the
	 * child is looked at. */
	while (waitpid(pid, &status, WNOHANG) == 0) {
		const struct timespec pause = { 0, 5 * 1000 * 1000 };
		if (stop_signal() != 0)
			(void)kill(pid, SIGTERM);
		nanosleep(&pause, NULL);
		if (stop_signal() != 0) {
			(void)waitpid(pid, &status, 0);
			break;
		}
	}
	return child_came_to_its_end(status, deaths);
}
