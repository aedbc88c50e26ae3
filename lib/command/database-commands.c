/* galley migrate | store copy | export refresh: what is done with whole databases. */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "action/action.h"
#include "article/stored.h"
#include "backup/store-copy.h"
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

/* ---- galley migrate */

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

	TRY(upgrade_run(c, call_work(call), &done));
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

/* ---- galley store copy */

static struct err *
back(struct ctx *c, struct call *call)
{
	struct store_opened opened;

	TRY(store_copy_back(c, &opened));
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "opened", c->instance->home);
		jwrite_member_bool(&call->json, "synchronised_again", opened.drawn);
		jwrite_member_bool(&call->json, "other_closed", opened.other_closed);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s is open again.", c->instance->home);
	if (opened.drawn)
		call_say(call,
		    "The other instance may have been in use: customers synchronise again, and what was written there since is not here.");
	if (opened.other_closed)
		call_say(call, "The other instance is closed: it answers 503.");
	else if (opened.drawn)
		call_say(call,
		    "The other instance cannot be asked: stop it, two that are open would order and mail twice.");
	return NULL;
}

static struct err *
copy(struct ctx *c, struct call *call)
{
	struct store_copied done;

	if (call_has(call, "back") != (call->operand_count == 0))
		return call_usage(
		    c, "galley store copy wants the folder of the other instance, or --back.");
	if (call_has(call, "back"))
		return back(c, call);
	TRY(store_copy_run(c, call_work(call), call->operands[0], &done));
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "to", done.to);
		jwrite_member_text(&call->json, "store", done.to_lite ? "sqlite" : "postgresql");
		jwrite_member_bool(&call->json, "before", done.before);
		jwrite_object_end(&call->json);
	}
	call_say(call,
	    "%s has everything now, and %s is closed. Let the web server and cron run the other one.",
	    done.to, c->instance->home);
	call_say(call, "galley store copy --back opens this one again.");
	return NULL;
}

/* ---- galley export refresh */

static struct err *
refresh(struct ctx *c, struct call *call)
{
	struct find_place place = { .name = call_option(call, "workspace") };
	struct workspace *w = NULL;
	int64_t renewed;

	if (place.name != NULL)
		TRY(read_workspace(c, &place, &w));
	TRY(refresh_run(c, call_work(call), w == NULL ? 0 : w->id, &renewed));
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "renewed", renewed);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%" PRId64 " stored export%s renewed.", renewed,
	    renewed == 1 ? " was" : "s were");
	return NULL;
}

/* ---- the rows */

static const struct command_option options[] = {
	{ .name = "back", .help = "open this instance again, which was moved" },
	{ .name = NULL },
};

static const struct command_option refresh_options[] = {
	{ .name = "workspace", .value = "ID", .help = "only this one; else all" },
	{ .name = NULL },
};

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

const struct command command_store[] = {
	{ .noun = "store",
	    .verb = "copy",
	    .operands = "[DIR]",
	    .options = options,
	    .flags = COMMAND_CHANGES,
	    .run = copy,
	    .summary = "move to PostgreSQL, or back to SQLite",
	    .text =
		"DIR is an instance with the other store, which holds nothing yet and has the same pepper: put\n"
		"a copy of db/pepper there before galley init makes it. The tool of the build for PostgreSQL does\n"
		"this in both directions. From its beginning on every program of this instance answers 503.\n"
		"Articles, orders, credits, people and counts are copied with their numbers and dates: no\n"
		"customer synchronises again, and no password changes. Sessions, open tasks, uploads and\n"
		"galley.conf are not copied. Each table and the revision of each article are compared before the\n"
		"other instance shows anything. If it ends before that, run it again, or run it with --back.\n\n"
		"  build/pg/bin/galley --instance /srv/galley store copy /srv/galley-pg" },
	{ .verb = NULL },
};

const struct command command_export[] = {
	{ .noun = "export",
	    .verb = "refresh",
	    .operands = "",
	    .options = refresh_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = refresh,
	    .summary = "store the finished bytes that a settings change made stale",
	    .text =
		"Answers are right without it; they cost more until the bytes are stored. The job runner\n"
		"does the same, in small pieces; this uses all processors at once. Stopped or killed, it goes on\n"
		"next time." },
	{ .verb = NULL },
};
