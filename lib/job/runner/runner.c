#include "job/runner/runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "access/live.h"
#include "base/arena.h"
#include "base/clock.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "base/log.h"
#include "job/try.h"
#include "store/db.h"

#define JOB_MEMORY ((size_t)1024 * 1024 * 1024)
#define IDLE_MS 200 /* between two checks of an empty queue */

static const int stop_signals[] = { SIGTERM, SIGINT, SIGHUP };
#define STOP_SIGNALS (sizeof(stop_signals) / sizeof(stop_signals[0]))

/* A signal handler can reach only variables of the process. */
static volatile sig_atomic_t stopped;

static void
stop(int number)
{
	(void)number;
	stopped = 1;
}

/* Blocks the signals: they are delivered only where the runner sleeps. Pending ones
 * count, too. */
static void
take_signals(void)
{
	struct sigaction action = { .sa_handler = stop };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < STOP_SIGNALS; i++) {
		sigaction(stop_signals[i], &action, NULL);
		sigaddset(&set, stop_signals[i]);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
}

bool
runner_stopping(void)
{
	sigset_t pending;

	if (stopped || sigpending(&pending) != 0)
		return stopped;
	for (size_t i = 0; i < STOP_SIGNALS; i++) {
		if (sigismember(&pending, stop_signals[i]) == 1)
			return true;
	}
	return false;
}

static void
idle(void)
{
	struct timespec pause = { .tv_nsec = IDLE_MS * 1000000L };
	sigset_t none;

	sigemptyset(&none);
	(void)ppoll(NULL, 0, &pause, &none);
}

static bool
take_lock(struct runner *r)
{
	const char *path = arena_printf(r->c->arena, "%s/runner.lock", r->c->instance->run);
	pid_t holder;

	if (r->lock >= 0)
		return true;
	r->lock = filelock_take(path, &holder);
	if (r->lock < 0 && holder == 0)
		die("%s: %s", path, strerror(errno));
	r->worker.locked = r->lock >= 0;
	if (r->worker.locked)
		(void)FAULT("runner-locked");
	return r->worker.locked;
}

/* Reads galley.conf, for every job again. If it has a fault, the last good settings
 * serve for the rest of the run's work, but no job begins: the program that writes must
 * never come from old settings. */
static void
read_conf(struct runner *r, struct conf *conf)
{
	struct err *err = conf_take(r->c, conf);

	if (err != NULL)
		die("%s", err->message);
	if (conf->fault == NULL) {
		runner_tell_fine(r->c, RUNNER_CONF);
		r->conf_told = false;
		return;
	}
	r->faulty = true;
	if (r->conf_told)
		return;
	r->conf_told = true;
	runner_tell_fault(r->c, RUNNER_CONF,
	    arena_printf(r->c->arena,
		"%s Until that is fixed no job is begun; the API answers by the last good settings.",
		conf->fault));
}

/* Tells that no order is begun because this instance was live elsewhere (access/live.h). */
static bool
is_quiet(struct runner *r, bool quiet)
{
	if (quiet)
		runner_tell_fault(r->c, RUNNER_QUIET,
		    "this instance was live under another address or on another machine: it begins no order, publishes nothing at a date and sends nothing until somebody says galley live");
	else
		runner_tell_fine(r->c, RUNNER_QUIET);
	return quiet;
}

static bool
something_waits(struct runner *r)
{
	bool waits, quiet;

	db_begin_read(r->c, DB_CONTENT);
	waits = job_claim_waits(r->c, &r->worker);
	quiet = waits && live_quiet_since(r->c) != 0;
	db_commit(r->c);
	if (!waits || is_quiet(r, quiet))
		return false;
	if (runner_house_has_room(r->c)) {
		runner_tell_fine(r->c, RUNNER_ROOM);
		return true;
	}
	r->faulty = true;
	runner_tell_fault(r->c, RUNNER_ROOM,
	    "less than 64 MiB are free: no job is begun until there is more room");
	return false;
}

/* Claims a job and works on it. False if there is none. */
static bool
work(struct runner *r)
{
	enum job_claim claim;
	struct job *job;

	if (r->c->conf->fault != NULL || !something_waits(r))
		return false;
	db_begin_write(r->c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	claim = job_claim(r->c, &r->worker, &job);
	db_commit(r->c);
	if (claim == JOB_ENDED)
		runner_tell(r, "job %s: failed: %s", job->uuid, job->error);
	if (claim == JOB_CLAIMED)
		runner_work(r, job);
	return claim != JOB_NOTHING;
}

static void
loop(struct runner *r)
{
	struct arena *mine = r->c->arena;
	struct conf conf;

	while (!runner_stopping()) {
		arena_reset(mine);
		log_follow();
		read_conf(r, &conf);
		if (!r->once && clock_boot() >= r->ends_at)
			break;
		/* The process that held the lock may be dead by now. */
		take_lock(r);
		if (work(r) || runner_house_slice(r))
			continue;
		if (r->once)
			break;
		idle();
	}
}

/* Returns whether this process may work: it holds the lock, or the holder hangs. */
static bool
may_work(struct runner *r)
{
	bool overdue;

	if (take_lock(r))
		return true;
	db_begin_read(r->c, DB_CONTENT);
	overdue = job_claim_overdue(r->c, &r->worker);
	db_commit(r->c);
	if (overdue)
		log_line("the runner that holds the lock hangs: working beside it");
	return overdue;
}

static void
run(struct runner *r)
{
	struct conf conf;

	read_conf(r, &conf);
	r->ends_at = clock_boot() + conf.runner_seconds * CLOCK_SECOND;
	runner_tell_seen(r->c);
	db_open(r->c, DB_WAIT_TOOL_MS);
	if (may_work(r)) {
		runner_tell_confinement(r->c);
		if (r->lock >= 0)
			runner_house(r);
		(void)is_quiet(r, live_look(r->c));
		loop(r);
	} else if (r->terminal) {
		runner_tell(r, "another runner is at work");
	}
	runner_tell_fine(r->c, RUNNER_START);
	db_close(r->c);
}

int
runner_run(struct ctx *c, bool once, void (*house)(struct ctx *c))
{
	struct runner r = { .c = c,
		.kept = c->arena,
		.lock = -1,
		.once = once,
		.house = house,
		.terminal = isatty(STDOUT_FILENO) };
	struct arena job;

	take_signals();
	try_init();
	job_worker_init(c, &r.worker);
	arena_init(&job, JOB_MEMORY);
	c->arena = &job;
	run(&r);
	c->arena = r.kept;
	arena_release(&job);
	return r.faulty;
}
