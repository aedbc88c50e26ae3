/* galley workspace export | import: a customer moves from one instance to another. */
#include <inttypes.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/action.h"
#include "backup/workspace-file.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/terminal.h"

static const char *
s_of(int64_t count)
{
	return count == 1 ? "" : "s";
}

static void
to_json(struct call *call, const char *path, const struct workspace_file *f)
{
	struct jwrite *j = &call->json;

	if (!call->as_json)
		return;
	jwrite_object(j);
	jwrite_member_text(j, "id", f->uuid);
	jwrite_member_text(j, "file", path);
	jwrite_member_int(j, "bytes", f->bytes);
	jwrite_member_int(j, "articles", f->articles);
	jwrite_member_int(j, "published", f->published);
	jwrite_member_int(j, "pictures", f->pictures);
	jwrite_member_array(j, "damaged");
	for (size_t i = 0; i < f->damaged_count; i++)
		jwrite_text(j, f->damaged[i].name);
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static struct err *export(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call->operands[0]);
	const char *path = call->operands[1];
	struct workspace_file f;
	struct workspace *w;

	TRY(read_workspace(c, &place, &w));
	TRY(workspace_export(c, call_work(call), w, path, &f));
	call_changed(call, w->uuid);
	call->status = f.damaged_count > 0;
	to_json(call, path, &f);
	for (size_t i = 0; i < f.damaged_count; i++)
		note_say("galley: the picture %s is damaged and is not in %s: %s.",
		    f.damaged[i].name, path, f.damaged[i].why);
	call_say(call,
	    "%s has %" PRId64 " bytes: the workspace %s with %" PRId64 " article%s, %" PRId64
	    " of them published, and %" PRId64 " picture%s.",
	    path, f.bytes, f.name, f.articles, s_of(f.articles), f.published, f.pictures,
	    s_of(f.pictures));
	call_say(
	    call, "It holds drafts and the trash: keep it private. It holds no key and no credit.");
	return NULL;
}

static struct err *
import(struct ctx *c, struct call *call)
{
	const char *path = call->operands[0];
	struct workspace_file f;

	TRY(workspace_import(c, call_work(call), path, call_option(call, "account"), &f));
	call_changed(call, f.uuid);
	to_json(call, path, &f);
	if (f.many)
		note_say(
		    "galley: more than one workspace is called %s now: name them by their ids.",
		    f.name);
	call_say(call,
	    "Workspace %s (%s) is here: %" PRId64 " article%s, %" PRId64
	    " of them published, %" PRId64 " picture%s.",
	    f.name, f.uuid, f.articles, s_of(f.articles), f.published, f.pictures,
	    s_of(f.pictures));
	call_say(call,
	    "It has no key yet: galley key create. Its pages and its notify_url are off until they are set.");
	return NULL;
}

/* ---- galley restore of one */

static void
restored_to_json(struct call *call, const struct restore_one *one)
{
	struct jwrite *j = &call->json;

	jwrite_object(j);
	jwrite_member_text(j, "file", one->file);
	jwrite_member_text(j, "workspace", one->uuid);
	jwrite_member_int(j, "articles", one->articles);
	jwrite_member_int(j, "published", one->published);
	jwrite_member_array(j, "withheld");
	for (size_t i = 0; i < one->withheld_count; i++)
		jwrite_text(j, one->withheld[i]);
	jwrite_array_end(j);
	jwrite_member_array(j, "failed");
	for (size_t i = 0; i < one->failed_count; i++)
		jwrite_text(j, one->failed[i]);
	jwrite_array_end(j);
	jwrite_object_end(j);
}

struct err *
restore_of_one(struct ctx *c, struct call *call)
{
	struct restore_one one = { .file = call->operands[0],
		.workspace = call_option(call, "workspace"),
		.article = call_option(call, "article"),
		.as_it_was = call_has(call, "as-it-was") };

	if ((one.workspace != NULL && one.article != NULL) || call_has(call, "check") ||
	    call_has(call, "people"))
		return call_usage(
		    c, "--workspace and --article go with --as-it-was and --yes alone.");
	one.work = call_work(call);
	TRY(restore_one_run(c, &one));
	call_changed(call, one.article != NULL ? one.article : one.uuid);
	call->status = one.failed_count > 0;
	if (call->as_json)
		restored_to_json(call, &one);
	for (size_t i = 0; i < one.failed_count; i++)
		note_say("galley: %s", one.failed[i]);
	for (size_t i = 0; i < one.withheld_count; i++)
		call_say(call, "%s.", one.withheld[i]);
	if (one.withheld_count > 0)
		call_say(call, "With --as-it-was it comes back, too.");
	call_say(call,
	    "%" PRId64 " article%s of %s %s back, as %s has %s; readers see that of %" PRId64
	    ". What was replaced is in History.",
	    one.articles, s_of(one.articles), one.name, one.articles == 1 ? "is" : "are", one.file,
	    one.articles == 1 ? "it" : "them", one.published);
	return NULL;
}

/* ---- the rows */

static const struct command_option import_options[] = {
	{ .name = "account",
	    .value = "ID",
	    .needed = true,
	    .help = "the account that it belongs to from now on" },
	{ .name = NULL },
};

const struct command command_moving[] = {
	{ .noun = "workspace",
	    .verb = "export",
	    .operands = "ID FILE",
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = export,
	    .summary = "write one workspace into a tar, for another instance",
	    .text =
		"FILE, mode 0600, must not exist. It holds the settings, the pictures, and all articles with\n"
		"their ids, dates, editions and published addresses, drafts and the trash too, as of one\n"
		"moment. It does not hold keys, jobs, credits, people, History, comments, dates of publishing,\n"
		"links to previews, the word of the pages or notify_url. The workspace stays as it is.\n\n"
		"--json: {id, file, bytes, articles, published, pictures, damaged}. Pictures that are damaged\n"
		"are left out, and the exit status is 1." },
	{ .noun = "workspace",
	    .verb = "import",
	    .operands = "FILE",
	    .options = import_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = import,
	    .summary = "make a workspace of a file of workspace export",
	    .text =
		"The workspace and its articles keep their ids; under the same public_url the API answers the\n"
		"same articles, with the same revisions, to new keys. /sync announces them once. A file that\n"
		"has an id which this instance has or had, in the trash and in deleted workspaces too, is\n"
		"refused.\n\n"
		"The file is taken as a stranger's: everything in it is checked as if it was typed, pictures\n"
		"are looked at, times are at most now, and what readers see is made here. Stopped or killed,\n"
		"it leaves no workspace; the same command begins again. While it stores, about a second for two\n"
		"thousand articles of 800 words, others who write wait.\n\n"
		"--json: as of workspace export." },
	{ .verb = NULL },
};
