#include "job/trial.h"

#include <string.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "job/job.h"
#include "system/conf.h"

#define USUAL_TOPIC "What our readers ask us most often"

struct err *
trial_program(struct ctx *c, const char **program)
{
	if (c->conf->fault != NULL)
		return refuse(c, ERR_INVALID,
		    "No provider is run while galley.conf has a fault: %s", c->conf->fault);
	*program = try_program(c);
	if (*program == NULL)
		return refuse(c, ERR_INVALID,
		    "galley.conf names no provider: write provider = outline, openai, or the absolute path of a program.");
	return NULL;
}

static void
note(struct trial *t, const char *what, const char *name)
{
	t->ms = (clock_boot() - t->began_at) / 1000;
	t->told(t->arg, what, name, t->ms);
}

static bool
alive(void *arg)
{
	const struct trial *t = arg;

	return t->alive == NULL || t->alive(t->arg);
}

static bool
stage(void *arg, const char *name)
{
	note(arg, "stage", name);
	return true;
}

static bool
step(void *arg, const char *name, const char *steps)
{
	(void)steps;
	note(arg, "step", name);
	return true;
}

/* Makes the order, which is no job. */
static void
prepare(struct ctx *c, struct trial *t, struct try_task *task)
{
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	uuid_random(uuid);
	t->image = t->image && t->kind == JOB_ARTICLE;
	t->job = (struct job) { .uuid = uuid,
		.kind = t->kind,
		.image = t->image,
		.workspace_id = t->workspace->id,
		.reserved_credits = price_reservation(c->conf, t->kind, t->image) };
	*task = (struct try_task) { .job_id = uuid,
		.kind = t->kind,
		.topic = t->topic != NULL ? t->topic : USUAL_TOPIC,
		.image = t->image,
		.attempt = 1,
		.steps = "{}",
		.workspace = t->workspace };
}

void
trial_run(struct ctx *c, struct trial *t)
{
	struct try_watch watch = { .arg = t, .alive = alive, .stage = stage, .step = step };
	struct try_task task;
	struct err *err;

	prepare(c, t, &task);
	t->began_at = clock_boot();
	try_init();
	try_run(c, t->program, &task, &watch, &t->try);
	t->stopped = t->try.end == TRY_STOPPED;
	if (t->try.end == TRY_FAILED) {
		t->error = t->try.fault.sentence;
		t->code = t->try.fault.code;
	} else if (!t->stopped) {
		err = result_read(c, &t->job, t->workspace, &t->try, false, &t->result);
		t->error = err == NULL ? NULL : err->message;
		t->code = err == NULL ? NULL : "invalid_output";
	}
	t->ms = (clock_boot() - t->began_at) / 1000;
}

void
trial_close(struct trial *t)
{
	try_close(&t->try);
}
