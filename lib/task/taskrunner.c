#include "task/taskrunner.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "access/day-key.h"
#include "access/live.h"
#include "access/sites.h"
#include "action/article/publish-actions.h"
#include "action/person/mailing.h"
#include "action/person/person-actions.h"
#include "action/uploaded-files.h"
#include "article/media.h"
#include "article/thumbs.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "job/cron.h"
#include "notify/mail.h"
#include "notify/ping.h"
#include "notify/postman.h"
#include "people/secret.h"
#include "start/release.h"
#include "stats/api-readers.h"
#include "stats/hit-count.h"
#include "stats/hit.h"
#include "stats/stats.h"
#include "store/db.h"
#include "store/hosts.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/harden.h"
#include "system/instance.h"
#include "system/work.h"
#include "system/zone.h"
#include "task/errand.h"
#include "task/moving-step.h"
#include "task/slice.h"

/* ---- the children */

#define TIMERS (2 * CLOCK_SECOND)
#define NOT_NOW 9 /* status of a child that could not begin what is due */

static bool
must_stop(void *arg)
{
	(void)arg;
	return stop_signal() != 0;
}

static const struct work child_work = { .must_stop = must_stop };

static void
child_errand(struct ctx *c)
{
	if (!errand_run(c, false, &child_work))
		_exit(NOT_NOW);
}

static void
child_aside(struct ctx *c)
{
	if (!errand_run(c, true, &child_work))
		_exit(NOT_NOW);
}

/* Returns whether the instance is not live (access/live.h). The content is open, without a
 * transaction. */
static bool
child_is_quiet(struct ctx *c)
{
	bool quiet;

	db_begin_read(c, DB_CONTENT);
	quiet = live_quiet_since(c) != 0;
	db_rollback(c);
	return quiet;
}

static void
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

static void
child_count(struct ctx *c)
{
	bool news;

	db_open(c, DB_WAIT_TOOL_MS);
	news = count_run(c);
	db_close(c);
	if (!news)
		_exit(NOT_NOW);
}

static void
child_hits(struct ctx *c)
{
	bool more;

	db_open(c, DB_WAIT_TOOL_MS);
	more = hits_count(c);
	db_close(c);
	if (!more)
		_exit(NOT_NOW);
}

static void
child_sweep(struct ctx *c)
{
	db_open(c, DB_WAIT_TOOL_MS);
	(void)media_cache_sweep(c);
	db_close(c);
}

static void
child_thumbs(struct ctx *c)
{
	if (!thumbs_make(c, &child_work))
		_exit(NOT_NOW);
}

/* Takes from this process what a timer or a task need not reach: it reads the instance's own files
 * alone, and writes its content, its people and its log; of run/ it writes what the console writes.
 * An errand is a work of the tool, and has what the tool has. */
static void
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

	db_confine(c, paths, sizeof(paths) / sizeof(paths[0]));
}

/* These two confine themselves. */
static void
child_slice(struct ctx *c)
{
	db_open(c, DB_WAIT_TOOL_MS);
	slice_run(c, false, child_confine);
	db_close(c);
}

static void
child_slice_beside(struct ctx *c)
{
	db_open(c, DB_WAIT_TOOL_MS);
	slice_run(c, true, child_confine);
	db_close(c);
}

/* Starts `work` in a child process, which is killed when the runner ends. With `confined` it has
 * only what child_confine() leaves. Returns its id, or -1. */
static pid_t
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

/* Returns whether a child that ended with this status of waitpid() did its work. *deaths counts one
 * that ended in another way than its own. */
static bool
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

/* Runs `work` in a child process, and waits. Returns whether it did its work. */
static bool
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

/*
 * ---- children that wait for strangers, and work beside the runner's passes
 *
 * Nothing else waits for them. One sends pings (notify/ping.h), one mails (action/person/mailing.h,
 * notify/postman.h), one after the other: a mail system that hangs holds up nothing but other
 * mails. Of each child there is one at a time.
 */

struct notifier {
	/* Does its work in the child, until `until` (boot clock), and ends it. It calls `confine`
	 * once it needs no program any more. */
	void (*run)(struct ctx *c, void (*confine)(struct ctx *c), int64_t until);
	int64_t last; /* microseconds that its last piece of work may take */
	pid_t child; /* 0: there is none */
	bool began; /* the run had one */
};

#define NOTIFIER_PING_LAST (12 * 1000000LL) /* of a ping */
#define NOTIFIER_MAIL_LAST (22 * 1000000LL) /* what a mail may take, and a reserve */

#define LONG (600 * CLOCK_SECOND) /* a child of a run that has no end */
#define SHORT (2 * CLOCK_SECOND) /* for the first child of a run */

/* Returns whether a ping is to be sent. The content is open. */
static bool
notifier_has_pings(struct ctx *c)
{
	struct ping_list all;

	ping_read(c, &all);
	return ping_is_due(c, &all);
}

static bool
notifier_must_stop(void)
{
	return stop_signal() != 0;
}

_Static_assert(NOTIFIER_PING_LAST > PINGER_SECONDS * CLOCK_SECOND, "a ping ends in this time");

/* Sends pings: the member `run`. */
static void
notifier_send_pings(struct ctx *c, void (*confine)(struct ctx *c), int64_t until)
{
	struct pinger *p = pinger_open(c);

	confine(c);
	db_open(c, DB_WAIT_TOOL_MS);
	pinger_run(c, p, until, notifier_must_stop);
	db_close(c);
	pinger_close(p);
	_exit(0);
}

enum child { CHILD_NONE, CHILD_WORKS, CHILD_DONE, CHILD_DIED };

/* Looks at the child, which is no more if it has ended. */
static enum child
notifier_look(struct notifier *t, int *deaths)
{
	int status;

	if (t->child == 0)
		return CHILD_NONE;
	if (waitpid(t->child, &status, WNOHANG) != t->child)
		return CHILD_WORKS;
	t->child = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return CHILD_DONE;
	++*deaths;
	log_line("a child that tells ended with status %d", status);
	return CHILD_DIED;
}

/* Starts the child, unless there is one, or the run ends (`ends_at`, boot clock; 0: it does not)
 * before a stranger's answer would be there: then only a run's first one begins, so that a run
 * that is short tells, too. `confine` takes from the child what it need not
 * reach. *deaths counts one that did not come to its end. */
static void
notifier_start(
    struct ctx *c, struct notifier *t, void (*confine)(struct ctx *c), int64_t ends_at, int *deaths)
{
	int64_t now = clock_boot();
	int64_t until = ends_at != 0 ? ends_at - t->last : now + LONG;
	pid_t own = getpid();

	if (!t->began && until < now + SHORT)
		until = now + SHORT;
	if (notifier_look(t, deaths) == CHILD_WORKS || now >= until)
		return;
	t->began = true;
	t->child = fork();
	if (t->child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != own)
			_exit(1);
		t->run(c, confine, until);
		_exit(1);
	}
	if (t->child < 0) {
		log_line("fork: %s", strerror(errno));
		t->child = 0;
	}
}

/* Waits until the child has ended; tells it when the runner must stop. Returns whether there
 * was one that came to its end. */
static bool
notifier_wait(struct notifier *t, int *deaths)
{
	const struct timespec pause = { 0, 20 * 1000 * 1000 };
	enum child child;

	/* A signal that comes just before a wait that blocks would not end it. */
	while ((child = notifier_look(t, deaths)) == CHILD_WORKS) {
		if (stop_signal() != 0)
			(void)kill(t->child, SIGTERM);
		nanosleep(&pause, NULL);
	}
	return child == CHILD_DONE;
}

#define EVERY (300 * CLOCK_SECOND)

static const char *
looked_file(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console/mailed");
}

/* Returns whether it is time to look for what is to be told. */
static bool
is_time(struct ctx *c)
{
	const char *text = fileio_read_now(c->arena, looked_file(c), CLOCK_TEXT, NULL);
	int64_t at, now = clock_now();

	return text == NULL || !clock_parse(text, &at) || at > now || at < now - EVERY;
}

/* On a host whose console nobody has used yet the folder is not there. */
static void
note_time(struct ctx *c)
{
	char now[CLOCK_TEXT];

	clock_format(now, clock_now());
	if (!fileio_make_folder(fileio_folder(c->arena, looked_file(c)), 0700) ||
	    !fileio_replace(c->arena, looked_file(c), now, strlen(now), 0600))
		log_line("%s: %s", looked_file(c), strerror(errno));
}

/* Reads mail_command. */
static struct err *
read_postman(struct ctx *c, struct postman *out)
{
	struct console_conf own;

	console_conf_read(c, &own);
	return postman_read(c, own.mail_command, out);
}

/* Returns whether a mail is to be sent, or it is time to look for what is to be told: that is every
 * five minutes, and run/console/mailed says when it was. With `now` it looks whenever it did so
 * last. The content is open. With a command that cannot be started it returns true at each look,
 * which tells so. */
static bool
notifier_has_mails(struct ctx *c, bool now)
{
	struct postman postman;

	if (!secret_exists(c) || !mailing_is_on(c))
		return false;
	if (now)
		(void)unlink(looked_file(c));
	return is_time(c) || (read_postman(c, &postman) == NULL && mail_is_due(c));
}

/* Sends one mail. No database is open. Returns how its try ended. */
static enum mail_outcome
send(struct ctx *c, const struct postman *postman, const struct mail *m, const struct mailing *to)
{
	static const enum mail_outcome outcomes[] = { [POSTMAN_SENT] = MAIL_SENT,
		[POSTMAN_FAILED] = MAIL_FAILED,
		[POSTMAN_UNKNOWN] = MAIL_UNKNOWN };
	const struct letter l = { .kind = m->kind,
		.uuid = m->uuid,
		.to = to->email,
		.from = postman->from,
		.language = to->person->language,
		.console = letter_console(c),
		.path = to->path };
	char why[POSTMAN_WHY];
	enum postman_result result =
	    postman_send(c, postman, to->email, letter_write(c, &l), notifier_must_stop, why);

	mail_fault_note(c, result == POSTMAN_SENT ? NULL : why);
	if (result != POSTMAN_SENT)
		log_line("mail %s: %s", m->uuid, why);
	return outcomes[result];
}

/* Works on the mail that is due. False if there is none. */
static bool
work(struct ctx *c, const struct postman *postman)
{
	struct mailing to;
	struct mail m;
	enum mail_outcome outcome = MAIL_ENDED;
	bool wanted, begun;

	db_open(c, DB_WAIT_TOOL_MS);
	if (!mail_next(c, &m)) {
		db_close(c);
		return false;
	}
	wanted = mailing_read(c, &m, &to);
	begun = wanted && mail_begin(c, &m) && mail_is_last_try(c, &m);
	db_close(c);
	if (begun)
		outcome = send(c, postman, &m, &to);
	if (begun || !wanted) {
		db_open(c, DB_WAIT_TOOL_MS);
		mail_end(c, &m, outcome);
		db_close(c);
	}
	return true;
}

static void
gather(struct ctx *c, int64_t until)
{
	if (!is_time(c))
		return;
	note_time(c);
	db_open(c, DB_WAIT_TOOL_MS);
	mailing_gather(c, until, notifier_must_stop);
	db_close(c);
}

static void
run(struct ctx *c, int64_t until)
{
	struct postman postman;
	struct err *err = read_postman(c, &postman);

	if (err != NULL) {
		mail_fault_note(c, err->message);
		log_line("%s", err->message);
		note_time(c);
		return;
	}
	gather(c, until);
	while (!notifier_must_stop() && clock_boot() < until && work(c, &postman))
		continue;
}

/* Sends mails: the member `run`. It is not confined: it starts the operator's program
 * (notify/postman.h). */
static _Noreturn void
notifier_send_mails(struct ctx *c, void (*confine)(struct ctx *c), int64_t until)
{
	(void)confine;
	run(c, until);
	_exit(0);
}

/* ---- the runner */

#define PASS_MEMORY ((size_t)1024 * 1024 * 1024)
#define TELLING (30 * CLOCK_SECOND) /* of a run that an errand keeps */
#define COUNT_EVERY (60 * CLOCK_SECOND)
#define DEATHS_MAX 5 /* of children, before the run ends: the next one tries again */

/* What works beside all else: an errand, one that is aside of the others (errand.h), a slice of a
 * task that waits for strangers (slice.h), and thumbnails. */
enum { BESIDE_ERRAND, BESIDE_ASIDE, BESIDE_SLICE, BESIDE_THUMBS, BESIDE_COUNT };

struct run {
	struct ctx *c;
	bool once;
	int64_t ends_at; /* boot clock */
	int deaths;
	struct notifier telling; /* the child that sends pings beside the passes */
	struct notifier mailing; /* the one that sends mails */
	bool slice_died; /* in a run that ends by itself, the next run goes on with the task */
	bool looked; /* whether what people lost the right to has ended */
	bool placed; /* whether the place of the instance was compared (access/live.h) */
	bool counts; /* whether stats.db was seen to be there */
	int64_t count_at; /* boot clock: when lines may be counted again */
	int64_t hits_at; /* boot clock: when hits may be counted again */
	int64_t sites_at; /* boot clock: when the list of sites is compared again */
	/* The children that work beside all else; 0: none. */
	struct {
		pid_t child;
		bool tried; /* whether an errand was begun, or another one could not do its work */
	} beside[BESIDE_COUNT];
};

/* Returns whether a child works beside all else. */
static bool
is_busy(const struct run *r)
{
	for (int i = 0; i < BESIDE_COUNT; i++) {
		if (r->beside[i].child != 0)
			return true;
	}
	return false;
}

/* Waits until something may be due; a shorter time while the end of an errand is waited for. */
static void
idle(const struct run *r)
{
	const struct timespec second = { 1, 0 }, less = { 0, 100 * 1000 * 1000 };

	nanosleep(is_busy(r) ? &less : &second, NULL);
}

/* ---- what is due */

struct due {
	bool timer, count, hits, task, beside, telling, mailing, sweep, thumbs;
};

/* Counts begin with the first run after an upgrade that could not make the file, too. */
static bool
look_at_count(struct run *r)
{
	if (clock_boot() < r->count_at)
		return false;
	if (!r->counts)
		r->counts = stats_create(r->c);
	r->count_at = clock_boot() + COUNT_EVERY;
	return r->counts && count_is_due(r->c);
}

/* Keeps the list of the collector true, and ends the keys of days that are over. */
static void
look_at_sites(struct run *r)
{
	if (clock_boot() < r->sites_at)
		return;
	sites_write(r->c);
	(void)day_key_sweep(r->c, clock_now());
	if (r->counts)
		day_key_share(r->c, clock_now());
	r->sites_at = clock_boot() + COUNT_EVERY;
}

/* The collector opens no database: without its list it refuses, as the other programs of a
 * closed instance do. */
static void
close_sites(struct run *r)
{
	if (clock_boot() < r->sites_at)
		return;
	sites_remove(r->c);
	r->sites_at = clock_boot() + COUNT_EVERY;
}

/* Hits are due as counts are. */
static bool
look_at_hits(struct run *r)
{
	if (clock_boot() < r->hits_at || !r->counts)
		return false;
	r->hits_at = clock_boot() + COUNT_EVERY;
	return hits_are_due(r->c);
}

/* An errand that a newer release asked for is left to its own task runner. */
static bool
errand_is_due(struct ctx *c, int which, struct errand *e)
{
	bool found = which == BESIDE_ASIDE ? errand_find_aside(c, e) : errand_find(c, e);

	return found && errand_is_open(e) && release_is_installed(c);
}

/* Returns whether a child still works. */
static bool
goes_on(struct run *r, int which)
{
	pid_t *child = &r->beside[which].child;
	int status, deaths = r->deaths;

	if (*child == 0 || waitpid(*child, &status, WNOHANG) == 0)
		return *child != 0;
	*child = 0;
	if (!child_came_to_its_end(status, &deaths))
		r->beside[which].tried = true;
	/* Thumbnails hold up nothing: the next run makes them. */
	if (which != BESIDE_THUMBS)
		r->deaths = deaths;
	return false;
}

/* Begins a child that works beside all else. */
static void
begin_beside(struct run *r, int which, void (*does)(struct ctx *c))
{
	pid_t child = child_begin(r->c, does, false);

	r->beside[which].child = child < 0 ? 0 : child;
}

/* Works on the errand that is due. Returns whether it came to its end: one that runs beside all
 * else has only begun. */
static bool
work_on_errand(struct run *r, int which)
{
	struct errand e;

	/* An errand that died is begun again by the next run, not at once. */
	if (goes_on(r, which) || (r->once && r->beside[which].tried) ||
	    !errand_is_due(r->c, which, &e))
		return false;
	if (which == BESIDE_ERRAND && !errand_is_beside(&e))
		return child_run(r->c, child_errand, false, &r->deaths);
	r->beside[which].tried = true;
	begin_beside(r, which, which == BESIDE_ASIDE ? child_aside : child_errand);
	return false;
}

/* Returns whether such a child may begin beside all else: there is none, and the run goes on. */
static bool
may_begin(struct run *r, int which)
{
	return !goes_on(r, which) && (r->once || clock_boot() < r->ends_at);
}

/* Ends a run: what goes on is asked to end, and waits for the next run. */
static void
end_beside(const struct run *r)
{
	for (int i = 0; i < BESIDE_COUNT; i++) {
		if (r->beside[i].child == 0)
			continue;
		(void)kill(r->beside[i].child, SIGTERM);
		(void)waitpid(r->beside[i].child, NULL, 0);
	}
}

static void
look(struct run *r, struct due *out)
{
	struct ctx *c = r->c;
	enum db_release release;
	bool quiet;

	*out = (struct due) { .timer = false };
	if (access(c->instance->db, F_OK) != 0)
		return;
	db_open(c, DB_WAIT_TOOL_MS);
	release = db_release(c);
	if (release == DB_RELEASE_MOVED)
		close_sites(r);
	if (release == DB_RELEASE_SAME) {
		quiet = r->placed ? child_is_quiet(c) : live_look(c);
		r->placed = true;
		/* Once in a run: it repeats what was killed, and nothing else needs it. */
		out->timer = (!quiet && later_is_due(c)) ||
			     (!r->looked && (ending_is_due(c) || uploads_are_old(c) ||
						moving_unpack_sweep(c, true)));
		r->looked = true;
		out->count = look_at_count(r);
		look_at_sites(r);
		out->hits = look_at_hits(r);
		out->sweep = media_cache_is_due(c);
		out->task = slice_is_due(c, false);
		out->beside = may_begin(r, BESIDE_SLICE) && slice_is_due(c, true);
		out->thumbs = may_begin(r, BESIDE_THUMBS) && !r->beside[BESIDE_THUMBS].tried &&
			      thumbs_are_due(c);
		out->telling = !quiet && notifier_has_pings(c);
		out->mailing = !quiet && notifier_has_mails(c, r->once && !r->mailing.began);
	}
	db_close(c);
}

/* Counts hits once a minute, and at once where there was more than one child may count: true then.
 * A child that dies here holds up nothing else. */
static bool
count_hits(struct run *r)
{
	int deaths = r->deaths;
	bool more = child_run(r->c, child_hits, true, &r->deaths);

	r->deaths = deaths;
	if (more)
		r->hits_at = 0;
	return more;
}

/* The same of lines of requests.log. */
static bool
count(struct run *r)
{
	int64_t began_at = clock_boot();
	int deaths = r->deaths;
	bool more = child_run(r->c, child_count, true, &r->deaths) &&
		    clock_boot() - began_at > CLOCK_SECOND;

	r->deaths = deaths;
	if (more)
		r->count_at = 0;
	return more;
}

/* Returns when a child that tells now must have ended (boot clock); 0: at no certain time. The
 * run goes on as long as its errand does. */
static int64_t
tells_until(const struct run *r)
{
	int64_t more = clock_boot() + TELLING;

	if (r->once)
		return 0;
	return is_busy(r) && r->ends_at < more ? more : r->ends_at;
}

/* Does what is due. False if nothing was, or if it could not be done. An errand comes first: it
 * may be what brings the database to this release. One that dies holds up nothing else. */
static bool
pass(struct run *r)
{
	struct due due;
	bool done = false;

	(void)work_on_errand(r, BESIDE_ASIDE);
	if (work_on_errand(r, BESIDE_ERRAND))
		return true;
	look(r, &due);
	if (due.telling)
		notifier_start(r->c, &r->telling, child_confine, tells_until(r), &r->deaths);
	if (due.mailing)
		notifier_start(r->c, &r->mailing, child_confine, tells_until(r), &r->deaths);
	if (due.timer)
		done = child_run(r->c, child_timers, true, &r->deaths);
	if (due.count)
		done = count(r) || done;
	if (due.hits)
		done = count_hits(r) || done;
	if (due.sweep)
		(void)child_run(r->c, child_sweep, true, &r->deaths);
	if (due.beside)
		begin_beside(r, BESIDE_SLICE, child_slice_beside);
	if (due.thumbs)
		begin_beside(r, BESIDE_THUMBS, child_thumbs);
	if (due.task && !(r->once && r->slice_died)) {
		r->slice_died = !child_run(r->c, child_slice, false, &r->deaths);
		done = done || !r->slice_died;
	}
	return done;
}

static void
loop(struct run *r)
{
	struct conf conf;
	struct err *err;

	while (stop_signal() == 0 && r->deaths < DEATHS_MAX) {
		arena_reset(r->c->arena);
		log_follow();
		err = conf_take(r->c, &conf);
		if (err != NULL)
			die("%s", err->message);
		if (r->ends_at == 0)
			r->ends_at = clock_boot() + conf.runner_seconds * CLOCK_SECOND;
		if (!r->once && !is_busy(r) && clock_boot() >= r->ends_at)
			break;
		/* The instance may be removed while nobody knows of this process. */
		if (access(r->c->instance->run, F_OK) != 0)
			break;
		if (pass(r))
			continue;
		if (r->once && !is_busy(r) && !notifier_wait(&r->telling, &r->deaths) &&
		    !notifier_wait(&r->mailing, &r->deaths))
			break;
		if (!r->once || is_busy(r))
			idle(r);
	}
	(void)notifier_wait(&r->telling, &r->deaths);
	(void)notifier_wait(&r->mailing, &r->deaths);
}

static bool
take_lock(struct ctx *c, int *lock)
{
	const char *path = fileio_path(c->arena, c->instance->run, "task-runner.lock");
	pid_t holder;

	*lock = filelock_take(path, &holder);
	if (*lock < 0 && holder == 0)
		die("%s: %s", path, strerror(errno));
	return *lock >= 0;
}

int
taskrunner_run(struct ctx *c, bool once)
{
	struct run r = { .c = c,
		.once = once,
		.telling = { .run = notifier_send_pings, .last = NOTIFIER_PING_LAST },
		.mailing = { .run = notifier_send_mails, .last = NOTIFIER_MAIL_LAST } };
	struct arena *kept = c->arena;
	struct arena mine;
	int lock;

	stop_catch();
	cron_note_tasks(c);
	if (!take_lock(c, &lock))
		return 0;
	(void)FAULT("task-runner-locked");
	arena_init(&mine, PASS_MEMORY);
	c->arena = &mine;
	loop(&r);
	end_beside(&r);
	c->arena = kept;
	arena_release(&mine);
	filelock_release(lock);
	return r.deaths > 0;
}
