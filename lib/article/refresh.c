#include "article/refresh.h"

#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/workspace.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/stop.h"
#include "system/work.h"

#define SLICE 20 /* articles rendered between two transactions */
#define SLICE_MEMORY ((size_t)1 << 30)
#define SHARE 60 /* ids that a process takes at a time */
#define WORKERS_MAX 8

/* The work as all processes know it. */
struct refresh {
	struct ctx *c;
	const struct work *work; /* the caller's */
	int64_t workspace_id; /* 0: all */
	int64_t total; /* articles to look at */
	int64_t last; /* highest internal id of an article */
	pid_t workers[WORKERS_MAX];
	int count; /* of the workers */
	int pipe[2]; /* from them, a struct slice for each slice */
	bool stopped;
};

/* A message is shorter than PIPE_BUF, so each arrives whole. */
struct slice {
	int64_t seen, renewed;
};

static void
count_articles(void *arg, const struct workspace *w)
{
	struct refresh *r = arg;

	r->total += article_count(r->c, w->id, ARTICLE_DRAFT) +
		    article_count(r->c, w->id, ARTICLE_PUBLISHED);
}

static void
find_work(struct refresh *r)
{
	struct ctx *c = r->c;

	db_begin_read(c, DB_CONTENT);
	if (r->workspace_id == 0)
		workspace_list(c, count_articles, r);
	else
		count_articles(r, workspace_of(c, r->workspace_id));
	r->last = stored_last_id(c);
	db_commit(c);
}

/* Works on a share, slice by slice. Each slice has its own memory. The first
 * process sends SIGTERM if the work must stop. */
static void
work_on(struct refresh *r, int64_t after, int64_t last)
{
	struct slice slice;
	bool more = true;

	while (more && stop_signal() == 0) {
		slice = (struct slice) { 0 };
		more = stored_refresh(
		    r->c, r->workspace_id, &after, last, SLICE, &slice.seen, &slice.renewed);
		arena_reset(r->c->arena);
		if (slice.seen > 0 &&
		    write(r->pipe[1], &slice, sizeof(slice)) != (ssize_t)sizeof(slice))
			die("the pipe to the first process is closed");
	}
}

/* Works on every `count`-th share of the ids, from the `number`-th on. */
static _Noreturn void
work(struct refresh *r, int number, pid_t parent)
{
	struct arena scratch;

	stop_catch();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	close(r->pipe[0]);
	arena_init(&scratch, SLICE_MEMORY);
	r->c->arena = &scratch;
	db_open(r->c, DB_WAIT_TOOL_MS);
	for (int64_t from = (int64_t)SHARE * number; from < r->last;
	     from += (int64_t)SHARE * r->count)
		work_on(r, from, from + SHARE);
	db_close(r->c);
	_exit(0);
}

/* Returns how many processes to use: one for each processor that this process may
 * use, but not more than there are shares. */
static int
workers_for(int64_t total)
{
	cpu_set_t set;
	int count = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		count = CPU_COUNT(&set);
	if (count > WORKERS_MAX)
		count = WORKERS_MAX;
	while (count > 1 && total <= (int64_t)SHARE * (count - 1))
		count--;
	return count;
}

static void
stop_workers(struct refresh *r)
{
	r->stopped = true;
	for (int i = 0; i < r->count; i++)
		(void)kill(r->workers[i], SIGTERM);
}

/* Shows what the workers do until they have ended. Returns how many articles were
 * renewed. */
static int64_t
watch(struct refresh *r)
{
	int64_t renewed = 0;
	struct slice slice;

	work_begin(r->work, "Rendering", WORK_PIECES, r->total);
	while (read(r->pipe[0], &slice, sizeof(slice)) == (ssize_t)sizeof(slice)) {
		renewed += slice.renewed;
		work_step(r->work, slice.seen);
		(void)FAULT("exports-watched");
		if (!r->stopped && work_must_stop(r->work))
			stop_workers(r);
	}
	work_end(r->work);
	return renewed;
}

static void
start_workers(struct refresh *r)
{
	pid_t own = getpid();

	if (pipe(r->pipe) != 0)
		die("pipe: no more descriptors");
	r->count = workers_for(r->total);
	for (int i = 0; i < r->count; i++) {
		r->workers[i] = fork();
		if (r->workers[i] == 0)
			work(r, i, own);
		if (r->workers[i] < 0)
			die("fork: no more processes");
	}
	close(r->pipe[1]);
}

struct err *
refresh_run(struct ctx *c, const struct work *work, int64_t workspace_id, int64_t *renewed)
{
	struct refresh r = { .c = c, .work = work, .workspace_id = workspace_id };
	int status, failed = 0;

	find_work(&r);
	db_close(c);
	start_workers(&r);
	*renewed = watch(&r);
	close(r.pipe[0]);
	for (int i = 0; i < r.count; i++)
		failed += waitpid(r.workers[i], &status, 0) < 0 || status != 0;
	if (failed > 0)
		return refuse(c, ERR_INTERNAL,
		    "%d of %d processes ended early. What was renewed stays; the same command again does the rest.",
		    failed, r.count);
	if (r.stopped)
		return work_stopped(c,
		    "%" PRId64 " stored export%s renewed."
		    " The same command again does the rest.",
		    *renewed, *renewed == 1 ? " was" : "s were");
	return NULL;
}
