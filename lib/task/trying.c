#include "task/trying.h"

#include <inttypes.h>
#include <string.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/trial.h"
#include "store/db.h"
#include "system/harden.h"
#include "system/work.h"
#include "task/asking.h"
#include "task/errand.h"
#include "task/report.h"

struct trying {
	struct ctx *c;
	const struct work *work;
	struct report out;
	struct workspace *newest;
};

static void
keep_workspace(void *arg, const struct workspace *w)
{
	struct trying *t = arg;

	t->newest = arena_alloc(t->c->arena, sizeof(*t->newest));
	*t->newest = *w;
}

static void
told(void *arg, const char *what, const char *name, int64_t ms)
{
	struct trying *t = arg;
	struct ctx *c = t->c;

	report_add(c, &t->out, REPORT_GOOD, arena_printf(c->arena, "%s %s", what, name),
	    arena_printf(c->arena, "after %" PRId64 " ms", ms), NULL);
}

static bool
go_on(void *arg)
{
	const struct trying *t = arg;

	return !work_must_stop(t->work);
}

static const char *
price_of(struct ctx *c, const struct trial *t)
{
	const struct price_usage *usage = &t->try.usage;

	return arena_printf(c->arena,
	    "It used %" PRId64 " input tokens, %" PRId64 " output tokens and %" PRId64
	    " images: a job would cost %" PRId64 " of %" PRId64 " credits. Nothing was charged.",
	    usage->input_tokens, usage->output_tokens, usage->images, t->result.charge,
	    t->job.reserved_credits);
}

/* Tells how it ended. Returns that as a sentence. */
static const char *
tell_end(struct trying *t, const struct trial *trial)
{
	const char *lacks = harden_stranger_lacks(harden_stranger_possible());
	struct ctx *c = t->c;

	if (lacks != NULL)
		report_add(c, &t->out, REPORT_WARN, "confinement", lacks, NULL);
	if (trial->error != NULL) {
		report_add(c, &t->out, REPORT_BAD, trial->code, arena_text(c->arena, trial->error),
		    "docs/provider.md says what a provider must answer.");
		return arena_printf(
		    c->arena, "The provider failed after %" PRId64 " ms.", trial->ms);
	}
	if (trial->image && !trial->result.has_image)
		report_add(c, &t->out, REPORT_WARN, "image",
		    "The image failed; the article would be delivered without it.", NULL);
	if (trial->kind == JOB_ARTICLE)
		report_add(c, &t->out, REPORT_GOOD, "title", trial->result.snapshot.title, NULL);
	report_add(c, &t->out, REPORT_NOTE, "price", price_of(c, trial), NULL);
	return arena_printf(c->arena, "The provider works; it took %" PRId64 " ms.", trial->ms);
}

/* Runs it. The content is open. */
static struct err *
run(struct trying *t, const char *what, const char **report)
{
	struct ctx *c = t->c;
	struct trial trial = { .told = told,
		.alive = go_on,
		.arg = t,
		.kind = strcmp(what, PROVIDER_RESEARCH) == 0 ? JOB_RESEARCH : JOB_ARTICLE,
		.image = strcmp(what, PROVIDER_PICTURE) == 0 };
	struct err *err = trial_program(c, &trial.program);

	if (err != NULL)
		return err;
	db_begin_read(c, DB_CONTENT);
	workspace_list(c, keep_workspace, t);
	db_rollback(c);
	if (t->newest == NULL)
		return refuse(c, ERR_CONFLICT, "There is no workspace to write for yet.");
	trial.workspace = t->newest;
	report_add(c, &t->out, REPORT_NOTE, "program", arena_text(c->arena, trial.program), NULL);
	trial_run(c, &trial);
	if (trial.stopped)
		err = work_stopped(c, "the provider was not tested to its end.");
	else
		*report = tell_end(t, &trial);
	trial_close(&trial);
	return err;
}

struct err *
trying_run(struct ctx *c, const struct errand *e, const struct work *work, const char **report)
{
	struct trying t = { .c = c, .work = work };
	struct err *err;

	db_open(c, DB_WAIT_TOOL_MS);
	err = run(&t, e->file, report);
	db_close(c);
	if (err == NULL)
		report_write(c, e->kind, &t.out);
	return err;
}
