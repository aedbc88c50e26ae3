/* galley backup | restore | live | dump: an instance as files, and back. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/instance-actions.h"
#include "backup/archive.h"
#include "backup/dump.h"
#include "backup/kept-backups.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "store/db.h"
#include "store/schemas.h"
#include "system/instance.h"
#include "terminal/terminal.h"

/* ---- questions before a backup is replaced or restored; with --yes, which the command must have
 * as an option, nobody is asked */

#define NAMES_MAX 20 /* names that are shown */

static bool
is_folder(const char *path)
{
	size_t len = strlen(path);
	struct stat st;

	return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) || (len > 0 && path[len - 1] == '/');
}

/* Refuses a path that names a folder, and a file that is not a backup of Galley. A backup
 * is replaced if the person at the terminal says so; where nobody can be asked it is
 * replaced, and a line says so. */
static struct err *
backup_ask_overwrite(struct ctx *c, const struct call *call, const char *path)
{
	size_t len = strlen(path);
	int64_t made_at;
	const char *of;
	struct err *err;

	if (is_folder(path))
		return call_usage(c,
		    "%s is a folder: name a file in it, such as %s%sgalley.tar, or say --keep N for a series of backups there.",
		    path, path, path[len - 1] == '/' ? "" : "/");
	err = archive_find_old(c, path, &made_at);
	if (err != NULL || made_at == -1 || call_has(call, "yes"))
		return err;
	of = when_text(c->arena, made_at);
	if (!ask_can()) {
		note_say(
		    "galley: %s was there already, of %s; it is replaced when the new one is whole.",
		    path, of);
		return NULL;
	}
	if (ask(arena_printf(c->arena, "%s is there already, of %s. Replace it?", path, of), false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}

static void
show_numbers(const char *what, int64_t now, int64_t then)
{
	note_say("  %-14s %-22" PRId64 " %" PRId64, what, now, then);
}

/* Lists what `in` has and `other` has not. */
static void
show_only(const char *head, const struct restore_side *in, const struct restore_side *other)
{
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < in->count; i++) {
		const struct restore_thing *it = &in->things[i];
		if (restore_side_has(other, it))
			continue;
		if (shown == 0)
			note_say("%s", head);
		if (shown < NAMES_MAX) {
			note_say("  %s %s", it->kind, it->name);
			shown++;
		} else {
			left++;
		}
	}
	if (left > 0)
		note_say("  … and %zu more", left);
}

static void
show_sides(struct ctx *c, const struct restore_side *now, const struct restore_side *then)
{
	const char *from = when_text(c->arena, now->changed_at);
	const char *to = when_text(c->arena, then->changed_at);

	note_say("  %-14s %-22s %s", "", "now", "in the backup");
	note_say(
	    "  %-14s %-22s %s", "last change", from != NULL ? from : "-", to != NULL ? to : "-");
	show_numbers("workspaces", now->workspaces, then->workspaces);
	show_numbers("articles", now->articles, then->articles);
	show_numbers("  published", now->published, then->published);
	show_numbers("jobs", now->jobs, then->jobs);
	show_numbers("credits", now->credits, then->credits);
	show_only("Not in the backup, and gone after this:", now, then);
	show_only("Not there now, and back after this:", then, now);
}

/* On a terminal: shows what would be replaced by what, and asks. Refuses where the
 * answer is no. Changes nothing, and waits for no lock. */
static struct err *
backup_ask_restore(struct ctx *c, const struct call *call, const char *file)
{
	struct restore_comparison both;

	if (call_has(call, "yes") || !ask_can())
		return NULL;
	TRY(restore_compare(c, &call->work, file, &both));
	note_say("All of %s is replaced by what %s holds:\n", c->instance->home, file);
	if (both.unknown == NULL)
		show_sides(c, &both.now, &both.then);
	else
		note_say(
		    "What it replaces cannot be shown: the present database %s.", both.unknown);
	note_say("\nWhat there is now is kept as a backup in %s/db.", c->instance->home);
	return ask("Go on?", false) ? NULL : refuse(c, ERR_CONFLICT, "Nothing was changed.");
}

/* ---- galley backup */

static void
facts_to_json(struct jwrite *j, const char *path, const struct archive_facts *f)
{
	jwrite_member_text(j, "file", path);
	jwrite_member_int(j, "bytes", f->bytes);
	jwrite_member_int(j, "media", f->media);
	jwrite_member_array(j, "damaged");
	for (size_t i = 0; i < f->damaged_count; i++)
		jwrite_text(j, f->damaged[i].name);
	jwrite_array_end(j);
}

static struct err *
write_one(struct ctx *c, struct call *call, const char *path)
{
	struct archive_facts facts;

	TRY(backup_ask_overwrite(c, call, path));
	TRY(archive_write(
	    c, call_work(call), path, false, true, call_has(call, "with-stats"), &facts));
	archive_tell_damaged(c, &call->work, &facts, path);
	call->status = facts.damaged_count > 0;
	if (call->as_json) {
		jwrite_object(&call->json);
		facts_to_json(&call->json, path, &facts);
		jwrite_object_end(&call->json);
	}
	call_say(call,
	    "%s has %" PRId64 " bytes: the database, %s%sthe pepper,"
	    " galley.conf and %" PRId64 " image%s.",
	    path, facts.bytes, facts.people ? "the people, " : "",
	    facts.stats ? "the counts of readers, " : "", facts.media, facts.media == 1 ? "" : "s");
	call_say(call, "It holds every secret of the instance; keep it elsewhere, and private.");
	return NULL;
}

/* Writes a new backup of a series. It is read back before an old one is removed. */
static struct err *
write_series(struct ctx *c, struct call *call, const char *folder, int64_t keep)
{
	struct restore_finding found;
	struct archive_facts facts;
	const char *path;
	int64_t removed;
	char real[PATH_MAX];
	struct stat st;

	if (realpath(folder, real) == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s. --keep wants a folder that is there.",
		    folder, strerror(errno));
	if (stat(real, &st) == 0 && !S_ISDIR(st.st_mode))
		return call_usage(
		    c, "%s is a file: --keep wants the folder of the series.", folder);
	path = series_path(c, real);
	TRY(archive_write(
	    c, call_work(call), path, false, true, call_has(call, "with-stats"), &facts));
	archive_tell_damaged(c, &call->work, &facts, path);
	call->status = facts.damaged_count > 0;
	TRY(restore_check(c, call_work(call), path, &found));
	if (found.problem_count > 0)
		return refuse(c, ERR_INTERNAL,
		    "%s is kept, and so are the older ones, but: %s. Say galley verify.", path,
		    found.problems[0]);
	TRY(series_prune(c, path, keep, &removed));
	if (call->as_json) {
		jwrite_object(&call->json);
		facts_to_json(&call->json, path, &facts);
		jwrite_member_int(&call->json, "removed", removed);
		jwrite_object_end(&call->json);
	}
	/* cron sends by mail what is printed. */
	if (isatty(STDOUT_FILENO))
		call_say(call, "%s is whole; %" PRId64 " older one%s removed.", path, removed,
		    removed == 1 ? " was" : "s were");
	return NULL;
}

static struct err *
backup(struct ctx *c, struct call *call)
{
	const char *word = call_option(call, "keep");
	int64_t keep = 0;

	if (word != NULL)
		TRY(number_read(c, word, "number of backups", &keep));
	if (word != NULL && keep == 0)
		return call_usage(c, "--keep keeps at least one backup.");
	/* COMMAND_DB would refuse: a database of another release is backed up,
	 * too. */
	db_open(c, DB_WAIT_TOOL_MS);
	return word != NULL ? write_series(c, call, call->operands[0], keep)
			    : write_one(c, call, call->operands[0]);
}

/* ---- galley restore */

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
check_backup(struct ctx *c, struct call *call, const char *path)
{
	struct restore_finding f;

	TRY(restore_check(c, call_work(call), path, &f));
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

	if (call_has(call, "workspace") || call_has(call, "article"))
		return restore_of_one(c, call);
	if (call_has(call, "check"))
		return check_backup(c, call, r.file);
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

/* ---- galley live */

static struct err *
live(struct ctx *c, struct call *call)
{
	TRY(live_action(c));
	call_changed(call, "this instance");
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_bool(&call->json, "live", true);
		jwrite_object_end(&call->json);
	}
	call_say(
	    call, "This instance is live: orders, dates of publishing, pings and mails go on.");
	return NULL;
}

/* ---- galley dump */

static struct err *
dump(struct ctx *c, struct call *call)
{
	const char *folder = call->operands[0];
	struct dump d;

	TRY(dump_run(c, call_work(call), folder, &d));
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

/* ---- the rows */

static const struct command_option backup_options[] = {
	{ .name = "keep", .value = "N", .help = "into the folder DIR, and only the newest N stay" },
	{ .name = "with-stats", .help = "with what was counted of readers" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

static const struct command_option restore_options[] = {
	{ .name = "check", .help = "read and check it whole, and change nothing" },
	{ .name = "as-it-was", .help = "bring back what has been withdrawn or closed since" },
	{ .name = "people", .help = "take its people, where there are none: all disabled" },
	{ .name = "workspace", .value = "ID", .help = "bring back this workspace alone" },
	{ .name = "article", .value = "ID", .help = "bring back this article alone" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_backup[] = {
	{ .verb = "backup",
	    .operands = "FILE|DIR",
	    .options = backup_options,
	    .flags = COMMAND_CHANGES,
	    .run = backup,
	    .summary = "write the whole instance into one tar",
	    .text =
		"The database (a consistent copy that was checked), the people, the pepper, galley.conf and all images;\n"
		"mode 0600. A backup of that name stays until the new one is whole; on a terminal it is asked whether it\n"
		"may be replaced. Any other file of that name is left alone. Requests go on.\n\n"
		"With --with-stats the counts of readers (galley stats) are in it, too, as stats/stats.db.\n"
		"A restore keeps the counts that are there.\n\n"
		"With --keep, for cron: the name is made of the instance and the time, the backup is read back\n"
		"as restore --check does, and only then are the oldest beyond N of this instance removed.\n"
		"Nothing else in DIR is touched. It is silent when all is well:\n\n"
		"  17 3 * * * DIR/bin/galley backup --keep 14 /var/backups/galley" },
	{ .verb = NULL },
};

const struct command command_restore[] = {
	{ .verb = "restore",
	    .operands = "FILE",
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
		"With --workspace or --article one comes back, and all else stays as it is. A working copy that\n"
		"is replaced is in History; what readers see is a new edition; articles that are newer stay.\n"
		"What is in the trash, purged, unpublished or closed now stays so without --as-it-was; only an\n"
		"article that is named comes back as a draft when it was purged. A slug that another article has\n"
		"now gets a number. What cannot come back is named, and the exit status is 1. Stopped or killed,\n"
		"the same command does the rest. --json: {file, workspace, articles, published, withheld, failed}.\n\n"
		"With --check the backup is read to its end and checked as for a restore: exit 1 if it is not\n"
		"whole. That needs as much room in run/ as its database has." },
	{ .verb = NULL },
};

const struct command command_live[] = {
	{ .verb = "live",
	    .operands = "",
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = live,
	    .summary = "say that a copied or restored instance is live",
	    .text =
		"A copy of an instance, or a backup that was restored, is quiet on another machine, or under\n"
		"another public_url in another folder: no order is begun, nothing is published at a date, no\n"
		"ping and no mail is sent, because the other instance may still do so. This ends it." },
	{ .verb = NULL },
};

const struct command command_dump[] = {
	{ .verb = "dump",
	    .operands = "DIR",
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
