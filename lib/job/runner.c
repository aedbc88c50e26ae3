#include "job/runner.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "access/live.h"
#include "access/workspace.h"
#include "article/revision.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/log.h"
#include "job/result.h"
#include "job/scratch.h"
#include "job/try.h"
#include "stats/logs.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/harden.h"
#include "system/instance.h"
#include "system/unsaved.h"

/* A workspace whose stale exports a run renews. */
struct runner_shelf {
	int64_t id;
	const char *uuid;
	/* token of its settings (s1_…) when the run began */
	char settings[TOKEN_TEXT];
	int64_t after; /* the last article that was examined */
	bool fresh;
};

struct runner {
	struct ctx *c;
	/* memory for the whole run; c->arena is for one job */
	struct arena *kept;
	struct job_worker worker;
	int lock; /* descriptor; -1: another runner holds the lock */
	bool once; /* does all work that is due, then ends */
	bool terminal; /* standard output is a terminal */
	bool faulty; /* a lasting fault was met in this run */
	bool conf_told; /* this run told of a fault in galley.conf */
	int64_t ends_at; /* boot clock: no job is claimed after this time */
	/* house-keeping that bin/job-runner adds */
	void (*house)(struct ctx *c);
	struct runner_shelf *shelves; /* NULL: not listed yet */
	size_t shelf_count;
};

/* ---- what a run tells the log, a terminal and the operator */

#define TEXT_MAX ((size_t)8192)

static const char *
file(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/%s", c->instance->run, name);
}

/* Tells the log, and a terminal if there is one, of progress. */
static void __attribute__((format(printf, 2, 3)))
runner_tell(const struct runner *r, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log_line("%s", text);
	if (r->terminal)
		log_show(stdout, text);
}

/* Returns the path of the file that holds the last text told of a fault. */
static const char *
fault_file(struct ctx *c, enum runner_fault fault)
{
	static const char *const names[] = { "fault.start", "fault.room", "fault.provider",
		"fault.confinement", "fault.conf", "fault.quiet" };

	return file(c, names[fault]);
}

void
runner_tell_fault(struct ctx *c, enum runner_fault fault, const char *text)
{
	const char *path = fault_file(c, fault);
	const char *told = fileio_read_now(c->arena, path, TEXT_MAX, NULL);

	if (told != NULL && strcmp(told, text) == 0 && !isatty(STDERR_FILENO))
		return;
	log_line("%s", text);
	fputs("job-runner: ", stderr);
	log_show(stderr, text);
	/* If it cannot be noted (a full disk), it is told again. */
	(void)fileio_replace(c->arena, path, text, strlen(text), 0600);
}

/* Logs what this machine cannot prevent a provider from doing. The same text is never
 * logged again. */
static void
runner_tell_confinement(struct ctx *c)
{
	const char *path = fault_file(c, RUNNER_CONFINEMENT);
	const char *lacks = harden_stranger_lacks(harden_stranger_possible());
	const char *told = fileio_read_now(c->arena, path, TEXT_MAX, NULL);

	if (lacks == NULL)
		(void)unlink(path);
	if (lacks == NULL || (told != NULL && strcmp(told, lacks) == 0))
		return;
	log_line("%s", lacks);
	(void)fileio_replace(c->arena, path, lacks, strlen(lacks), 0600);
}

/* Notes that the fault is over: the next one is told again. */
static void
runner_tell_fine(struct ctx *c, enum runner_fault fault)
{
	(void)unlink(fault_file(c, fault));
}

/* Notes that a run began, for runner_seen(). */
static void
runner_tell_seen(struct ctx *c)
{
	char now[CLOCK_TEXT];

	clock_format(now, clock_now());
	if (!fileio_replace(c->arena, file(c, "runner.seen"), now, strlen(now), 0600))
		log_line("%s: %s", file(c, "runner.seen"), strerror(errno));
}

int64_t
runner_seen(struct ctx *c)
{
	const char *text = fileio_read_now(c->arena, file(c, "runner.seen"), CLOCK_TEXT, NULL);
	int64_t at;

	return text != NULL && clock_parse(text, &at) ? at : 0;
}

/* ---- what a run does besides jobs (docs/design.md §3, §5) */

#define ROOM_MIN ((uint64_t)64 * 1024 * 1024)
#define SLICE 5 /* articles between two checks of the queue */
#define FRESH_MAX ((size_t)8 * 1024 * 1024)

/* Whether the disk has room to work (64 MiB). */
static bool
runner_house_has_room(struct ctx *c)
{
	struct statvfs fs;

	if (FAULT("runner-room") != 0)
		return false;
	/* If the file system cannot tell, the work itself will meet a full disk. */
	return statvfs(c->instance->home, &fs) != 0 ||
	       (uint64_t)fs.f_bavail * fs.f_frsize >= ROOM_MIN;
}

static void
take_settings(struct runner *r)
{
	struct ctx *c = r->c;
	int64_t changed = workspace_follow_public_url(c, c->conf->public_url);
	int64_t settled = workspace_settle_origins(c);

	if (settled > 0)
		runner_tell(r, "the origins of %lld workspaces are as browsers write them now",
		    (long long)settled);
	if (changed >= 0)
		runner_tell(r, "public_url is now %s for %lld workspaces", c->conf->public_url,
		    (long long)changed);
}

static void
put_on_shelf(struct runner *r, const struct workspace *w)
{
	struct runner_shelf *shelf;
	size_t size = sizeof(*shelf);

	r->shelves =
	    arena_grow(r->kept, r->shelves, r->shelf_count * size, (r->shelf_count + 1) * size);
	shelf = &r->shelves[r->shelf_count++];
	memset(shelf, 0, size);
	shelf->id = w->id;
	shelf->uuid = arena_text(r->kept, w->uuid);
	token_settings(w, shelf->settings);
}

/* Returns the path of the file that names the fresh workspaces. A change of a
 * workspace's settings makes its stored exports stale, and the token of the
 * settings tells of it. A workspace is fresh if all its articles were examined
 * under its present token. The file only saves work. */
static const char *
fresh_path(struct ctx *c)
{
	return arena_printf(c->arena, "%s/exports.fresh", c->instance->run);
}

static const char *
fresh_line(struct ctx *c, const struct runner_shelf *shelf)
{
	return arena_printf(c->arena, "%s %s\n", shelf->uuid, shelf->settings);
}

/* Reads which workspaces are fresh. The file has the lines in the order of the shelves,
 * so the next line is tried first. */
static void
read_fresh(struct runner *r)
{
	const char *text = fileio_read_now(r->c->arena, fresh_path(r->c), FRESH_MAX, NULL);
	const char *next = text;

	for (size_t i = 0; i < r->shelf_count && text != NULL; i++) {
		const char *line = fresh_line(r->c, &r->shelves[i]);
		size_t len = strlen(line);
		const char *found = strncmp(next, line, len) == 0 ? next : strstr(text, line);
		r->shelves[i].fresh = found != NULL;
		if (found != NULL)
			next = found + len;
	}
}

static void
write_fresh(struct runner *r)
{
	struct buf out;

	buf_init(&out, r->c->arena, FRESH_MAX);
	for (size_t i = 0; i < r->shelf_count; i++) {
		if (r->shelves[i].fresh)
			buf_add_text(&out, fresh_line(r->c, &r->shelves[i]));
	}
	(void)fileio_replace(r->c->arena, fresh_path(r->c), out.data, out.len, 0600);
}

/* Does what a run begins with: removes what dead processes left, repairs clocks, takes
 * over a changed public_url. */
static void
runner_house(struct runner *r)
{
	const struct workspace *w;

	logs_rotate(r->c);
	scratch_sweep(r->c);
	unsaved_sweep(r->c);
	r->house(r->c);
	workspace_repair_counters(r->c);
	change_settle(r->c);
	take_settings(r);
	db_begin_read(r->c, DB_CONTENT);
	for (struct stmt *q = workspace_list(r->c); (w = workspace_next(r->c, q)) != NULL;)
		put_on_shelf(r, w);
	db_commit(r->c);
	read_fresh(r);
	(void)FAULT("runner-house");
}

/* Renews some stale exports. False if none is left. */
static bool
runner_house_slice(struct runner *r)
{
	struct runner_shelf *shelf = NULL;
	int64_t seen = 0, renewed = 0;

	for (size_t i = 0; i < r->shelf_count && shelf == NULL; i++) {
		if (!r->shelves[i].fresh)
			shelf = &r->shelves[i];
	}
	if (shelf == NULL)
		return false;
	if (stored_refresh(r->c, shelf->id, &shelf->after, INT64_MAX, SLICE, &seen, &renewed))
		return true;
	shelf->fresh = true;
	write_fresh(r);
	return true;
}

/* ---- signals */

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

/* Whether the process was asked to end (SIGTERM, SIGINT, SIGHUP). */
static bool
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

/* ---- the work on a job */

/* how often the worker checks that the job is still its own */
#define LOOK (CLOCK_SECOND / 4)
#define RENEW (20 * CLOCK_SECOND) /* a third of the lease */

struct work {
	struct runner *r;
	struct ctx *c;
	struct job *job;
	const struct workspace *workspace;
	int64_t began_at; /* boot clock, like the next two */
	int64_t looked_at;
	int64_t renewed_at;
	bool lost; /* the job is another worker's, or has ended */
};

/* Notes that the job was taken away: it was cancelled, or another runner found the
 * lease over. */
static bool
lose(struct work *w)
{
	w->lost = true;
	return false;
}

static bool
alive(void *arg)
{
	struct work *w = arg;
	int64_t now = clock_boot();
	bool held;

	if (runner_stopping())
		return false;
	if (now - w->looked_at < LOOK)
		return true;
	w->looked_at = now;
	if (now - w->renewed_at < RENEW) {
		db_begin_read(w->c, DB_CONTENT);
		held = job_claim_holds(w->c, w->job);
	} else {
		db_begin_write(w->c, DB_CONTENT, DB_CHANGES_NOTHING, 0, w->job->account_id);
		held = job_claim_renew(w->c, w->job);
		w->renewed_at = now;
	}
	db_commit(w->c);
	return held || lose(w);
}

static bool
stage(void *arg, const char *stage)
{
	struct work *w = arg;
	bool held;

	if (strcmp(stage, w->job->stage) == 0)
		return alive(arg);
	db_begin_write(w->c, DB_CONTENT, DB_CHANGES_NOTHING, 0, w->job->account_id);
	held = job_claim_stage(w->c, w->job, stage);
	db_commit(w->c);
	if (!held)
		return lose(w);
	runner_tell(w->r, "job %s: %s", w->job->uuid, stage);
	return alive(arg);
}

static bool
step(void *arg, const char *name, const char *steps)
{
	struct work *w = arg;
	bool held;

	db_begin_write(w->c, DB_CONTENT, DB_CHANGES_NOTHING, 0, w->job->account_id);
	held = job_claim_step(w->c, w->job, steps);
	db_commit(w->c);
	if (!held)
		return lose(w);
	runner_tell(w->r, "job %s: step %s is stored", w->job->uuid, name);
	return alive(arg);
}

/* Notes the fault of a try: the job waits for another try, or fails. `at` is the stage
 * that the job gets; NULL leaves its stage. */
static void
fail(struct work *w, const struct job_fault *fault, const char *at)
{
	struct job *job = w->job;
	bool held, again;

	db_begin_write(w->c, DB_CONTENT, DB_CHANGES_NOTHING, 0, w->job->account_id);
	if (at != NULL)
		(void)job_claim_stage(w->c, job, at);
	held = job_end_try(w->c, job, fault, &again);
	db_commit(w->c);
	(void)FAULT("runner-failed");
	w->lost = !held;
	if (!held)
		return;
	runner_tell(w->r, "job %s: %s (%s)%s", job->uuid, fault->sentence, fault->code,
	    again ? ": will be tried again" : ": failed");
	if (strcmp(fault->code, "provider_not_configured") == 0) {
		w->r->faulty = true;
		runner_tell_fault(w->c, RUNNER_PROVIDER,
		    arena_printf(w->c->arena,
			"jobs fail: %s (provider = %s in galley.conf; galley provider test tells more)",
			fault->sentence, w->c->conf->provider));
	}
}

static void
fail_output(struct work *w, const struct err *err, const char *at)
{
	struct job_fault fault = { .code = "invalid_output" };

	fault.sentence =
	    arena_printf(w->c->arena, "The provider's answer cannot be used: %s", err->message);
	fail(w, &fault, at);
}

static void
finish(struct work *w, const struct try *try)
{
	struct result result;
	struct err *err;
	bool held;

	(void)FAULT("runner-result");
	err = result_read(w->c, w->job, w->workspace, try, true, &result);
	if (err != NULL) {
		fail_output(w, err, NULL);
		return;
	}
	err = result_finish(w->c, w->job, &result, &held);
	(void)FAULT("runner-finished");
	w->lost = !held;
	if (err != NULL)
		fail_output(w, err, "publishing");
	if (err != NULL || !held)
		return;
	runner_tell_fine(w->c, RUNNER_PROVIDER);
	runner_tell(w->r, "job %s: completed for %lld of %lld credits after %lld ms", w->job->uuid,
	    (long long)result.charge, (long long)w->job->reserved_credits,
	    (long long)((clock_boot() - w->began_at) / 1000));
}

/* Gives the job back because the runner must end. This does not count as a try. */
static void
release(struct work *w)
{
	db_begin_write(w->c, DB_CONTENT, DB_CHANGES_NOTHING, 0, w->job->account_id);
	w->lost = !job_claim_release(w->c, w->job);
	db_commit(w->c);
	(void)FAULT("runner-released");
	if (!w->lost)
		runner_tell(w->r, "job %s: given back", w->job->uuid);
}

static void
try_once(struct work *w, const char *program)
{
	struct try_watch watch = { .arg = w, .alive = alive, .stage = stage, .step = step };
	struct try_task task = {
		.job_id = w->job->uuid,
		.kind = w->job->kind,
		.topic = w->job->topic,
		.image = w->job->image,
		.attempt = w->job->tries + 1,
		.steps = w->job->steps,
		.workspace = w->workspace,
	};
	struct try try;

	db_begin_read(w->c, DB_CONTENT);
	if (w->job->research_id != 0)
		task.brief = job_of(w->c, w->job->research_id)->brief;
	db_commit(w->c);
	try_run(w->c, program, &task, &watch, &try);
	if (try.end == TRY_DONE)
		finish(w, &try);
	else if (try.end == TRY_FAILED)
		fail(w, &try.fault, NULL);
	else if (!w->lost)
		release(w);
	try_close(&try);
}

/* Works on a claimed job until it has ended, waits for another try, or was given back. */
static void
runner_work(struct runner *r, struct job *job)
{
	static const struct job_fault no_program = {
		.code = "provider_not_configured",
		.sentence = "The publisher has not configured a provider.",
	};
	struct work w = { .r = r, .c = r->c, .job = job };
	const char *program = try_program(r->c);

	w.began_at = w.looked_at = w.renewed_at = clock_boot();
	runner_tell(r, "job %s: claimed (%s, try %lld)", job->uuid, job_kind_name(job->kind),
	    (long long)job->tries + 1);
	(void)FAULT("runner-claimed");
	db_begin_read(r->c, DB_CONTENT);
	w.workspace = workspace_of(r->c, job->workspace_id);
	db_commit(r->c);
	if (program != NULL)
		try_once(&w, program);
	else
		fail(&w, &no_program, NULL);
	if (w.lost)
		runner_tell(r,
		    "job %s: was taken over or has ended; what came of this try is thrown away",
		    job->uuid);
}

/* ---- the run */

#define JOB_MEMORY ((size_t)1024 * 1024 * 1024)
#define IDLE_MS 200 /* between two checks of an empty queue */

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

/* ---- the state of the runner and of the open jobs, in words */

#define CRON_LATE (300 * CLOCK_SECOND) /* longer than any usual cron line */

/* Returns a span of time as "45 s", "3 min", "2 h" or "5 days". */
static const char *
span(struct ctx *c, int64_t us)
{
	long long s = us > 0 ? (long long)(us / CLOCK_SECOND) : 0;

	if (s < 120)
		return arena_printf(c->arena, "%lld s", s);
	if (s < 7200)
		return arena_printf(c->arena, "%lld min", s / 60);
	if (s < 172800)
		return arena_printf(c->arena, "%lld h", s / 3600);
	return arena_printf(c->arena, "%lld days", s / 86400);
}

const char *
runner_status_cron(struct ctx *c)
{
	int64_t seen = runner_seen(c), now = clock_now();
	const char *last = seen == 0 ? "Cron has never started the runner"
				     : arena_printf(c->arena, "Cron last started the runner %s ago",
					   span(c, now - seen));

	if (seen != 0 && now - seen < CRON_LATE)
		return arena_printf(c->arena, "%s.", last);
	return arena_printf(c->arena,
	    "%s: jobs wait. Add this line with crontab -e, as the owner of %s:\n  * * * * * %s/bin/job-runner",
	    last, c->instance->home, c->instance->programs);
}

static size_t
count_steps(struct ctx *c, const struct job *job)
{
	struct err *err;
	json_t *steps;

	err = jread_parse(c, "steps", job->steps, strlen(job->steps), &steps);
	return err == NULL ? json_object_size(steps) : 0;
}

static const char *
leased(struct ctx *c, const struct job *job)
{
	int64_t left = job->lease_until - lease_now(c);
	struct job_worker here;

	job_worker_init(c, &here);
	if (!lease_is_shared() && strcmp(here.boot, job->lease_boot) != 0)
		return "was begun before the machine was started again; the next run goes on";
	if (left <= 0)
		return "its worker is silent; the next run goes on";
	return arena_printf(c->arena, "is worked on: stage %s, try %lld, lease for %s more",
	    job->stage, (long long)job->tries + 1, span(c, left));
}

const char *
runner_status_of(struct ctx *c, const struct job *job)
{
	int64_t now = clock_now(), wait = job->run_after - now;

	if (job->status == JOB_QUEUED)
		return arena_printf(c->arena, "is queued since %s", span(c, now - job->created_at));
	if (job->leased)
		return leased(c, job);
	if (job->tries == 0 || wait <= 0 || wait > JOB_WAIT_LONGEST)
		return arena_printf(c->arena, "is due for try %lld", (long long)job->tries + 1);
	return arena_printf(c->arena, "waits %s for try %lld: %s", span(c, wait),
	    (long long)job->tries + 1, job->error);
}

struct page {
	struct ctx *c;
	struct buf *out;
	int64_t count;
};

static void
tell_job(void *arg, const struct job *job)
{
	struct page *page = arg;
	struct ctx *c = page->c;
	size_t steps = count_steps(c, job);

	page->count++;
	buf_printf(page->out, "%s  %-8s  %s", job->uuid, job_kind_name(job->kind),
	    runner_status_of(c, job));
	if (steps > 0)
		buf_printf(page->out, "; %zu step%s stored", steps, steps == 1 ? "" : "s");
	if (job->deaths > 0)
		buf_printf(
		    page->out, "; %lld of %d workers died", (long long)job->deaths, JOB_DEATHS);
	buf_add_char(page->out, '\n');
}

void
runner_status(struct ctx *c, struct buf *out)
{
	struct page page = { .c = c, .out = out };
	const char *lock = arena_printf(c->arena, "%s/runner.lock", c->instance->run);
	pid_t holder = filelock_holder(lock);

	buf_printf(out, "%s\n", runner_status_cron(c));
	if (holder > 0)
		buf_printf(out, "A runner is at work (process %ld).\n", (long)holder);
	else
		buf_add_text(out, "No runner is at work.\n");
	db_begin_read(c, DB_CONTENT);
	job_list_open(c, tell_job, &page);
	db_commit(c);
	if (page.count == 0)
		buf_add_text(out, "No job waits.\n");
}
