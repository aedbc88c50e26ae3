/* Tells the state of the runner and of the open jobs in words. */
#include <string.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "base/jread.h"
#include "job/runner/runner.h"
#include "store/db.h"

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
