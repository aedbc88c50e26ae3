/* galley job list | show | cancel */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/workspace.h"
#include "action/order-actions.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "command/job/job-print.h"
#include "job/job.h"
#include "job/runner.h"

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
		job_print_json(l->c, &l->call->json, job, false);
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
	struct err *err = NULL;
	int64_t limit = LISTED;

	if (word != NULL)
		err = number_read(c, word, "number of jobs", &limit);
	if (err != NULL)
		return err;
	call_list_begin(
	    &l, c, call, (const char *[]) { "ID", "ORDERED", "KIND", "TOPIC", "STATE", NULL });
	place = pick_place(c, call, call_option(call, "workspace"));
	err = job_show_all(c, &place, limit, list_one, &l);
	if (err != NULL)
		return err;
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
		job_print_json(l->c, &l->call->json, job, true);
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
	struct err *err = job_cancel(c, call->operands[0], &job);

	if (err != NULL)
		return err;
	if (call->as_json)
		job_print_json(c, &call->json, job, false);
	call_changed(call, job->uuid);
	call_say(call, "Job %s is cancelled; what it reserved, %s, is available again.", job->uuid,
	    credits(c, job->reserved_credits));
	return NULL;
}

static const struct command_option list_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose jobs" },
	{ .name = "limit", .value = "N", .help = "how many, the newest (100)" },
	{ .name = NULL },
};

#define ONE_JOB .noun = "job", .operands = "ID", .operands_min = 1, .operands_max = 1

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
	{ .verb = NULL },
};
