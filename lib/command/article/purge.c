/* galley article purge */
#include <stdbool.h>
#include <stddef.h>

#include "action/action.h"
#include "action/article/destroy.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/terminal.h"

/* Finds the articles that have been in the trash for long. */
static struct err *
find_old(struct ctx *c, const struct call *call, const char *age, struct destroy *d)
{
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	int64_t span;

	if (!when_span(age, &span))
		return err_param(c, "older-than",
		    "%s is no time: write 30d for thirty days, 12h for twelve hours.", age);
	return destroy_find_old(c, &place, span, d);
}

/* Finds the articles that the operands name. */
static struct err *
find_named(struct ctx *c, struct call *call, struct destroy *d)
{
	struct find_place place = pick_place(c, call, NULL);
	size_t count = call->operand_count;
	struct article **found = arena_array(c->arena, count + 1, sizeof(*found));
	struct err *err;

	err = read_articles(c, &place, call->operands, count, found);
	for (size_t i = 0; err == NULL && i < count; i++) {
		call->operands[i] = found[i]->uuid;
		destroy_add(c, d, found[i]);
	}
	return err;
}

static struct err *
find(struct ctx *c, struct call *call, struct destroy *d)
{
	const char *age = call_option(call, "older-than");
	bool named = call->operand_count > 0 || call->ids_given;

	if ((age != NULL) == named)
		return call_usage(
		    c, "Name the articles, or say --older-than 30d%s.", named ? "; not both" : "");
	return age != NULL ? find_old(c, call, age, d) : find_named(c, call, d);
}

static struct err *
ask_first(struct ctx *c, struct call *call, const struct destroy *d)
{
	const char **names = arena_array(c->arena, d->count + 1, sizeof(*names));

	for (size_t i = 0; i < d->count; i++)
		names[i] =
		    arena_printf(c->arena, "%s (%s)", d->articles[i]->title, d->articles[i]->uuid);
	return ask_about(c, call, "destroyed for good", names, d->count);
}

static void
tell(struct call *call, const struct article *a)
{
	struct jwrite *j = &call->json;

	call_changed(call, a->uuid);
	call_say(call, "%s is purged (%s).", a->title, a->uuid);
	if (!call->as_json)
		return;
	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_text(j, "slug", a->slug);
	jwrite_member_text(j, "title", a->title);
	jwrite_object_end(j);
}

/* Purges the articles of one workspace. A refused article is told. */
static struct err *
purge_of(struct ctx *c, struct call *call, struct destroy *d, int64_t workspace, size_t *pictures)
{
	struct err *err = destroy_workspace(c, d, workspace);

	for (size_t i = 0; err == NULL && i < d->count; i++) {
		if (d->done[i])
			tell(call, d->articles[i]);
		if (d->refused[i] == NULL)
			continue;
		note_say("galley: %s", d->refused[i]->message);
		call->status = 1;
	}
	if (err == NULL)
		*pictures += destroy_pictures(c, d);
	return err;
}

/* Returns whether the article is the first of its workspace. */
static bool
is_first(const struct destroy *d, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (d->articles[i]->workspace_id == d->articles[at]->workspace_id)
			return false;
	}
	return true;
}

static struct err *
purge_all(struct ctx *c, struct call *call, struct destroy *d, size_t *pictures)
{
	struct err *err = NULL;

	for (size_t i = 0; i < d->count && err == NULL; i++) {
		if (is_first(d, i))
			err = purge_of(c, call, d, d->articles[i]->workspace_id, pictures);
	}
	return err;
}

static struct err *
purge(struct ctx *c, struct call *call)
{
	struct destroy d = { .count = 0 };
	size_t pictures = 0;
	struct err *err = find(c, call, &d);

	if (err == NULL)
		err = ask_first(c, call, &d);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "purged");
	}
	err = purge_all(c, call, &d, &pictures);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_array_end(&call->json);
		jwrite_member_int(&call->json, "pictures", (int64_t)pictures);
		jwrite_object_end(&call->json);
	}
	/* cron sends by mail what is printed. */
	if (d.count == 0 && call_option(call, "older-than") == NULL)
		call_say(call, "There is nothing to purge.");
	if (pictures > 0)
		call_say(call, "Destroyed with it: %zu picture%s that nothing else names.",
		    pictures, pictures == 1 ? "" : "s");
	return NULL;
}

static const struct command_option purge_options[] = {
	{ .name = "older-than",
	    .value = "TIME",
	    .help = "all that came into the trash before: 30d" },
	{ .name = "workspace", .value = "ID", .help = "of this one only; else of all" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_article_purge[] = {
	{ .noun = "article",
	    .verb = "purge",
	    .operands = "[ID…]",
	    .operands_max = -1,
	    .options = purge_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_IDS,
	    .run = purge,
	    .summary = "destroy articles of the trash, for good",
	    .text =
		"Working copy, editions, and the pictures that nothing else names; only a backup has them\n"
		"after that. Slugs are free then, and importing the file or export again makes the article\n"
		"again. For cron: galley article purge --older-than 30d\n\n"
		"--json: {purged: [{id, slug, title}], pictures}." },
	{ .verb = NULL },
};
