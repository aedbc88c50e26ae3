/* galley job create: an order without a key, by the rules of POST /generate. */
#include <inttypes.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "action/order-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "command/job/job-print.h"
#include "job/job.h"
#include "job/runner.h"
#include "system/conf.h"
#include "terminal/terminal.h"

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
	struct err *err;

	if (word == NULL)
		return NULL;
	err = number_read(c, word, "number of credits", &order->max_credits);
	if (err != NULL)
		return err;
	if (order->max_credits < 1 || order->max_credits > CREDITS_MAX)
		return call_usage(c, "--max is a number of credits from 1 to %d.", CREDITS_MAX);
	return NULL;
}

static struct err *
read_order(struct ctx *c, const struct call *call, struct job_order *order)
{
	const char *topic = call_option(call, "topic");
	struct err *err;

	memset(order, 0, sizeof(*order));
	order->topic = topic != NULL ? topic : "";
	order->image = !call_has(call, "no-image");
	order->auto_publish = call_has(call, "publish");
	order->ordered_by = call->user;
	if (utf8_length(order->topic) > JOB_TOPIC_MAX)
		return call_usage(c, "--topic has at most %d characters.", JOB_TOPIC_MAX);
	err = read_kind(c, call, order);
	if (err == NULL)
		err = read_research(c, call, order);
	if (err == NULL)
		err = read_max(c, call, order);
	return err;
}

/* ---- --wait */

/* What the waiting process saw last. */
struct seen {
	char words[64];
	bool waits; /* the job waits for another try */
};

/* Notes what has changed since the last look. */
static void
note(const struct job *job, struct seen *seen)
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
		note(job, &seen);
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

/* ---- what is printed of it */

static void
say(struct ctx *c, struct call *call, const struct job *job)
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
create(struct ctx *c, struct call *call)
{
	struct find_place place;
	struct job_order order;
	struct job *job;
	struct err *err;

	err = read_order(c, call, &order);
	if (err != NULL)
		return err;
	place = pick_place(c, call, call_option(call, "workspace"));
	err = job_create(c, &place, &order, &job);
	if (err != NULL)
		return err;
	call_changed(call, job->uuid);
	if (call_has(call, "wait"))
		job = waited_for(c, call, job);
	if (call->as_json)
		job_print_json(c, &call->json, job, false);
	say(c, call, job);
	call->status = job->status == JOB_FAILED;
	return NULL;
}

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

const struct command command_job_create[] = {
	{ .noun = "job",
	    .verb = "create",
	    .operands = "",
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "order an article or a research brief",
	    .text =
		"Orders without a key, by the rules and prices of POST /generate: the workspace's account must be verified, has the credits, and orders at most jobs_per_hour. The job bears the name of the user who ordered it. With --wait the exit status is 1 where the job failed." },
	{ .verb = NULL },
};
