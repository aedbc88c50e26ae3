/* galley task list | show: what people began in a browser. */
#include <inttypes.h>
#include <stddef.h>

#include "action/instance-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"

#define LISTED 100

static void
to_json(struct jwrite *j, const struct task *t)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", t->uuid);
	jwrite_member_text(j, "kind", t->kind);
	jwrite_member_text(j, "state", t->state);
	jwrite_member_object(j, "progress");
	jwrite_member_int(j, "done", t->done);
	jwrite_member_int(j, "total", t->total);
	jwrite_object_end(j);
	jwrite_member_time(j, "created_at", t->created_at);
	if (t->ended_at != 0)
		jwrite_member_time(j, "ended_at", t->ended_at);
	else
		jwrite_member_null(j, "ended_at");
	jwrite_member_text(j, "report", t->report);
	jwrite_object_end(j);
}

static const char *
progress_of(struct ctx *c, const struct task *t)
{
	if (t->total == 0)
		return "-";
	return arena_printf(c->arena, "%" PRId64 " of %" PRId64, t->done, t->total);
}

static void
list_one(void *arg, const struct task *t)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		to_json(&l->call->json, t);
	else
		grid_row(
		    &l->grid, (const char *[]) { t->uuid, t->kind, t->state, progress_of(l->c, t),
				  when_text(l->c->arena, t->created_at), t->report });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;

	call_list_begin(&l, c, call,
	    (const char *[]) { "ID", "KIND", "STATE", "PROGRESS", "CREATED", "REPORT", NULL });
	TRY(tasks_show_all(c, LISTED, list_one, &l));
	call_list_end(&l, "There is no task yet.");
	return NULL;
}

static void
line(struct call *call, const char *name, const char *value)
{
	call_say(call, "%-12s %s", name, value);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	const char *ended;
	struct task *t;

	TRY(tasks_show(c, call->operands[0], &t));
	if (call->as_json) {
		to_json(&call->json, t);
		return NULL;
	}
	ended = when_text(c->arena, t->ended_at);
	line(call, "id", t->uuid);
	line(call, "kind", t->kind);
	line(call, "state", t->state);
	line(call, "progress", progress_of(c, t));
	line(call, "person", t->person);
	line(call, "workspace", t->workspace[0] != '\0' ? t->workspace : "-");
	line(call, "created", when_text(c->arena, t->created_at));
	line(call, "ended", ended != NULL ? ended : "-");
	line(call, "report", t->report[0] != '\0' ? t->report : "-");
	return NULL;
}

/* ---- the rows */

const struct command command_task[] = {
	{ .noun = "task",
	    .verb = "list",
	    .operands = "",
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "what people began in the console, newest first",
	    .text =
		"The newest 100. --json: [{id, kind, state, progress {done, total}, created_at, ended_at,\n"
		"report}]; state is waiting, running, done, failed or ended, and progress.total 0 while it is\n"
		"not known. The task runner works on them, five seconds each in turn." },
	{ .noun = "task",
	    .verb = "show",
	    .operands = "ID",
	    .flags = COMMAND_DB,
	    .run = show,
	    .summary = "a task: its state, how far it is, what became of it",
	    .text = "--json: the object of galley task list." },
	{ .verb = NULL },
};
