/* galley backup | restore | migrate */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "backup/archive.h"
#include "command/call.h"
#include "command/instance/backup-ask.h"
#include "command/command-list.h"
#include "command/number.h"
#include "backup/restore.h"
#include "backup/series.h"
#include "schema_version.h"
#include "store/db.h"
#include "store/migrate.h"

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
	struct err *err = backup_ask_overwrite(c, call, path);

	if (err == NULL)
		err = archive_write(c, call_work(call), path, false, true, &facts);
	if (err != NULL)
		return err;
	archive_tell_damaged(&call->work, &facts, path);
	call->status = facts.damaged_count > 0;
	if (call->as_json) {
		jwrite_object(&call->json);
		facts_to_json(&call->json, path, &facts);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s has %" PRId64 " bytes: the database, the pepper,"
	    " galley.conf and %" PRId64 " image%s.", path, facts.bytes,
	    facts.media, facts.media == 1 ? "" : "s");
	call_say(call, "It holds every secret of the instance; keep it"
	    " elsewhere, and private.");
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
	struct err *err;

	if (realpath(folder, real) == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s. --keep wants a folder"
		    " that is there.", folder, strerror(errno));
	if (stat(real, &st) == 0 && !S_ISDIR(st.st_mode))
		return call_usage(c, "%s is a file: --keep wants the folder of"
		    " the series.", folder);
	path = series_path(c, real);
	err = archive_write(c, call_work(call), path, false, true, &facts);
	if (err != NULL)
		return err;
	archive_tell_damaged(&call->work, &facts, path);
	call->status = facts.damaged_count > 0;
	err = restore_check(c, call_work(call), path, &found);
	if (err == NULL && found.problem_count > 0)
		err = refuse(c, ERR_INTERNAL, "%s is kept, and so are the older"
		    " ones, but: %s. Say galley verify.", path,
		    found.problems[0]);
	if (err == NULL)
		err = series_prune(c, path, keep, &removed);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		facts_to_json(&call->json, path, &facts);
		jwrite_member_int(&call->json, "removed", removed);
		jwrite_object_end(&call->json);
	}
	/* cron sends by mail what is printed. */
	if (isatty(STDOUT_FILENO))
		call_say(call, "%s is whole; %" PRId64 " older one%s removed.",
		    path, removed, removed == 1 ? " was" : "s were");
	return NULL;
}

static struct err *
backup(struct ctx *c, struct call *call)
{
	const char *word = call_option(call, "keep");
	int64_t keep = 0;
	struct err *err = NULL;

	if (word != NULL)
		err = number_read(c, word, "number of backups", &keep);
	if (err == NULL && word != NULL && keep == 0)
		err = call_usage(c, "--keep keeps at least one backup.");
	if (err != NULL)
		return err;
	/* COMMAND_DB would refuse: a database of another release is backed up,
	 * too. */
	db_open(c, DB_WAIT_TOOL_MS);
	return word != NULL ? write_series(c, call, call->operands[0], keep)
			    : write_one(c, call, call->operands[0]);
}

static void
restored_to_json(struct jwrite *j, const struct restore *r)
{
	jwrite_object(j);
	jwrite_member_text(j, "file", r->file);
	jwrite_member_text(j, "kept", r->kept);
	jwrite_member_int(j, "schema", r->from);
	jwrite_member_int(j, "keys_revoked", (int64_t)r->revoked_again);
	jwrite_member_int(j, "keys_replaced", (int64_t)r->replaced_again);
	jwrite_member_int(j, "accounts_suspended",
	    (int64_t)r->suspended_again);
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
	jwrite_object_end(j);
}

static void
checked_to_json(struct jwrite *j, const char *path,
    const struct restore_finding *f)
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
	call_say(call, "%s %s: schema %" PRId64 ", %zu workspace%s, %" PRId64
	    " image%s.", path,
	    f.problem_count > 0 ? "can be restored, but not as it should"
				: "is whole and can be restored",
	    f.schema, f.workspace_count, f.workspace_count == 1 ? "" : "s",
	    f.media, f.media == 1 ? "" : "s");
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
		call_say(call, "%zu %s%s %s after that backup and stay%s so.",
		    count, noun, count == 1 ? " was" : "s were", how,
		    count == 1 ? "s" : "");
}

static struct err *
restore(struct ctx *c, struct call *call)
{
	struct restore r = { .file = call->operands[0] };
	struct err *err;

	if (call_has(call, "check"))
		return check(c, call, r.file);
	r.as_it_was = call_has(call, "as-it-was");
	err = backup_ask_restore(c, call, r.file);
	r.work = call_work(call);
	if (err == NULL)
		err = restore_run(c, &r);
	if (err != NULL)
		return err;
	if (call->as_json)
		restored_to_json(&call->json, &r);
	call_say(call, "The instance is as %s has it.", r.file);
	if (r.from != SCHEMA_VERSION)
		call_say(call, "Its database was of schema %" PRId64
		    " and was brought to %d.", r.from, SCHEMA_VERSION);
	tell_ended(call, r.revoked_again, "key", "revoked");
	tell_ended(call, r.replaced_again, "key", "replaced");
	tell_ended(call, r.suspended_again, "account", "suspended");
	for (size_t i = 0; i < r.withdrawn_count; i++)
		call_say(call, "Article %s (%s) is %s now and stays withdrawn.",
		    r.withdrawn[i].uuid, r.withdrawn[i].title,
		    r.withdrawn[i].how);
	if (r.withdrawn_count > 0)
		call_say(call, "galley restore --as-it-was shows %s again.",
		    r.withdrawn_count == 1 ? "it" : "them");
	for (size_t i = 0; i < r.job_count; i++)
		call_say(call, "Job %s was open; it is failed and refunded.",
		    r.jobs[i]);
	call_say(call, "What it replaced is kept in %s.", r.kept);
	call_say(call, "Every integration copies all published articles again"
	    " at its next synchronization.");
	return NULL;
}

/* Returns a path as a word of the shell. */
static const char *
shell_word(struct ctx *c, const char *path)
{
	struct buf out;

	if (path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
			      "XYZ0123456789_./-")] == '\0')
		return path;
	buf_init(&out, c->arena, (size_t)4 * PATH_MAX);
	buf_add_char(&out, '\'');
	for (; *path != '\0'; path++) {
		if (*path == '\'')
			buf_add_text(&out, "'\\'");
		buf_add_char(&out, *path);
	}
	buf_add_char(&out, '\'');
	return buf_done(&out);
}

/* The commands that restore the programs that `make install` kept, and the
 * database that belongs to them. */
struct way_back {
	const char *programs; /* NULL: they are missing */
	const char *database;
};

static struct way_back
find_way_back(struct ctx *c, const char *kept)
{
	const char *dir = c->instance->programs;
	const char *word = shell_word(c, dir);
	struct way_back back = { .programs = NULL };

	back.database = arena_printf(c->arena, "%s/bin/galley restore %s", word,
	    shell_word(c, kept));
	if (access(arena_printf(c->arena, "%s/previous/bin/galley", dir),
		X_OK) == 0)
		back.programs = arena_printf(c->arena,
		    "cp -a --remove-destination %s/previous/. %s/", word, word);
	return back;
}

static void
say_way_back(struct call *call, const struct way_back *back)
{
	if (back->programs == NULL)
		call_say(call, "The way back: install the release before, then"
		    " say\n\n  %s", back->database);
	else
		call_say(call, "The way back, as the user who installed the programs:"
		    "\n\n  %s\n  %s", back->programs, back->database);
}

static void
migrated_to_json(struct jwrite *j, int64_t from, const char *kept,
    const struct way_back *back)
{
	jwrite_object(j);
	jwrite_member_int(j, "from", from);
	jwrite_member_int(j, "to", SCHEMA_VERSION);
	jwrite_member_text(j, "backup", kept);
	if (kept != NULL) {
		jwrite_member_array(j, "way_back");
		if (back->programs != NULL)
			jwrite_text(j, back->programs);
		jwrite_text(j, back->database);
		jwrite_array_end(j);
	}
	jwrite_object_end(j);
}

/* Refuses if the database differs from its schema: what a person added would be
 * lost by the upgrade, or end it. */
static struct err *
compare(struct ctx *c, int64_t from)
{
	struct err *err = migrate_compare(c, c->instance->db, from);

	return err == NULL ? NULL
			   : refuse(c, ERR_CONFLICT,
				 "%s Nothing was changed. Put it right with the"
				 " sqlite3 shell, and say galley migrate again.",
				 err->message);
}

static struct err *
migrate(struct ctx *c, struct call *call)
{
	struct archive_facts facts;
	struct way_back back = { NULL, NULL };
	const char *kept = NULL;
	struct err *err = NULL;
	int64_t from;

	db_open(c, DB_WAIT_TOOL_MS);
	from = db_version(c);
	if (from > 0 && from < SCHEMA_VERSION)
		err = compare(c, from);
	if (err == NULL && from < SCHEMA_VERSION) {
		kept = archive_beside(c, "before-migrate", "tar");
		err = archive_write(c, call_work(call), kept, false, true, &facts);
		if (err == NULL)
			archive_tell_damaged(&call->work, &facts, kept);
	}
	if (err == NULL)
		err = migrate_run(c, &from);
	if (err != NULL)
		return err;
	if (kept != NULL)
		back = find_way_back(c, kept);
	if (call->as_json)
		migrated_to_json(&call->json, from, kept, &back);
	if (kept == NULL) {
		call_say(call, "The database is of schema %d already.",
		    SCHEMA_VERSION);
		return NULL;
	}
	call_say(call, "The database was of schema %" PRId64 " and is now of"
	    " %d.", from, SCHEMA_VERSION);
	say_way_back(call, &back);
	return NULL;
}

static const struct command_option backup_options[] = {
	{ .name = "keep", .value = "N",
	    .help = "into the folder DIR, and only the newest N stay" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

static const struct command_option restore_options[] = {
	{ .name = "check",
	    .help = "read and check it whole, and change nothing" },
	{ .name = "as-it-was",
	    .help = "show again what has been withdrawn since" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_backup[] = {
	{ .verb = "backup", .operands = "FILE|DIR", .operands_min = 1,
	    .operands_max = 1, .options = backup_options,
	    .flags = COMMAND_CHANGES, .run = backup,
	    .summary = "write the whole instance into one tar",
	    .text = "The database (a consistent copy that was checked), the"
		    " pepper, galley.conf and all images;\nmode 0600. A backup"
		    " of that name stays until the new one is whole; on a"
		    " terminal it is asked whether it\nmay be replaced. Any"
		    " other file of that name is left alone. Requests go on.\n\nWith --keep, for cron: the name is made of the"
		    " instance and the time, the backup is read back\nas"
		    " restore --check does, and only then are the oldest beyond"
		    " N of this instance removed.\nNothing else in DIR is"
		    " touched. It is silent when all is well:\n\n"
		    "  17 3 * * * DIR/bin/galley backup --keep 14"
		    " /var/backups/galley" },
	{ .verb = "restore", .operands = "FILE", .operands_min = 1,
	    .operands_max = 1, .options = restore_options,
	    .flags = COMMAND_CHANGES, .run = restore,
	    .summary = "make the instance what a backup holds",
	    .text = "Requests go on: they see the old state or the new one,"
		    " never a mixture. Keys work as\nbefore; those that were"
		    " revoked since the backup stay revoked. What is replaced"
		    " is kept\nbeside the database as a backup of its own. On"
		    " a terminal it shows first what would be replaced\nby"
		    " what, and asks; --yes is for scripts.\n\nArticles that"
		    " the backup publishes and that have been unpublished,"
		    " deleted or purged since stay\nwithdrawn, as drafts or in"
		    " the trash, and are listed. --as-it-was shows them again."
		    "\n\nWith --check the backup is read to its end and checked"
		    " as for a restore: exit 1 if it is not\nwhole. That needs"
		    " as much room in run/ as its database has." },
	{ .verb = "migrate", .operands = "", .flags = COMMAND_CHANGES,
	    .run = migrate,
	    .summary = "bring the database to this release, after make install",
	    .text = "Makes a backup beside the database first, and prints the"
		    " way back: the commands that\nbring back the programs that"
		    " make install kept in previous/, and their database. A"
		    " database of a\nnewer release is refused." },
	{ .verb = NULL },
};
