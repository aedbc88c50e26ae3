/* galley article import */
#include <stddef.h>
#include <string.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/article/moving.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "import/import.h"
#include "system/stop.h"
#include "terminal/terminal.h"

static void
notes_to_json(struct jwrite *j, const struct import_result *r, const char *more)
{
	jwrite_member_array(j, "notes");
	if (more != NULL)
		jwrite_text(j, more);
	for (size_t i = 0; i < r->note_count; i++)
		jwrite_text(j, r->notes[i]);
	jwrite_array_end(j);
	jwrite_member_int(j, "missing_pictures", (int64_t)r->missing_pictures);
}

/* The results of the files so far. */
struct outcome {
	size_t files, created, updated, unchanged, failed;
	size_t missing; /* missing pictures */
};

static size_t
imported(const struct outcome *o)
{
	return o->created + o->updated + o->unchanged;
}

static void
tell(struct call *call, const struct import_item *item, struct outcome *o)
{
	const struct import_result *r = &item->result;
	const char *action = import_action_name(r->action), *path = item->path;
	struct jwrite *j = &call->json;

	o->created += r->action == IMPORT_CREATED;
	o->updated += r->action == IMPORT_UPDATED;
	o->unchanged += r->action == IMPORT_UNCHANGED;
	call_changed(call, r->id);
	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "path", path);
		jwrite_member_text(j, "id", r->id);
		jwrite_member_text(j, "slug", r->slug);
		jwrite_member_text(j, "status", r->status);
		jwrite_member_text(j, "action", action);
		notes_to_json(j, r, NULL);
		jwrite_object_end(j);
		return;
	}
	call_say(call, "%-9s  %s  %-9s  %s", action, r->id, r->status, path);
	for (size_t i = 0; i < r->note_count; i++)
		call_say(call, "           - %s", r->notes[i]);
}

static void
tell_failure(struct call *call, const struct import_item *item, struct outcome *o)
{
	const struct import_result *r = &item->result;
	const struct err *err = item->err;
	const char *path = item->path;
	struct jwrite *j = &call->json;

	o->failed++;
	call->status = 1;
	note_say("galley: %s: %s", path, err->message);
	if (!call->as_json)
		return;
	jwrite_object(j);
	jwrite_member_text(j, "path", path);
	jwrite_member_null(j, "id");
	jwrite_member_null(j, "slug");
	jwrite_member_text(j, "status", "failed");
	jwrite_member_null(j, "action");
	notes_to_json(j, r, err->message);
	jwrite_object_end(j);
}

/* Tells how many files are left. Whatever ended the import, the files that were
 * told are stored. */
static void
tell_rest(const struct outcome *o, const char *why)
{
	size_t left = o->files - imported(o) - o->failed;

	note_say(
	    "galley: %s%zu of %zu files %s imported, %zu failed, %zu %s left. The same command again does the rest: what is stored stays unchanged.",
	    why, imported(o), o->files, imported(o) == 1 ? "was" : "were", o->failed, left,
	    left == 1 ? "is" : "are");
}

/* Tells the rest when the process dies in a batch: nothing of that batch is
 * stored. */
static void
on_death(struct call *call)
{
	if (call->as_json)
		jwrite_array_end(&call->json);
	call_flush(call, true);
	tell_rest(call->death_arg, "");
}

static void
tell_all(struct call *call, const struct outcome *o)
{
	if (imported(o) + o->failed < o->files) {
		tell_rest(o, "stopped: ");
		call->status = 128 + stop_signal();
		return;
	}
	call_say(call, "%zu of %zu files: %zu created, %zu updated, %zu unchanged, %zu failed.",
	    imported(o), o->files, o->created, o->updated, o->unchanged, o->failed);
	if (o->failed > 0)
		call_say(call,
		    "Correct what failed, and give the same command again: what is stored stays unchanged.");
}

static void
tell_missing(const struct call *call, size_t missing)
{
	if (missing == 0)
		return;
	note_say(
	    "galley: %zu picture%s missing: a note names each. Only %s text is in the articles. Import again when the files are there%s",
	    missing, missing == 1 ? " is" : "s are", missing == 1 ? "its" : "their",
	    call_option(call, "media") == NULL ? ", or name their folder: --media FOLDER." : ".");
}

struct importing {
	struct call *call;
	struct outcome outcome;
};

/* Tells of a file as soon as it is stored. */
static void
tell_one(void *arg, const struct import_item *item)
{
	struct importing *i = arg;

	if (item->err != NULL)
		tell_failure(i->call, item, &i->outcome);
	else
		tell(i->call, item, &i->outcome);
	i->outcome.missing += item->result.missing_pictures;
	call_flush(i->call, false);
}

/* Imports all files and tells of them. What is told of is stored. */
static void
import_all(struct ctx *c, struct call *call, const struct workspace *w, struct import_item *items,
    size_t count, const struct import_options *options)
{
	struct importing all = { .call = call, .outcome.files = count };

	call->on_death = on_death;
	call->death_arg = &all.outcome;
	(void)import_files(c, call_work(call), w, options, items, count, tell_one, &all);
	call->on_death = NULL;
	tell_all(call, &all.outcome);
	tell_missing(call, all.outcome.missing);
}

static struct import_item *
items_of(struct ctx *c, const struct import_paths *files)
{
	struct import_item *items = arena_array(c->arena, files->count, sizeof(*items));

	for (size_t i = 0; i < files->count; i++)
		items[i] = (struct import_item) {
			.path = files->items[i].path,
			.folder = files->items[i].folder,
			.name = files->items[i].name,
		};
	return items;
}

/* Finds the Markdown files at the operands, and notes names that no document can
 * have. */
static struct err *
find_files(struct ctx *c, struct call *call, struct import_paths *files)
{
	struct import_paths odd = { NULL, 0, 0 };
	struct err *err = NULL;

	for (size_t i = 0; i < call->operand_count && err == NULL; i++)
		err = import_walk(c, call->operands[i], files, &odd);
	for (size_t i = 0; i < odd.count && err == NULL; i++)
		note_say(
		    "galley: %s: this name is not UTF-8 text, so that no document can name the file: rename it if one should.",
		    odd.items[i].path);
	if (err == NULL && files->count == 0)
		return refuse(c, ERR_INVALID, "There is no .md or .markdown file there.");
	return err;
}

/* Refuses options that only the import of an export has: they must not be ignored
 * silently. */
static struct err *
check_options(struct ctx *c, const struct call *call)
{
	static const char *const others[] = { "site", "allow-private", "dry-run", "report",
		"pages" };
	const char *media = call_option(call, "media");

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (call_has(call, others[i]))
			return call_usage(c, "--%s goes with --from only.", others[i]);
	}
	if (media != NULL && strcmp(media, "fetch") == 0)
		return call_usage(
		    c, "--media fetch goes with --from only: name a folder that has the pictures.");
	return NULL;
}

/* Finds the folder in which pictures of Markdown are looked for, too. */
static struct err *
find_media(
    struct ctx *c, const struct call *call, struct beneath *folder, struct import_options *options)
{
	const char *media = call_option(call, "media");

	if (media == NULL || strcmp(media, "keep") == 0)
		return NULL;
	if (!beneath_open(c->arena, media, folder))
		return err_param(c, "media", "--media must be a folder; %s is none.", media);
	options->media = folder;
	return NULL;
}

static struct err *
import(struct ctx *c, struct call *call)
{
	struct import_options options = {
		.publish = call_has(call, "publish"),
		.unfinished = call_has(call, "unfinished"),
		.force = call_has(call, "force"),
		.move = call_has(call, "move"),
	};
	struct import_paths files = { NULL, 0, 0 };
	struct find_place place;
	struct beneath media;
	struct workspace *w;
	struct err *err = NULL;

	if (call_option(call, "from") == NULL)
		err = check_options(c, call);
	if (err != NULL)
		return err;
	place = pick_place(c, call, call_option(call, "workspace"));
	err = read_workspace(c, &place, &w);
	if (err != NULL)
		return err;
	if (call_option(call, "from") != NULL)
		return moving_from(c, call, w, call_option(call, "from"));
	err = find_media(c, call, &media, &options);
	if (err == NULL)
		err = find_files(c, call, &files);
	if (err != NULL)
		return err;
	if (call->as_json)
		jwrite_array(&call->json);
	import_all(c, call, w, items_of(c, &files), files.count, &options);
	if (call->as_json)
		jwrite_array_end(&call->json);
	return NULL;
}

static const struct command_option import_options[] = {
	{ .name = "workspace", .value = "ID", .help = "where to" },
	{ .name = "publish", .help = "publish what is no draft and has no date to come" },
	{ .name = "unfinished", .help = "publish also what has places that are left to write" },
	{ .name = "force", .help = "overwrite an article that changed since its base" },
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = "from",
	    .value = "PROGRAM",
	    .help = "wordpress or ghost: PATH is an export of it" },
	{ .name = "pages", .help = "its pages, too, as articles" },
	{ .name = "site", .value = "URL", .help = "where its posts were: for relative addresses" },
	{ .name = "media",
	    .value = "HOW",
	    .help = "pictures: a folder that has them, fetch, or keep" },
	{ .name = "allow-private", .help = "fetch from addresses of your own network too" },
	{ .name = "dry-run", .help = "tell what would come of it" },
	{ .name = "report",
	    .value = "FILE",
	    .help = "CSV with every post, and all that was lost of it" },
	{ .name = NULL },
};

const struct command command_article_import[] = {
	{ .noun = "article",
	    .verb = "import",
	    .operands = "PATH…",
	    .operands_min = 1,
	    .operands_max = -1,
	    .options = import_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = import,
	    .summary = "Markdown files, or another program's export, into articles",
	    .text =
		"Front matter in YAML (---) or TOML (+++): title, slug, description, date, lastmod, lang,\n"
		"image, imageAlt, imageCaption, tags, section, author, noindex, canonical, draft, id, base.\n\n"
		"A file changes the article whose id it names; else the one that the same path made\n"
		"before; else it makes a new one. With base (galley article show --as markdown writes\n"
		"it) an article that changed meanwhile is refused. Each file is imported whole or not\n"
		"at all; everything that was changed or dropped on the way is listed. Exit 1 if any\n"
		"file failed. With --publish, what has places that are left to write (callouts of kind\n"
		"todo) stays a draft unless --unfinished. Files are written some at a time, and\n"
		"each is listed when it is stored: stopped with Ctrl-C, or killed, it leaves whole articles,\n"
		"and the same command again does the rest.\n\n"
		"Pictures beside a file are stored with it, without their metadata. With --media DIR\n"
		"those that are not there are looked for in DIR, /assets/a.png as DIR/assets/a.png. One that\n"
		"is missing is named, and its text stays. Nothing outside of the folder at PATH (of a\n"
		"file: its folder) and of DIR is read, and no link that leaves them.\n\n"
		"With --from the files are exports: WordPress's XML (all files of one site at once) or\n"
		"Ghost's JSON (with --site). Posts become articles, and so do pages with --pages, with their dates and the\n"
		"last parts of their paths; other types are skipped and counted. A page without text of its\n"
		"own is a draft. What was not for everyone there (private, pending, with a password, for\n"
		"members) becomes a draft, also with --publish. The same file again changes nothing; what\n"
		"you edited or deleted here stays so, unless you say --force. A file that is broken is\n"
		"refused, and its line or member named. galley article addresses then lists old and new\n"
		"addresses, and writes redirects." },
	{ .verb = NULL },
};
