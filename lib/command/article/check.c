/* galley article check */
#include <inttypes.h>
#include <stddef.h>

#include "action/article/check.h"
#include "action/article/failing.h"
#include "action/article/unfinished.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/grid.h"
#include "terminal/terminal.h"

/* Draws the progress. */
static void
step(void *arg, int64_t done, int64_t total)
{
	struct progress *progress = arg;

	if (done == 0)
		progress_begin(progress, "Checking", WORK_PIECES, total);
	else
		progress_step(progress, 1);
}

static void
tell_json(struct jwrite *j, const struct check *k)
{
	jwrite_object(j);
	jwrite_member_int(j, "articles", k->articles);
	jwrite_member_int(j, "passed", k->articles - (int64_t)k->count);
	jwrite_member_array(j, "checks");
	for (size_t i = 0; i < k->label_count; i++) {
		jwrite_object(j);
		jwrite_member_text(j, "label", k->labels[i].text);
		jwrite_member_int(j, "failed", k->labels[i].failed);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_member_array(j, "failing");
	for (size_t i = 0; i < k->count; i++) {
		const struct check_failing *f = &k->failing[i];
		jwrite_object(j);
		jwrite_member_text(j, "id", f->article->uuid);
		jwrite_member_text(j, "title", f->article->title);
		jwrite_member_text(j, "status", article_status_name(f->article->status));
		jwrite_member_int(j, "unfinished", f->unfinished);
		jwrite_member_array(j, "checks");
		for (size_t n = 0; n < f->count; n++) {
			jwrite_object(j);
			jwrite_member_text(j, "label", f->checks[n].label);
			jwrite_member_text(j, "reason", f->checks[n].reason);
			jwrite_object_end(j);
		}
		jwrite_array_end(j);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
tell(struct ctx *c, struct call *call, const struct check *k)
{
	struct grid grid;

	call_say(call,
	    "%" PRId64 " of %" PRId64 " article%s pass%s all %d"
	    " checks.",
	    k->articles - (int64_t)k->count, k->articles, k->articles == 1 ? "" : "s",
	    k->articles == 1 ? "es" : "", EXPORT_CHECKS);
	if (k->count == 0)
		return;
	call_say(call, "%s", "");
	grid_init(&grid, c->arena, (const char *[]) { "FAILED", "CHECK", NULL });
	for (size_t i = 0; i < k->label_count; i++)
		grid_row(&grid,
		    (const char *[]) { arena_printf(c->arena, "%" PRId64, k->labels[i].failed),
			k->labels[i].text });
	grid_print(&grid, "", &call->out);
	for (size_t i = 0; i < k->count; i++) {
		const struct check_failing *f = &k->failing[i];
		call_say(call, "\n%s (%s, %s)", f->article->title,
		    article_status_name(f->article->status), f->article->uuid);
		if (f->unfinished > 0)
			call_say(call, "  %s.", unfinished_sentence(c, f->unfinished));
		for (size_t n = 0; n < f->count; n++)
			call_say(call, "  - %s", failing_line(c, &f->checks[n]));
	}
}

static struct err *
check(struct ctx *c, struct call *call)
{
	struct progress progress;
	struct check k = { .drafts = !call_has(call, "published"), .step = step, .arg = &progress };
	struct err *err;

	k.place = pick_place(c, call, call_option(call, "workspace"));
	err = check_articles(c, &k);
	if (err != NULL)
		return err;
	progress_end(&progress);
	if (call->as_json)
		tell_json(&call->json, &k);
	else
		tell(c, call, &k);
	if (call_has(call, "strict") && k.count > 0)
		call->status = 1;
	return NULL;
}

static const struct command_option check_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "published", .help = "leave drafts out" },
	{ .name = "strict", .help = "exit 1 when anything fails" },
	{ .name = NULL },
};

const struct command command_article_check[] = {
	{ .noun = "article",
	    .verb = "check",
	    .operands = "",
	    .options = check_options,
	    .flags = COMMAND_DB,
	    .run = check,
	    .summary = "which publishing checks fail, and where",
	    .text =
		"Of published articles what is published is looked at, of drafts the working copy. The\n"
		"checks are advice: without --strict a failing one is exit 0.\n\n"
		"--json: {articles, passed, checks: [{label, failed}], failing: [{id, title, status,\n"
		"unfinished, checks: [{label, reason}]}]}; unfinished counts the places that are left to\n"
		"write, or were when it was published." },
	{ .verb = NULL },
};
