#include "command/instance/backup-ask.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "backup/archive.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "system/instance.h"
#include "terminal/terminal.h"

#define NAMES_MAX 20 /* names that are shown */

static bool
is_folder(const char *path)
{
	size_t len = strlen(path);
	struct stat st;

	return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) || (len > 0 && path[len - 1] == '/');
}

struct err *
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
show(struct ctx *c, const struct restore_side *now, const struct restore_side *then)
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

struct err *
backup_ask_restore(struct ctx *c, const struct call *call, const char *file)
{
	struct restore_comparison both;
	struct err *err;

	if (call_has(call, "yes") || !ask_can())
		return NULL;
	err = restore_compare(c, &call->work, file, &both);
	if (err != NULL)
		return err;
	note_say("All of %s is replaced by what %s holds:\n", c->instance->home, file);
	if (both.unknown == NULL)
		show(c, &both.now, &both.then);
	else
		note_say(
		    "What it replaces cannot be shown: the present database %s.", both.unknown);
	note_say("\nWhat there is now is kept as a backup in %s/db.", c->instance->home);
	return ask("Go on?", false) ? NULL : refuse(c, ERR_CONFLICT, "Nothing was changed.");
}
