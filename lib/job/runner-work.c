/* Works on one job, from its claim to its end. */
#include <string.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "job/result.h"
#include "job/runner.h"
#include "job/try.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/fault.h"

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

void
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
