/* galley migrate */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "backup/upgrade.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/commands.h"
#include "people/secret.h"
#include "store/schemas.h"
#include "system/instance.h"
#include "terminal/terminal.h"

/* Returns a path as a word of the shell. */
static const char *
shell_word(struct ctx *c, const char *path)
{
	struct buf out;

	if (path[strspn(path,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")] == '\0')
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

	back.database =
	    arena_printf(c->arena, "%s/bin/galley restore %s", word, shell_word(c, kept));
	if (access(arena_printf(c->arena, "%s/previous/bin/galley", dir), X_OK) == 0)
		back.programs = arena_printf(
		    c->arena, "cp -a --remove-destination %s/previous/. %s/", word, word);
	return back;
}

static void
say_way_back(struct call *call, const struct way_back *back)
{
	if (back->programs == NULL)
		call_say(call, "The way back: install the release before, then say\n\n  %s",
		    back->database);
	else
		call_say(call,
		    "The way back, as the user who installed the programs:\n\n  %s\n  %s",
		    back->programs, back->database);
}

static void
migrated_to_json(struct jwrite *j, const struct upgrade *done, const struct way_back *back)
{
	int64_t people = schemas_number(DB_CONSOLE);

	jwrite_object(j);
	jwrite_member_int(j, "from", done->from);
	jwrite_member_int(j, "to", schemas_number(DB_CONTENT));
	jwrite_member_text(j, "backup", done->kept);
	if (done->people_from > 0 && done->people_from < people) {
		jwrite_member_int(j, "people_from", done->people_from);
		jwrite_member_int(j, "people_to", people);
	}
	if (done->kept != NULL) {
		jwrite_member_array(j, "way_back");
		if (back->programs != NULL)
			jwrite_text(j, back->programs);
		jwrite_text(j, back->database);
		jwrite_array_end(j);
	}
	jwrite_object_end(j);
}

static struct err *
migrate(struct ctx *c, struct call *call)
{
	struct way_back back = { NULL, NULL };
	struct upgrade done;
	struct err *err = upgrade_run(c, call_work(call), &done);

	if (err != NULL)
		return err;
	if (!done.people)
		note_say(
		    "galley: %s is missing, and only root can create it: the console needs it. Say galley fix as root, then galley migrate again.",
		    secret_folder(c));
	if (done.kept != NULL)
		back = find_way_back(c, done.kept);
	if (call->as_json)
		migrated_to_json(&call->json, &done, &back);
	call_say(call, "%s", upgrade_said(c, &done));
	if (done.kept != NULL)
		say_way_back(call, &back);
	return NULL;
}

const struct command command_migrate[] = {
	{ .verb = "migrate",
	    .operands = "",
	    .flags = COMMAND_CHANGES,
	    .run = migrate,
	    .summary = "bring the database to this release, after make install",
	    .text =
		"Makes a backup beside the database first, and prints the way back: the commands that\n"
		"bring back the programs that make install kept in previous/, and their database. A database of a\n"
		"newer release is refused.\n\n"
		"The people (people/console.db) are brought to this release, too. Say it again where it was\n"
		"ended between the two." },
	{ .verb = NULL },
};
