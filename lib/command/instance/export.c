/* galley export refresh */
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/pick.h"
#include "terminal/progress.h"
#include "store/db.h"

#define SLICE 20 /* articles rendered between two transactions */
#define SLICE_MEMORY ((size_t)1 << 30)
#define SHARE 60 /* ids that a process takes at a time */
#define WORKERS_MAX 8

/* What all processes know of the work. */
struct refresh {
	struct ctx *c;
	int64_t workspace; /* inside id; 0: all */
	int64_t total; /* articles to look at */
	int64_t last;  /* highest inside id of an article */
	int workers;
	int pipe[2]; /* from them, a struct slice for each slice */
};

/* Less than PIPE_BUF: each arrives whole. */
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

static struct err *
find_work(struct refresh *r, const struct call *call, const char *name)
{
	struct ctx *c = r->c;
	struct workspace *w;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	if (name == NULL) {
		workspace_list(c, count_articles, r);
	} else {
		err = pick_workspace(c, call, name, &w);
		if (err != NULL)
			return err;
		r->workspace = w->id;
		count_articles(r, w);
	}
	r->last = stored_last_id(c);
	db_commit(c);
	return NULL;
}

/* Memory is given back after each slice. */
static void
work_on(struct refresh *r, int64_t after, int64_t last)
{
	struct slice slice;
	bool more = true;

	while (more) {
		slice = (struct slice){ 0 };
		more = stored_refresh(r->c, r->workspace, &after, last, SLICE,
		    &slice.seen, &slice.renewed);
		arena_reset(r->c->arena);
		if (slice.seen > 0 && write(r->pipe[1], &slice, sizeof(slice)) !=
		    (ssize_t)sizeof(slice))
			die("the pipe to the first process is closed");
	}
}

/* Every `workers`-th share of the ids, from the `number`-th on. */
static _Noreturn void
work(struct refresh *r, int number, pid_t parent)
{
	struct arena scratch;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	close(r->pipe[0]);
	arena_init(&scratch, SLICE_MEMORY);
	r->c->arena = &scratch;
	db_open(r->c, DB_WAIT_TOOL_MS);
	for (int64_t from = (int64_t)SHARE * number; from < r->last;
	    from += (int64_t)SHARE * r->workers)
		work_on(r, from, from + SHARE);
	db_close(r->c);
	_exit(0);
}

/* One process for each processor that we may use. */
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

/* Shows what they do until they have ended; returns how many were renewed. */
static int64_t
watch(const struct refresh *r)
{
	struct progress progress;
	int64_t renewed = 0;
	struct slice slice;

	progress_begin(&progress, "Rendering", WORK_PIECES, r->total);
	while (read(r->pipe[0], &slice, sizeof(slice)) == (ssize_t)sizeof(slice)) {
		renewed += slice.renewed;
		progress_step(&progress, slice.seen);
	}
	progress_end(&progress);
	return renewed;
}

/* No connection may live through a fork(): each process opens its own. */
static struct err *
share_work(struct refresh *r, int64_t *renewed)
{
	struct ctx *c = r->c;
	pid_t own = getpid(), pid;
	int status, failed = 0;

	db_close(c);
	if (pipe(r->pipe) != 0)
		die("pipe: no more descriptors");
	r->workers = workers_for(r->total);
	for (int i = 0; i < r->workers; i++) {
		pid = fork();
		if (pid == 0)
			work(r, i, own);
		if (pid < 0)
			die("fork: no more processes");
	}
	close(r->pipe[1]);
	*renewed = watch(r);
	close(r->pipe[0]);
	while (wait(&status) > 0)
		failed += status != 0;
	if (failed == 0)
		return NULL;
	return refuse(c, ERR_INTERNAL,
	    "%d of %d processes ended early. What was renewed stays; say it"
	    " again for the rest.", failed, r->workers);
}

static struct err *
refresh(struct ctx *c, struct call *call)
{
	struct refresh r = { .c = c };
	struct err *err = find_work(&r, call, call_option(call, "workspace"));
	int64_t renewed;

	if (err == NULL)
		err = share_work(&r, &renewed);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "renewed", renewed);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%" PRId64 " stored export%s renewed.", renewed,
	    renewed == 1 ? " was" : "s were");
	return NULL;
}

static const struct command_option refresh_options[] = {
	{ .name = "workspace", .value = "ID",
	    .help = "only this one; else all" },
	{ .name = NULL },
};

const struct command command_export[] = {
	{ .noun = "export", .verb = "refresh", .operands = "",
	    .options = refresh_options, .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = refresh,
	    .summary = "store the finished bytes that a settings change made"
		       " stale",
	    .text = "Answers are right without it; they cost more until the"
		    " bytes are stored. The job runner\ndoes the same, in"
		    " small pieces; this uses all processors at once. Killed,"
		    " it just goes on\nnext time." },
	{ .verb = NULL },
};
