/* galley backup | restore | migrate */
#include <inttypes.h>
#include <stddef.h>

#include "base/ctx.h"
#include "command/archive.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/restore.h"
#include "schema_version.h"
#include "store/db.h"
#include "store/migrate.h"

static struct err *
backup(struct ctx *c, struct call *call)
{
	const char *path = call->operands[0];
	struct archive_facts facts;
	struct err *err;

	/* Not as COMMAND_DB: what belongs to another release is kept too. */
	db_open(c, DB_WAIT_TOOL_MS);
	err = archive_write(c, path, &facts);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "file", path);
		jwrite_member_int(&call->json, "bytes", facts.bytes);
		jwrite_member_int(&call->json, "media", facts.media);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s has %" PRId64 " bytes: the database, the pepper,"
	    " galley.conf and %" PRId64 " image%s.", path, facts.bytes,
	    facts.media, facts.media == 1 ? "" : "s");
	call_say(call, "It holds every secret of the instance; keep it"
	    " elsewhere, and private.");
	return NULL;
}

static void
restored_to_json(struct jwrite *j, const struct restore *r)
{
	jwrite_object(j);
	jwrite_member_text(j, "file", r->file);
	jwrite_member_text(j, "kept", r->kept);
	jwrite_member_int(j, "schema", r->from);
	jwrite_member_int(j, "keys_revoked", (int64_t)r->revoked_again);
	jwrite_member_array(j, "jobs_failed");
	for (size_t i = 0; i < r->job_count; i++)
		jwrite_text(j, r->jobs[i]);
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static struct err *
restore(struct ctx *c, struct call *call)
{
	struct restore r = { .call = call, .file = call->operands[0] };
	struct err *err;

	err = restore_run(c, &r);
	if (err != NULL)
		return err;
	if (call->as_json)
		restored_to_json(&call->json, &r);
	call_say(call, "The instance is as %s has it.", r.file);
	if (r.from != SCHEMA_VERSION)
		call_say(call, "Its database was of schema %" PRId64
		    " and was brought to %d.", r.from, SCHEMA_VERSION);
	if (r.revoked_again > 0)
		call_say(call, "%zu key%s revoked after that backup and"
		    " stay%s so.", r.revoked_again,
		    r.revoked_again == 1 ? " was" : "s were",
		    r.revoked_again == 1 ? "s" : "");
	for (size_t i = 0; i < r.job_count; i++)
		call_say(call, "Job %s was open; it is failed and refunded.",
		    r.jobs[i]);
	call_say(call, "What it replaced is kept in %s.", r.kept);
	call_say(call, "Every integration copies all published articles again"
	    " at its next synchronization.");
	return NULL;
}

static void
migrated_to_json(struct jwrite *j, int64_t from, const char *kept)
{
	jwrite_object(j);
	jwrite_member_int(j, "from", from);
	jwrite_member_int(j, "to", SCHEMA_VERSION);
	jwrite_member_text(j, "backup", kept);
	jwrite_object_end(j);
}

static struct err *
migrate(struct ctx *c, struct call *call)
{
	struct archive_facts facts;
	const char *kept = NULL;
	struct err *err = NULL;
	int64_t from;

	db_open(c, DB_WAIT_TOOL_MS);
	from = db_version(c);
	if (from < SCHEMA_VERSION) {
		kept = archive_beside(c, "before-migrate", "tar");
		err = archive_write(c, kept, &facts);
	}
	if (err == NULL)
		err = migrate_run(c, &from);
	if (err != NULL)
		return err;
	if (call->as_json)
		migrated_to_json(&call->json, from, kept);
	if (kept == NULL) {
		call_say(call, "The database is of schema %d already.",
		    SCHEMA_VERSION);
		return NULL;
	}
	call_say(call, "The database was of schema %" PRId64 " and is now of"
	    " %d.", from, SCHEMA_VERSION);
	call_say(call, "The way back: install the previous programs, then say"
	    "\ngalley restore %s", kept);
	return NULL;
}

#define FILE_COMMAND                                                           \
	.operands = "FILE", .operands_min = 1, .operands_max = 1,              \
	.flags = COMMAND_CHANGES

const struct command command_backup[] = {
	{ FILE_COMMAND, .verb = "backup", .run = backup,
	    .summary = "write the whole instance into one tar",
	    .text = "The database (a consistent copy that was checked), the"
		    " pepper, galley.conf and all images;\nmode 0600. A backup"
		    " of that name stays until the new one is whole. Requests"
		    " go on." },
	{ FILE_COMMAND, .verb = "restore", .run = restore,
	    .summary = "make the instance what a backup holds",
	    .text = "Requests go on: they see the old state or the new one,"
		    " never a mixture. Keys work as\nbefore; those that were"
		    " revoked since the backup stay revoked. What is replaced"
		    " is kept\nbeside the database as a backup of its own." },
	{ .verb = "migrate", .operands = "", .flags = COMMAND_CHANGES,
	    .run = migrate,
	    .summary = "bring the database to this release, after make install",
	    .text = "Makes a backup beside the database first, and prints the"
		    " way back. A database of a newer\nrelease is refused." },
	{ .verb = NULL },
};
