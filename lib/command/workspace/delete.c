/* galley workspace delete */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "action/workspace-actions.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "terminal/terminal.h"

/* Reads the name, typed at the terminal or given as --confirm. */
static struct err *
confirm(struct ctx *c, const struct call *call, const struct deletion *d)
{
	const struct workspace *w = d->workspace;
	int64_t articles = d->found;
	const char *typed = call_option(call, "confirm");

	if (typed == NULL && !ask_can())
		return call_usage(
		    c, "What is deleted is gone: say --confirm with the workspace's name.");
	if (typed == NULL) {
		note_say("%s (%s) and its %" PRId64 " article%s will be"
			 " destroyed, its keys refused.",
		    w->settings.name, w->uuid, articles, articles == 1 ? "" : "s");
		typed = ask_line(c, "Type its name to go on:");
	}
	return deletion_confirm(c, d, typed);
}

static void
to_json(struct jwrite *j, const struct deletion *d)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", d->workspace->uuid);
	jwrite_member_int(j, "articles", d->articles);
	jwrite_member_int(j, "pictures", (int64_t)d->pictures);
	jwrite_member_int(j, "keys", d->keys);
	jwrite_member_array(j, "jobs");
	for (size_t i = 0; i < d->job_count; i++)
		jwrite_text(j, d->jobs[i]);
	jwrite_array_end(j);
	jwrite_member_int(j, "credits", d->credits);
	jwrite_object_end(j);
}

static const char *
many(struct ctx *c, int64_t count, const char *one)
{
	return arena_printf(c->arena, "%" PRId64 " %s%s", count, one, count == 1 ? "" : "s");
}

static void
say(struct ctx *c, struct call *call, const struct deletion *d)
{
	call_say(call, "Workspace %s is deleted: %s and %s are destroyed, %s refused from now on.",
	    d->workspace->settings.name, many(c, d->articles, "article"),
	    many(c, (int64_t)d->pictures, "picture"), many(c, d->keys, "key"));
	if (d->job_count > 0)
		call_say(call, "%s that had not ended %s cancelled; %s are available to %s again.",
		    many(c, (int64_t)d->job_count, "job"), d->job_count == 1 ? "was" : "were",
		    many(c, d->credits, "credit"), d->account->name);
	call_say(call,
	    "The account %s stays, with its ledger and the jobs that ended. Copies on the customer's site\n"
	    "stay until they are removed there; backups still hold all of it.",
	    d->account->name);
}

static void
note_job(void *arg, const char *uuid)
{
	call_changed(arg, uuid);
}

static struct err *delete (struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call->operands[0]);
	struct deletion d = { .cancelled = note_job, .arg = call };
	struct err *err = deletion_find(c, &place, &d);

	if (err == NULL)
		err = confirm(c, call, &d);
	if (err != NULL)
		return err;
	call_changed(call, d.workspace->uuid);
	d.work = call_work(call);
	err = deletion_run(c, &d);
	if (err != NULL)
		return err;
	if (call->as_json)
		to_json(&call->json, &d);
	else
		say(c, call, &d);
	return NULL;
}

static const struct command_option delete_options[] = {
	{ .name = "confirm",
	    .value = "NAME",
	    .help = "the workspace's name, where nobody can be asked for it" },
	{ .name = NULL },
};

const struct command command_workspace_delete[] = {
	{ .noun = "workspace",
	    .verb = "delete",
	    .operands = "ID",
	    .operands_min = 1,
	    .operands_max = 1,
	    .options = delete_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = delete,
	    .summary = "destroy a workspace, its articles and keys, for good",
	    .text =
		"Asks for the name of the workspace on a terminal; elsewhere --confirm gives it.\n\n"
		"Its keys are refused at once, jobs that have not ended are cancelled and their credits\n"
		"returned. Articles, editions, the trash, and pictures that nothing else names are destroyed.\n"
		"The account stays, and its ledger, which is never changed: so do the jobs that ended, with\n"
		"what was ordered. Copies on the customer's site stay until they are removed there. What a\n"
		"backup holds can be restored: articles come back in the trash, pages stay off, and keys stay\n"
		"refused.\n\n"
		"Stopped or killed, it leaves a workspace without keys that has fewer articles; the same command again\n"
		"does the rest." },
	{ .verb = NULL },
};
