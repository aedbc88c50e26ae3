/* galley workspace create | show | list | set */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/time-zone.h"
#include "access/workspace.h"
#include "action/workspace-actions.h"
#include "article/article.h"
#include "article/content-state.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"
#include "command/workspace/workspace-print.h"
#include "content/subtag.h"
#include "system/conf.h"
#include "tell/notify.h"
#include "terminal/terminal.h"

/* Writes the members of workspace_more, inside a transaction. */
static void
more_members(struct ctx *c, struct jwrite *j, const struct workspace *w)
{
	const char *url = notify_url_of(c, w->id);

	jwrite_member_text(j, SETTINGS_TIME_ZONE, time_zone_of(c, w->id));
	jwrite_member_text(j, SETTINGS_NOTIFY_URL, url[0] != '\0' ? url : NULL);
	workspace_state_pages(c, j, w);
}

static void
to_json(struct ctx *c, struct call *call, const struct workspace *w)
{
	jwrite_object(&call->json);
	workspace_state_members(c, &call->json, w);
	more_members(c, &call->json, w);
	jwrite_object_end(&call->json);
}

/* Notes if the language that was set now is rarely the one that people mean. */
static void
doubt_language(struct ctx *c, const char *old, const struct workspace *w)
{
	const char *language = w->settings.language;
	const char *doubt = subtag_doubt(c->arena, language);

	if (doubt != NULL && (old == NULL || strcmp(old, language) != 0))
		note_say("%s", doubt);
}

static struct err *
create(struct ctx *c, struct call *call)
{
	struct workspace_order order = { .account = call_option(call, "account"),
		.name = call->operands[0],
		.language = call_option(call, "language"),
		.another = call_has(call, "another") };
	struct workspace *w;
	struct err *err = workspace_create(c, &order, &w);

	if (err != NULL)
		return err;
	call_changed(call, w->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", w->uuid);
		jwrite_object_end(&call->json);
	}
	doubt_language(c, NULL, w);
	call_say(call, "Workspace %s (%s) was created: %s.", w->settings.name, w->settings.language,
	    w->uuid);
	return NULL;
}

static void
show_one(void *arg, const struct workspace *w)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		to_json(l->c, l->call, w);
	else
		workspace_print_lines(l->c, l->call, w);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	const char *name = call->operand_count > 0 ? call->operands[0] : NULL;
	struct find_place place = pick_place(c, call, name);
	struct call_list l = { .c = c, .call = call };

	return workspace_show(c, &place, show_one, &l);
}

static void
list_one(void *arg, const struct workspace *w)
{
	struct call_list *l = arg;

	if (l->call->as_json)
		to_json(l->c, l->call, w);
	else
		grid_row(
		    &l->grid, (const char *[]) { w->uuid, w->settings.name, w->settings.language,
				  account_of(l->c, w->account_id)->name, w->settings.website });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct call_list l;

	call_list_begin(
	    &l, c, call, (const char *[]) { "ID", "NAME", "LANGUAGE", "ACCOUNT", "WEBSITE", NULL });
	workspace_show_all(c, list_one, &l);
	call_list_end(&l, "There is no workspace yet.");
	return NULL;
}

static bool
same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

/* Tells what a change of settings does for those who follow the workspace:
 * `articles` are published, and the newest of them was at `old` before. */
static void
say_announced(struct call *call, int64_t articles, const char *old, const char *new)
{
	if (articles == 0) {
		call_say(call,
		    "\n"
		    "This reaches the exports. No article is published: nothing is announced again.");
		return;
	}
	call_say(call,
	    "\nThis reaches the exports: %" PRId64 " published"
	    " article%s announced again, and every\nintegration copies %s at"
	    " its next synchronization.",
	    articles, articles == 1 ? " is" : "s are", articles == 1 ? "it" : "them");
	if (old != NULL && !same(old, new))
		call_say(call,
		    "Articles move, such as\n"
		    "  %s\n"
		    "to\n"
		    "  %s\n"
		    "The site must lead the old addresses to the new ones.",
		    old, new != NULL ? new : "no address");
}

/* A change of settings that must be told. */
struct telling {
	struct ctx *c;
	struct call *call;
	const struct settings_change *change;
};

static void
tell_set(void *arg, const struct workspace *w)
{
	const struct telling *t = arg;
	bool announced = t->change->announced;
	int64_t articles = announced ? article_count(t->c, w->id, ARTICLE_PUBLISHED) : 0;

	if (t->call->as_json) {
		jwrite_object(&t->call->json);
		workspace_state_members(t->c, &t->call->json, w);
		more_members(t->c, &t->call->json, w);
		jwrite_member_int(&t->call->json, "announced", articles);
		jwrite_object_end(&t->call->json);
		return;
	}
	workspace_print_lines(t->c, t->call, w);
	if (announced)
		say_announced(
		    t->call, articles, t->change->sample, workspace_state_sample(t->c, w));
}

/* Counts and tells. Counting a million articles takes long, and no writer must
 * wait for it: so it has a transaction of its own. */
static struct err *
tell_change(struct ctx *c, struct call *call, const struct settings_change *change)
{
	const struct workspace *w = change->changed;
	struct find_place place = { .name = w->uuid };
	struct telling t = { .c = c, .call = call, .change = change };

	doubt_language(c, change->read->settings.language, w);
	if (change->renamed_as_another)
		note_say(
		    "galley: more than one workspace is called %s now: name them by their ids.",
		    w->settings.name);
	call_changed(call, w->uuid);
	return workspace_show(c, &place, tell_set, &t);
}

/* Writes the change, and tells the operator of --take where a word was refused that nobody
 * uses. */
static struct err *
write_change(struct ctx *c, struct settings_change *change)
{
	struct err *err = settings_write(c, change);

	if (err != NULL && change->word_is_left && !change->take)
		err->message = arena_printf(c->arena,
		    "%s That workspace was deleted: --take gives the word to this one.",
		    err->message);
	return err;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call->operands[0]);
	struct settings_change change;
	const char *field, *value;
	struct err *err = settings_read(c, &place, &change);

	change.take = call_has(call, "take");
	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err == NULL)
			err = settings_field(c, &change, field, value);
	}
	if (err == NULL)
		err = write_change(c, &change);
	return err != NULL ? err : tell_change(c, call, &change);
}

static const struct command_option create_options[] = {
	{ .name = "account",
	    .value = "ID",
	    .needed = true,
	    .help = "the account that it belongs to" },
	{ .name = "language",
	    .value = "TAG",
	    .needed = true,
	    .help = "of articles that name none: en, ar, pt-BR, …" },
	{ .name = "another", .help = "although there is a workspace of this name" },
	{ .name = NULL },
};

static const struct command_option set_options[] = {
	{ .name = "take", .help = "pages=WORD may be a word of a deleted workspace" },
	{ .name = NULL },
};

const struct command command_workspace[] = {
	{ .noun = "workspace",
	    .verb = "create",
	    .operands = "NAME",
	    .operands_min = 1,
	    .operands_max = 1,
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make a workspace: articles, settings and keys" },
	{ .noun = "workspace",
	    .verb = "show",
	    .operands = "[ID]",
	    .operands_max = 1,
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = show,
	    .summary = "a workspace, its settings, and what empty ones cost" },
	{ .noun = "workspace",
	    .verb = "list",
	    .operands = "",
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "all workspaces" },
	{ .noun = "workspace",
	    .verb = "set",
	    .operands = "ID FIELD=VALUE…",
	    .operands_min = 2,
	    .operands_max = -1,
	    .options = set_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = set,
	    .summary = "change settings",
	    .text =
		"An empty VALUE clears a field; lists are separated by commas. Prints the address that an\n"
		"article has then, and how many are announced again. Fields:\n\n"
		"  name, language      of the workspace\n"
		"  website             https://host of the site that shows the articles\n"
		"  address_pattern     path of an article there: /blog/{slug}/\n"
		"  publisher_name      the brand; empty: the workspace's name\n"
		"  publisher_logo_url  address of its logo\n"
		"  author_name         empty: the brand is the author\n"
		"  author_url          address of the author's profile\n"
		"  analytics_enabled   true or false\n"
		"  analytics_origins   https://host,https://host\n"
		"  embed_origins       https://host,https://host\n"
		"  pages               the word of the workspace's pages, /pages/WORD/; empty: none\n"
		"  pages_title         empty: the workspace's name\n"
		"  pages_accent        a color: #0a6e4f; empty: Galley's\n"
		"  pages_font          system, serif, sans or mono\n"
		"  pages_width         of a line: 30 to 60 (rem)\n"
		"  time_zone           in which people read and type dates: Europe/Berlin; empty: UTC\n"
		"  notify_url          https address that is told of changes (galley workspace notify)\n\n"
		"A word stays its workspace's, also when it has another one or none: websites may still\n"
		"show it. --take gives a word of a deleted workspace to this one." },
	{ .verb = NULL },
};
