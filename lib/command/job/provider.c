/* galley provider test */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "action/action.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "job/trial.h"
#include "system/harden.h"
#include "terminal/terminal.h"

static void
note(void *arg, const char *what, const char *name, int64_t ms)
{
	struct call *call = arg;

	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, what, name);
		jwrite_member_int(&call->json, "ms", ms);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%8" PRId64 " ms  %-5s  %s", ms, what, name);
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
prepare(struct ctx *c, struct call *call, struct trial *t)
{
	struct find_place place;
	struct err *err = read_kind(c, call, &t->kind);

	if (err != NULL)
		return err;
	place = pick_place(c, call, call_option(call, "workspace"));
	t->image = call_has(call, "image");
	t->topic = call_option(call, "topic");
	return read_workspace(c, &place, &t->workspace);
}

/* Tells from what the machine cannot confine a provider. */
static void
say_confinement(struct call *call)
{
	const char *lacks = harden_stranger_lacks(harden_stranger_possible());

	if (lacks != NULL)
		note_say("Note: %s.", lacks);
	if (call->as_json)
		jwrite_member_text(&call->json, "unconfined", lacks);
}

static void
end_json(struct call *call, const struct trial *t)
{
	struct jwrite *w = &call->json;
	bool good = t->error == NULL;

	jwrite_array_end(w);
	jwrite_member_bool(w, "ok", good);
	jwrite_member_text(w, "program", t->program);
	jwrite_member_int(w, "ms", t->ms);
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
say_result(struct call *call, const struct trial *t)
{
	const struct price_usage *usage = &t->try.usage;

	if (t->error != NULL) {
		call_say(call, "%8" PRId64 " ms  failed (%s): %s", t->ms, t->code, t->error);
		return;
	}
	call_say(call, "%8" PRId64 " ms  done%s%s", t->ms, t->job.kind == JOB_ARTICLE ? ": " : "",
	    t->job.kind == JOB_ARTICLE ? t->result.snapshot.title : "");
	if (t->job.image && !t->result.has_image)
		call_say(call, "The image failed; the article would be delivered without it.");
	call_say(call,
	    "It used %" PRId64 " input tokens, %" PRId64 " output tokens and %" PRId64
	    " images: a job would cost %" PRId64 " of %" PRId64 " credits. Nothing was charged.",
	    usage->input_tokens, usage->output_tokens, usage->images, t->result.charge,
	    t->job.reserved_credits);
}

static struct err *
test(struct ctx *c, struct call *call)
{
	struct trial t = { .told = note, .arg = call };
	struct err *err = trial_program(c, &t.program);

	if (err == NULL)
		err = prepare(c, call, &t);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "steps");
	}
	call_say(call, "Running %s.", t.program);
	trial_run(c, &t);
	if (call->as_json)
		end_json(call, &t);
	say_confinement(call);
	if (call->as_json)
		jwrite_object_end(&call->json);
	say_result(call, &t);
	trial_close(&t);
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
		"Runs the provider of galley.conf once, as the job runner does, and prints its steps, what it used and what that would cost, or its first fault in words. No job, no article and no charge comes of it; a model's own price is to be paid." },
	{ .verb = NULL },
};
