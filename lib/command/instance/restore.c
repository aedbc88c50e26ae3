/* galley restore */
#include <inttypes.h>
#include <stddef.h>

#include "backup/restore.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/instance/backup-ask.h"
#include "store/schemas.h"

static size_t
count_ended(const struct restore *r, bool revoked)
{
	size_t count = 0;

	for (size_t i = 0; i < r->ended_count; i++)
		count += r->ended[i].revoked == revoked;
	return count;
}

/* Writes what is ended or closed, because it is so now. */
static void
closed_to_json(struct jwrite *j, const struct restore *r)
{
	jwrite_member_array(j, "keys_ended");
	for (size_t i = 0; i < r->ended_count; i++) {
		const struct restore_ended *key = &r->ended[i];
		jwrite_object(j);
		jwrite_member_text(j, "id", key->uuid);
		jwrite_member_text(j, "label", key->label);
		jwrite_member_text(j, "display", key->display);
		jwrite_member_text(j, "workspace", key->workspace);
		jwrite_member_text(j, "how", key->revoked ? "revoked" : "replaced");
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_member_array(j, "closed");
	for (size_t i = 0; i < r->closed_count; i++) {
		const struct restore_closed *it = &r->closed[i];
		jwrite_object(j);
		jwrite_member_text(j, "workspace", it->workspace);
		jwrite_member_text(j, "name", it->name);
		jwrite_member_text(j, "what", it->what);
		jwrite_member_text(j, "was", it->was);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_member_array(j, "pictures_removed");
	for (size_t i = 0; i < r->removed_count; i++)
		jwrite_text(j, r->removed[i]);
	jwrite_array_end(j);
}

static void
restored_to_json(struct jwrite *j, const struct restore *r)
{
	jwrite_object(j);
	jwrite_member_text(j, "file", r->file);
	jwrite_member_text(j, "kept", r->kept);
	jwrite_member_int(j, "schema", r->from);
	jwrite_member_int(j, "keys_revoked", (int64_t)count_ended(r, true));
	jwrite_member_int(j, "keys_replaced", (int64_t)count_ended(r, false));
	jwrite_member_int(j, "accounts_suspended", (int64_t)r->suspended_again_count);
	closed_to_json(j, r);
	jwrite_member_array(j, "jobs_failed");
	for (size_t i = 0; i < r->job_count; i++)
		jwrite_text(j, r->jobs[i]);
	jwrite_array_end(j);
	jwrite_member_array(j, "withdrawn");
	for (size_t i = 0; i < r->withdrawn_count; i++)
		jwrite_text(j, r->withdrawn[i].uuid);
	jwrite_array_end(j);
	jwrite_member_array(j, "pictures_missing");
	for (size_t i = 0; i < r->picture_count; i++)
		jwrite_text(j, r->pictures[i]);
	jwrite_array_end(j);
	if (r->people)
		jwrite_member_int(j, "people", r->people_there);
	jwrite_object_end(j);
}

static void
checked_to_json(struct jwrite *j, const char *path, const struct restore_finding *f)
{
	jwrite_object(j);
	jwrite_member_text(j, "file", path);
	jwrite_member_bool(j, "ok", f->problem_count == 0);
	jwrite_member_int(j, "bytes", f->bytes);
	jwrite_member_int(j, "schema", f->schema);
	jwrite_member_int(j, "media", f->media);
	jwrite_member_array(j, "workspaces");
	for (size_t i = 0; i < f->workspace_count; i++)
		jwrite_text(j, f->workspaces[i]);
	jwrite_array_end(j);
	jwrite_member_array(j, "problems");
	for (size_t i = 0; i < f->problem_count; i++)
		jwrite_text(j, f->problems[i]);
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static struct err *
check(struct ctx *c, struct call *call, const char *path)
{
	struct restore_finding f;
	struct err *err = restore_check(c, call_work(call), path, &f);

	if (err != NULL)
		return err;
	call->status = f.problem_count > 0;
	if (call->as_json)
		checked_to_json(&call->json, path, &f);
	call_say(call, "%s %s: schema %" PRId64 ", %zu workspace%s, %" PRId64 " image%s.", path,
	    f.problem_count > 0 ? "can be restored, but not as it should"
				: "is whole and can be restored",
	    f.schema, f.workspace_count, f.workspace_count == 1 ? "" : "s", f.media,
	    f.media == 1 ? "" : "s");
	for (size_t i = 0; i < f.workspace_count; i++)
		call_say(call, "  workspace %s", f.workspaces[i]);
	for (size_t i = 0; i < f.problem_count; i++)
		call_say(call, "  BROKEN %s", f.problems[i]);
	return NULL;
}

static void
tell_ended(struct call *call, size_t count, const char *noun, const char *how)
{
	if (count > 0)
		call_say(call, "%zu %s%s %s after that backup and stay%s so.", count, noun,
		    count == 1 ? " was" : "s were", how, count == 1 ? "s" : "");
}

/* Tells what the instance does not have as the backup has it, because it is ended, closed or
 * withdrawn now. */
static void
tell_not_back(struct ctx *c, struct call *call, const struct restore *r)
{
	tell_ended(call, count_ended(r, true), "key", "revoked");
	tell_ended(call, count_ended(r, false), "key", "replaced");
	tell_ended(call, r->suspended_again_count, "account", "suspended");
	for (size_t i = 0; i < r->ended_count; i++)
		call_say(call, "%s.", restore_ended_text(c, &r->ended[i]));
	for (size_t i = 0; i < r->suspended_again_count; i++)
		call_say(call, "The account %s stays suspended.", r->suspended_again[i]);
	for (size_t i = 0; i < r->closed_count; i++)
		call_say(call, "%s.", restore_closed_text(c, &r->closed[i]));
	for (size_t i = 0; i < r->withdrawn_count; i++)
		call_say(call, "Article %s (%s) is %s now and stays withdrawn.",
		    r->withdrawn[i].uuid, r->withdrawn[i].title, r->withdrawn[i].how);
	for (size_t i = 0; i < r->removed_count; i++)
		call_say(call, "The picture %s is removed now and stays removed.", r->removed[i]);
	if (r->closed_count + r->withdrawn_count + r->removed_count > 0)
		call_say(call, "galley restore --as-it-was brings %s back%s.",
		    r->closed_count + r->withdrawn_count + r->removed_count == 1 ? "it" : "them",
		    r->ended_count + r->suspended_again_count > 0 ? ", but no key and no account"
								  : "");
}

static struct err *
restore(struct ctx *c, struct call *call)
{
	struct restore r = { .file = call->operands[0] };
	struct err *err;

	if (call_has(call, "check"))
		return check(c, call, r.file);
	r.as_it_was = call_has(call, "as-it-was");
	r.people = call_has(call, "people");
	err = backup_ask_restore(c, call, r.file);
	r.work = call_work(call);
	if (err == NULL)
		err = restore_run(c, &r);
	if (err != NULL)
		return err;
	if (call->as_json)
		restored_to_json(&call->json, &r);
	call_say(call, "The instance is as %s has it.", r.file);
	if (r.from != schemas_number(DB_CONTENT))
		call_say(call,
		    "Its database was of schema %" PRId64 " and was brought to %" PRId64 ".",
		    r.from, schemas_number(DB_CONTENT));
	tell_not_back(c, call, &r);
	for (size_t i = 0; i < r.job_count; i++)
		call_say(call, "Job %s was open; it is failed and refunded.", r.jobs[i]);
	if (r.people)
		call_say(call,
		    "%" PRId64 " of its people %s here now, disabled:"
		    " galley person list shows them, galley person enable lets"
		    " them in.",
		    r.people_there, r.people_there == 1 ? "is" : "are");
	else if (r.people_back)
		call_say(call, "The people who may sign in are those of the backup.");
	else if (r.people_now > 0)
		call_say(call, "The people who may sign in are those of before.");
	call_say(call, "What it replaced is kept in %s.", r.kept);
	call_say(call,
	    "Every integration copies all published articles again at its next synchronization.");
	return NULL;
}

static const struct command_option restore_options[] = {
	{ .name = "check", .help = "read and check it whole, and change nothing" },
	{ .name = "as-it-was", .help = "bring back what has been withdrawn or closed since" },
	{ .name = "people", .help = "take its people, where there are none: all disabled" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_restore[] = {
	{ .verb = "restore",
	    .operands = "FILE",
	    .operands_min = 1,
	    .operands_max = 1,
	    .options = restore_options,
	    .flags = COMMAND_CHANGES,
	    .run = restore,
	    .summary = "make the instance what a backup holds",
	    .text =
		"Requests go on: they see the old state or the new one, never a mixture. Keys work as\n"
		"before; those that were revoked since the backup stay revoked. What is replaced is kept\n"
		"beside the database as a backup of its own. On a terminal it shows first what would be replaced\n"
		"by what, and asks; --yes is for scripts.\n\n"
		"Articles that the backup publishes and that have been unpublished, deleted or purged since stay\n"
		"withdrawn, as drafts or in the trash; pictures that were removed since stay removed. What a workspace has closed since stays\n"
		"closed: its pages, analytics, the address that is told of changes, and each origin that its settings no longer\n"
		"name. A workspace that was deleted is back with all of it closed. All of this is listed, with each key and account\n"
		"that stays ended. --as-it-was brings it back, but no key and no account.\n\n"
		"The people who may sign in to the console stay as they are. --people takes those of the backup into\n"
		"an instance that has none; they are disabled, and galley person enable lets each of them in. After an upgrade that is\n"
		"taken back, where the programs cannot open the newer people, those of the backup take their place and\n"
		"are not disabled.\n\n"
		"With --check the backup is read to its end and checked as for a restore: exit 1 if it is not\n"
		"whole. That needs as much room in run/ as its database has." },
	{ .verb = NULL },
};
