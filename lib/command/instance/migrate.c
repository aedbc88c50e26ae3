/* galley migrate */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "backup/archive.h"
#include "command/call.h"
#include "command/command-list.h"
#include "schema_version.h"
#include "store/db.h"
#include "people/secret.h"
#include "terminal/note.h"
#include "store/migrate.h"

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
	/* An instance of before has no people yet. */
	if (secret_can_create(c))
		secret_create(c);
	else
		note_say("galley: %s is missing, and only root can create it: the"
			 " console needs it. Say galley fix as root, then galley"
			 " migrate again.", secret_folder(c));
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

const struct command command_migrate[] = {
	{ .verb = "migrate", .operands = "", .flags = COMMAND_CHANGES,
	    .run = migrate,
	    .summary = "bring the database to this release, after make install",
	    .text = "Makes a backup beside the database first, and prints the"
		    " way back: the commands that\nbring back the programs that"
		    " make install kept in previous/, and their database. A"
		    " database of a\nnewer release is refused." },
	{ .verb = NULL },
};
