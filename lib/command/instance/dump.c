/* galley dump */
#include <stddef.h>

#include "backup/dump.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"

static struct err *
dump(struct ctx *c, struct call *call)
{
	const char *folder = call->operands[0];
	struct dump d;
	struct err *err = dump_run(c, call_work(call), folder, &d);

	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "folder", folder);
		jwrite_member_int(&call->json, "files", d.files);
		jwrite_member_int(&call->json, "workspaces", d.workspaces);
		jwrite_member_int(&call->json, "articles", d.articles);
		jwrite_object_end(&call->json);
	}
	call_say(call,
	    "%s has %lld files: %lld workspace%s, %lld article%s. Its README tells what they are.",
	    folder, (long long)d.files, (long long)d.workspaces, d.workspaces == 1 ? "" : "s",
	    (long long)d.articles, d.articles == 1 ? "" : "s");
	call->status = d.damaged > 0;
	call_say(call, "It is no backup: keys do not come back from it.");
	return NULL;
}

const struct command command_dump[] = {
	{ .verb = "dump",
	    .operands = "DIR",
	    .operands_min = 1,
	    .operands_max = 1,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = dump,
	    .summary = "write everything in open formats, to leave or to look",
	    .text =
		"Articles as Markdown with front matter and as JSON, every edition too; images; accounts and the\n"
		"ledger as JSON and CSV; settings, jobs and briefs, keys without what is secret. DIR is made, or\n"
		"is empty. All is of one moment; the same content gives the same bytes. article import --media DIR\n"
		"reads the Markdown, here or in another instance." },
	{ .verb = NULL },
};
