/* galley provider test */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "action/read.h"
#include "base/arena.h"
#include "base/clock.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "system/harden.h"
#include "base/uuid.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/pick.h"
#include "job/price.h"
#include "job/try.h"
#include "job/result.h"
#include "terminal/note.h"

#define USUAL_TOPIC "What our readers ask us most often"

/* An order without job, credits and article. */
struct trial {
	struct ctx *c;
	struct call *call;
	struct job job; /* it is in memory only */
	struct workspace *workspace;
	struct try_task task;
	struct try try;
	struct result result;
	int64_t began_at; /* boot clock */
	const char *error; /* the first fault as a sentence, or NULL */
	const char *code;
};

static int64_t
elapsed_ms(const struct trial *t)
{
	return (clock_boot() - t->began_at) / 1000;
}

static void
note(struct trial *t, const char *what, const char *name)
{
	if (t->call->as_json) {
		jwrite_object(&t->call->json);
		jwrite_member_text(&t->call->json, what, name);
		jwrite_member_int(&t->call->json, "ms", elapsed_ms(t));
		jwrite_object_end(&t->call->json);
	}
	call_say(
	    t->call, "%8" PRId64 " ms  %-5s  %s", elapsed_ms(t), what, name);
}

static bool
alive(void *arg)
{
	(void)arg;
	return true;
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

static struct err *
read_kind(struct ctx *c, const struct call *call, enum job_kind *kind)
{
	const char *name = call_option(call, "kind");

	*kind = JOB_ARTICLE;
	if (name == NULL || strcmp(name, job_kind_name(JOB_ARTICLE)) == 0)
		return NULL;
	*kind = JOB_RESEARCH;
	if (strcmp(name, job_kind_name(JOB_RESEARCH)) == 0)
		return NULL;
	return call_usage(c, "--kind is article or research.");
}

static struct err *
prepare(struct trial *t)
{
	const char *topic = call_option(t->call, "topic");
	char *uuid = arena_alloc(t->c->arena, UUID_TEXT);
	struct find_place place;
	struct err *err;

	err = read_kind(t->c, t->call, &t->job.kind);
	if (err != NULL)
		return err;
	place = pick_place(t->c, t->call, call_option(t->call, "workspace"));
	err = read_workspace(t->c, &place, &t->workspace);
	if (err != NULL)
		return err;
	uuid_random(uuid);
	t->job.uuid = uuid;
	t->job.workspace_id = t->workspace->id;
	t->job.image = call_has(t->call, "image") && t->job.kind == JOB_ARTICLE;
	t->job.reserved_credits =
	    price_reservation(t->c->conf, t->job.kind, t->job.image);
	t->task.job_id = uuid;
	t->task.kind = t->job.kind;
	t->task.topic = topic != NULL ? topic : USUAL_TOPIC;
	t->task.image = t->job.image;
	t->task.attempt = 1;
	t->task.steps = "{}";
	t->task.workspace = t->workspace;
	return NULL;
}

static void
run(struct trial *t, const char *program)
{
	struct try_watch watch = {
		.arg = t, .alive = alive, .stage = stage, .step = step
	};
	struct err *err;

	t->began_at = clock_boot();
	try_init();
	try_run(t->c, program, &t->task, &watch, &t->try);
	if (t->try.end == TRY_FAILED) {
		t->error = t->try.fault.sentence;
		t->code = t->try.fault.code;
		return;
	}
	err = result_read(
	    t->c, &t->job, t->workspace, &t->try, false, &t->result);
	if (err == NULL)
		return;
	t->error = err->message;
	t->code = "invalid_output";
}

/* Tells from what the machine cannot confine a provider. */
static void
say_confinement(struct trial *t)
{
	const char *lacks = harden_stranger_lacks(harden_stranger_possible());

	if (lacks != NULL)
		note_say("Note: %s.", lacks);
	if (t->call->as_json)
		jwrite_member_text(&t->call->json, "unconfined", lacks);
}

static void
end_json(struct trial *t, const char *program, int64_t ms)
{
	struct jwrite *w = &t->call->json;
	bool good = t->error == NULL;

	jwrite_array_end(w);
	jwrite_member_bool(w, "ok", good);
	jwrite_member_text(w, "program", program);
	jwrite_member_int(w, "ms", ms);
	jwrite_name(w, "usage");
	if (good)
		jwrite_raw(w, t->result.usage, strlen(t->result.usage));
	else
		jwrite_null(w);
	jwrite_name(w, "charge");
	if (good)
		jwrite_int(w, t->result.charge);
	else
		jwrite_null(w);
	jwrite_member_bool(w, "image", t->result.has_image);
	jwrite_member_text(w, "error", t->error);
	jwrite_member_text(w, "error_code", t->code);
}

static void
say_result(struct trial *t, int64_t ms)
{
	const struct price_usage *usage = &t->try.usage;

	if (t->error != NULL) {
		call_say(t->call, "%8" PRId64 " ms  failed (%s): %s", ms,
		    t->code, t->error);
		return;
	}
	call_say(t->call, "%8" PRId64 " ms  done%s%s", ms,
	    t->job.kind == JOB_ARTICLE ? ": " : "",
	    t->job.kind == JOB_ARTICLE ? t->result.snapshot.title : "");
	if (t->job.image && !t->result.has_image)
		call_say(t->call, "The image failed; the article would be"
				  " delivered without it.");
	call_say(t->call,
	    "It used %" PRId64 " input tokens, %" PRId64
	    " output tokens and %" PRId64 " images: a job would cost %" PRId64
	    " of %" PRId64 " credits. Nothing was charged.",
	    usage->input_tokens, usage->output_tokens, usage->images,
	    t->result.charge, t->job.reserved_credits);
}

static struct err *
test(struct ctx *c, struct call *call)
{
	struct trial t = { .c = c, .call = call };
	const char *program = try_program(c);
	struct err *err;
	int64_t ms;

	/* The program to run never comes from the last good settings. */
	if (c->conf->fault != NULL)
		return refuse(c, ERR_INVALID,
		    "No provider is run while galley.conf has a fault: %s",
		    c->conf->fault);
	if (program == NULL)
		return refuse(c, ERR_INVALID,
		    "galley.conf names no provider: write provider = outline,"
		    " openai, or the absolute path of a program.");
	err = prepare(&t);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "steps");
	}
	call_say(call, "Running %s.", program);
	run(&t, program);
	ms = elapsed_ms(&t);
	if (call->as_json)
		end_json(&t, program, ms);
	say_confinement(&t);
	if (call->as_json)
		jwrite_object_end(&call->json);
	say_result(&t, ms);
	try_close(&t.try);
	call->status = t.error != NULL;
	return NULL;
}

static const struct command_option test_options[] = {
	{ .name = "kind", .value = "K", .help = "article (usual) or research" },
	{ .name = "image", .help = "order a cover too" },
	{ .name = "topic", .value = "T", .help = "what to write about" },
	{ .name = "workspace", .value = "ID", .help = "for which workspace" },
	{ .name = NULL },
};

const struct command command_provider[] = {
	{ .noun = "provider",
	    .verb = "test",
	    .operands = "",
	    .options = test_options,
	    .flags = COMMAND_DB,
	    .run = test,
	    .summary = "order something of the provider, free of charge",
	    .text =
		"Runs the provider of galley.conf once, as the job runner"
		" does, and prints its steps, what it used and what that would"
		" cost, or its first fault in words. No job, no article and no"
		" charge comes of it; a model's own price is to be paid." },
	{ .verb = NULL },
};
