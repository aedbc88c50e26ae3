/* galley backup */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backup/archive.h"
#include "backup/restore.h"
#include "backup/series.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/instance/backup-ask.h"
#include "store/db.h"

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
		err = archive_write(
		    c, call_work(call), path, false, true, call_has(call, "with-stats"), &facts);
	if (err != NULL)
		return err;
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
	struct err *err;

	if (realpath(folder, real) == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s. --keep wants a folder that is there.",
		    folder, strerror(errno));
	if (stat(real, &st) == 0 && !S_ISDIR(st.st_mode))
		return call_usage(
		    c, "%s is a file: --keep wants the folder of the series.", folder);
	path = series_path(c, real);
	err = archive_write(
	    c, call_work(call), path, false, true, call_has(call, "with-stats"), &facts);
	if (err != NULL)
		return err;
	archive_tell_damaged(c, &call->work, &facts, path);
	call->status = facts.damaged_count > 0;
	err = restore_check(c, call_work(call), path, &found);
	if (err == NULL && found.problem_count > 0)
		err = refuse(c, ERR_INTERNAL,
		    "%s is kept, and so are the older ones, but: %s. Say galley verify.", path,
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
		call_say(call, "%s is whole; %" PRId64 " older one%s removed.", path, removed,
		    removed == 1 ? " was" : "s were");
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

static const struct command_option backup_options[] = {
	{ .name = "keep", .value = "N", .help = "into the folder DIR, and only the newest N stay" },
	{ .name = "with-stats", .help = "with what was counted of readers" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_backup[] = {
	{ .verb = "backup",
	    .operands = "FILE|DIR",
	    .operands_min = 1,
	    .operands_max = 1,
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
