/* galley job: orders of customers, and trials of the programs that write them (galley provider). */
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/order-actions.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/utf8.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "job/job.h"
#include "job/runner.h"
#include "job/trial.h"
#include "system/conf.h"
#include "system/harden.h"
#include "terminal/terminal.h"

static void
member_json(struct jwrite *w, const char *name, const char *json)
{
	jwrite_name(w, name);
	if (json == NULL)
		jwrite_null(w);
	else
		jwrite_raw(w, json, strlen(json));
}

/* Writes all that an operator may want to know; `whole` with steps and brief. Reads who ordered
 * it. */
static void
all_to_json(struct ctx *c, struct jwrite *w, const struct job *job, bool whole)
{
	struct job_orderer by;

	job_orderer(c, job->id, &by);
	jwrite_object(w);
	jwrite_member_text(w, "id", job->uuid);
	jwrite_member_text(w, "kind", job_kind_name(job->kind));
	jwrite_member_text(w, "status", job_status_name(job->status));
	jwrite_member_text(w, "stage", job->stage);
	jwrite_member_text(w, "topic", job->topic);
	jwrite_member_bool(w, "image", job->image);
	jwrite_member_bool(w, "auto_publish", job->auto_publish);
	jwrite_member_text(
	    w, "article_id", job->status == JOB_COMPLETED ? job->article_uuid : NULL);
	jwrite_member_text(w, "research_id", job->research_uuid);
	jwrite_member_int(w, "cost", job->cost);
	jwrite_member_int(w, "reserved_credits", job->reserved_credits);
	call_member_time(w, "created_at", job->created_at);
	call_member_time(w, "claimed_at", job->claimed_at);
	call_member_time(w, "run_after", job->run_after);
	call_member_time(w, "settled_at", job->settled_at);
	jwrite_member_int(w, "tries", job->tries);
	jwrite_member_int(w, "deaths", job->deaths);
	jwrite_member_bool(w, "leased", job->leased);
	jwrite_member_text(w, "ordered_by", by.ordered_by);
	jwrite_member_text(w, "error", job->error);
	jwrite_member_text(w, "error_code", job->error_code);
	member_json(w, "usage", job->usage);
	if (whole) {
		member_json(w, "steps", job->steps);
		member_json(w, "brief", job->brief);
	}
	jwrite_object_end(w);
}

/* ---- galley job list | show | cancel */

#define LISTED 100 /* jobs, unless --limit gives another number */
#define TOPIC_CHARS 40 /* characters of a topic in a table */

static const char *
credits(struct ctx *c, int64_t count)
{
	return arena_printf(c->arena, "%" PRId64 " credit%s", count, count == 1 ? "" : "s");
}

/* Returns the job's state in words. */
static const char *
state_of(struct ctx *c, const struct job *job)
{
	if (job->settled_at == 0)
		return runner_status_of(c, job);
	if (job->status == JOB_FAILED)
		return arena_printf(c->arena, "failed (%s)", job->error_code);
	return arena_printf(c->arena, "completed for %s", credits(c, job->cost));
}

/* Returns the topic on one line, or NULL. */
static const char *
topic_of(struct ctx *c, const struct job *job, size_t chars)
{
	return job->topic[0] != '\0' ? job_topic_line(c, job, chars) : NULL;
}

static void
list_one(void *arg, const struct job *job)
{
	struct call_list *l = arg;

	if (l->call->as_json) {
		all_to_json(l->c, &l->call->json, job, false);
		return;
	}
	grid_row(&l->grid,
	    (const char *[]) { job->uuid, when_text(l->c->arena, job->created_at),
		job_kind_name(job->kind), topic_of(l->c, job, TOPIC_CHARS), state_of(l->c, job) });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;
	const char *word = call_option(call, "limit");
	struct find_place place;
	int64_t limit = LISTED;

	if (word != NULL)
		TRY(number_read(c, word, "number of jobs", &limit));
	call_list_begin(
	    &l, c, call, (const char *[]) { "ID", "ORDERED", "KIND", "TOPIC", "STATE", NULL });
	place = pick_place(c, call, call_option(call, "workspace"));
	TRY(job_show_all(c, &place, limit, list_one, &l));
	call_list_end(&l, "No job was ordered yet.");
	if (!call->as_json)
		call_say(call, "%s", runner_status_cron(c));
	return NULL;
}

static void
say_whose(struct ctx *c, struct call *call, const struct job *job)
{
	const struct workspace *w = workspace_of(c, job->workspace_id);
	const struct account *a = account_of(c, job->account_id);

	call_say(call, "workspace  %s (%s)", w->settings.name, w->uuid);
	call_say(call, "account    %s (%s)", a->name, a->uuid);
}

static void
say_orderer(struct ctx *c, struct call *call, const struct job *job)
{
	struct orders_orderer by;

	orders_orderer(c, job, &by);
	if (by.by == ORDERS_BY_OPERATOR)
		call_say(call, "by         %s, without a key", by.name);
	else if (by.by == ORDERS_BY_PERSON)
		call_say(call, "by         %s, in the console (%s)",
		    by.name != NULL ? by.name : "somebody who was erased", by.uuid);
	else if (by.uuid != NULL)
		call_say(call, "by         the key %s%s%s%s", by.uuid,
		    by.label[0] != '\0' ? " (" : "", by.label, by.label[0] != '\0' ? ")" : "");
}

static void
say_order(struct ctx *c, struct call *call, const struct job *job)
{
	const char *topic = topic_of(c, job, JOB_TOPIC_MAX);

	call_say(call, "order      %s%s%s", job_kind_name(job->kind),
	    job->image ? ", with image" : "", job->auto_publish ? ", to be published" : "");
	call_say(call, "topic      %s", topic != NULL ? topic : "left to the provider");
	if (job->research_uuid != NULL)
		call_say(call, "brief      %s (a job)", job->research_uuid);
}

static void
say_times(struct ctx *c, struct call *call, const struct job *job)
{
	struct arena *a = c->arena;

	call_say(call, "ordered    %s", when_text(a, job->created_at));
	if (job->claimed_at != 0)
		call_say(call, "begun      %s", when_text(a, job->claimed_at));
	if (job->settled_at != 0)
		call_say(call, "ended      %s", when_text(a, job->settled_at));
}

/* Prints what the job made. The article may have been purged since. */
static void
say_article(struct ctx *c, struct call *call, const struct job *job)
{
	const struct article *a;

	if (job->status != JOB_COMPLETED || job->article_uuid == NULL)
		return;
	a = article_find(c, job->workspace_id, job->article_uuid);
	call_say(call, "article    %s (%s)", job->article_uuid,
	    a == NULL ? "purged since" : article_status_name(a->status));
}

static void
say(struct ctx *c, struct call *call, const struct job *job)
{
	call_say(call, "id         %s", job->uuid);
	say_whose(c, call, job);
	say_orderer(c, call, job);
	say_order(c, call, job);
	call_say(call, "state      %s", state_of(c, job));
	if (job->status != JOB_COMPLETED)
		call_say(call, "stage      %s", job->stage);
	if (job->error != NULL)
		call_say(call, "fault      %s", job->error);
	if (job->settled_at == 0)
		call_say(
		    call, "price      at most %s, reserved", credits(c, job->reserved_credits));
	else
		call_say(call, "price      %" PRId64 " of %s that were reserved", job->cost,
		    credits(c, job->reserved_credits));
	if (job->tries > 0)
		call_say(call, "faults     %" PRId64 " of %d tries", job->tries, JOB_TRIES);
	say_times(c, call, job);
	say_article(c, call, job);
	if (job->usage != NULL)
		call_say(call, "used       %s", job->usage);
}

static void
show_one(void *arg, const struct job *job)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		all_to_json(l->c, &l->call->json, job, true);
	else
		say(l->c, l->call, job);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct call_list l = { .c = c, .call = call };

	return job_show(c, call->operands[0], show_one, &l);
}

static struct err *
cancel(struct ctx *c, struct call *call)
{
	struct job *job;

	TRY(job_cancel(c, call->operands[0], &job));
	if (call->as_json)
		all_to_json(c, &call->json, job, false);
	call_changed(call, job->uuid);
	call_say(call, "Job %s is cancelled; what it reserved, %s, is available again.", job->uuid,
	    credits(c, job->reserved_credits));
	return NULL;
}

/* ---- galley job create: an order without a key, by the rules of POST /generate. */

#define CREDITS_MAX 1000000
#define LOOK_MS 200 /* between two looks at the job */
#define LOOK_MEMORY ((size_t)64 * 1024 * 1024)

static struct err *
read_kind(struct ctx *c, const struct call *call, struct job_order *order)
{
	const char *name = call_option(call, "kind");

	if (name == NULL || strcmp(name, job_kind_name(JOB_ARTICLE)) == 0)
		order->kind = JOB_ARTICLE;
	else if (strcmp(name, job_kind_name(JOB_RESEARCH)) == 0)
		order->kind = JOB_RESEARCH;
	else
		return call_usage(c, "--kind is article or research.");
	return NULL;
}

static struct err *
read_research(struct ctx *c, const struct call *call, struct job_order *order)
{
	const char *text = call_option(call, "research");
	char *uuid;

	if (text == NULL)
		return NULL;
	uuid = arena_alloc(c->arena, UUID_TEXT);
	if (!uuid_parse(text, uuid))
		return call_usage(c,
		    "--research takes the id of a completed research job; galley job list shows them.");
	order->research_uuid = uuid;
	return NULL;
}

static struct err *
read_max(struct ctx *c, const struct call *call, struct job_order *order)
{
	const char *word = call_option(call, "max");

	if (word == NULL)
		return NULL;
	TRY(number_read(c, word, "number of credits", &order->max_credits));
	if (order->max_credits < 1 || order->max_credits > CREDITS_MAX)
		return call_usage(c, "--max is a number of credits from 1 to %d.", CREDITS_MAX);
	return NULL;
}

static struct err *
read_words_of_order(struct ctx *c, const struct call *call, struct job_order *order)
{
	const char *topic = call_option(call, "topic");

	memset(order, 0, sizeof(*order));
	order->topic = topic != NULL ? topic : "";
	order->image = !call_has(call, "no-image");
	order->auto_publish = call_has(call, "publish");
	order->ordered_by = call->user;
	if (utf8_length(order->topic) > JOB_TOPIC_MAX)
		return call_usage(c, "--topic has at most %d characters.", JOB_TOPIC_MAX);
	TRY(read_kind(c, call, order));
	TRY(read_research(c, call, order));
	return read_max(c, call, order);
}

/* ---- galley job create --wait */

/* What the waiting process saw last. */
struct seen {
	char words[64];
	bool waits; /* the job waits for another try */
};

/* Notes what has changed since the last look. */
static void
note_state(const struct job *job, struct seen *seen)
{
	bool waits = job->settled_at == 0 && !job->leased && job->tries > 0;

	if (strcmp(seen->words, job->stage) != 0)
		note_say("%s", job->stage);
	snprintf(seen->words, sizeof(seen->words), "%s", job->stage);
	if (waits && !seen->waits)
		note_say("%s will be tried again: %s", job->stage, job->error);
	seen->waits = waits;
}

/* Looks at the job until it has ended. Each look uses the same memory again. */
static void
wait_for(struct ctx *c, int64_t id)
{
	struct arena *mine = c->arena, scratch;
	struct seen seen = { .waits = false };
	bool open = true;

	arena_init(&scratch, LOOK_MEMORY);
	c->arena = &scratch;
	while (open) {
		const struct job *job;
		job = job_read(c, id);
		note_state(job, &seen);
		open = job->settled_at == 0;
		arena_reset(&scratch);
		if (open)
			(void)poll(NULL, 0, LOOK_MS);
	}
	c->arena = mine;
	arena_release(&scratch);
}

static struct job *
waited_for(struct ctx *c, struct call *call, const struct job *ordered)
{
	/* The order is made, even if the wait fails. */
	journal_end(call, NULL);
	call->journal = false;
	note_say(
	    "Job %s is ordered. Ctrl-C ends the wait, not the job: galley job show tells of it.",
	    ordered->uuid);
	note_say("%s", runner_status_cron(c));
	wait_for(c, ordered->id);
	return job_read(c, ordered->id);
}

static void
say_ordered(struct ctx *c, struct call *call, const struct job *job)
{
	long long credits = (long long)job->reserved_credits;

	if (job->settled_at == 0) {
		call_say(call,
		    "Job %s is ordered; %lld credits are reserved. galley job show %s tells how it is.",
		    job->uuid, credits, job->uuid);
		call_say(call, "%s", runner_status_cron(c));
	} else if (job->status == JOB_FAILED) {
		call_say(call, "Job %s failed (%s): %s Nothing was charged.", job->uuid,
		    job->error_code, job->error);
	} else {
		call_say(call, "Job %s is completed for %lld of %lld credits.", job->uuid,
		    (long long)job->cost, credits);
		if (job->article_uuid != NULL)
			call_say(call, "Its article is %s.", job->article_uuid);
	}
}

static struct err *
order(struct ctx *c, struct call *call)
{
	struct find_place place;
	struct job_order order;
	struct job *job;

	TRY(read_words_of_order(c, call, &order));
	place = pick_place(c, call, call_option(call, "workspace"));
	TRY(job_create(c, &place, &order, &job));
	call_changed(call, job->uuid);
	if (call_has(call, "wait"))
		job = waited_for(c, call, job);
	if (call->as_json)
		all_to_json(c, &call->json, job, false);
	say_ordered(c, call, job);
	call->status = job->status == JOB_FAILED;
	return NULL;
}

/* ---- galley provider test */

static void
note_task(void *arg, const char *what, const char *name, int64_t ms)
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
kind_of_task(struct ctx *c, const struct call *call, enum job_kind *kind)
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
prepare_trial(struct ctx *c, struct call *call, struct trial *t)
{
	struct find_place place;

	TRY(kind_of_task(c, call, &t->kind));
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
	struct trial t = { .told = note_task, .arg = call };

	TRY(trial_program(c, &t.program));
	TRY(prepare_trial(c, call, &t));
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

/* ---- the rows */

static const struct command_option list_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose jobs" },
	{ .name = "limit", .value = "N", .help = "how many, the newest (100)" },
	{ .name = NULL },
};

#define ONE_JOB .noun = "job", .operands = "ID"

static const struct command_option create_options[] = {
	{ .name = "workspace", .value = "ID", .help = "for which workspace" },
	{ .name = "topic", .value = "T", .help = "what to write about; else the provider chooses" },
	{ .name = "kind", .value = "K", .help = "article (usual) or research" },
	{ .name = "research", .value = "ID", .help = "write by the brief of this research job" },
	{ .name = "no-image", .help = "without a cover" },
	{ .name = "publish", .help = "publish the article when it is written" },
	{ .name = "max", .value = "N", .help = "refuse to reserve more than N credits" },
	{ .name = "wait", .help = "until the job has ended; show its stages" },
	{ .name = NULL },
};

static const struct command_option test_options[] = {
	{ .name = "kind", .value = "K", .help = "article (usual) or research" },
	{ .name = "image", .help = "order a cover too" },
	{ .name = "topic", .value = "T", .help = "what to write about" },
	{ .name = "workspace", .value = "ID", .help = "for which workspace" },
	{ .name = NULL },
};

const struct command command_job[] = {
	{ .noun = "job",
	    .verb = "list",
	    .operands = "",
	    .options = list_options,
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "generation jobs, the newest first" },
	{ ONE_JOB, .verb = "show", .flags = COMMAND_DB | COMMAND_ID, .run = show,
	    .summary = "a job, and what became of it" },
	{ ONE_JOB, .verb = "cancel", .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = cancel, .summary = "end an open job at once and return its credits" },
	{ .noun = "job",
	    .verb = "create",
	    .operands = "",
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = order,
	    .summary = "order an article or a research brief",
	    .text =
		"Orders without a key, by the rules and prices of POST /generate: the workspace's account must be verified, has the credits, and orders at most jobs_per_hour. The job bears the name of the user who ordered it. With --wait the exit status is 1 where the job failed." },
	{ .verb = NULL },
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
