/* galley article history */
#include <inttypes.h>
#include <stddef.h>

#include "action/past/past.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/grid.h"

static void
edition_to_json(struct jwrite *j, const struct article *a, const struct edition *e)
{
	jwrite_object(j);
	jwrite_member_int(j, "version", e->version);
	jwrite_member_time(j, "published_at", e->published_at);
	jwrite_member_bool(j, "shown", past_is_shown(a, e));
	jwrite_member_text(j, "title", e->title);
	jwrite_member_text(j, "slug", e->slug);
	jwrite_member_text(j, "language", e->language);
	jwrite_member_int(j, "unfinished", e->unfinished);
	jwrite_object_end(j);
}

static void
tell_json(struct jwrite *j, const struct past *past)
{
	jwrite_array(j);
	for (size_t i = 0; i < past->count; i++)
		edition_to_json(j, past->article, &past->editions[i]);
	jwrite_array_end(j);
}

static void
tell_table(struct ctx *c, struct call *call, const struct past *past)
{
	struct grid grid;

	grid_init(&grid, c->arena,
	    (const char *[]) {
		"EDITION", "PUBLISHED", "SHOWN", "TO DO", "LANGUAGE", "SLUG", "TITLE", NULL });
	for (size_t i = 0; i < past->count; i++) {
		const struct edition *e = &past->editions[i];
		char *at = arena_alloc(c->arena, CLOCK_TEXT);
		clock_format_seconds(at, e->published_at);
		grid_row(
		    &grid, (const char *[]) { arena_printf(c->arena, "%" PRId64, e->version), at,
			       past_is_shown(past->article, e) ? "yes" : NULL,
			       e->unfinished > 0 ? arena_printf(c->arena, "%" PRId64, e->unfinished)
						 : NULL,
			       e->language, e->slug, e->title });
	}
	grid_print(&grid, "It was never published.", &call->out);
}

static struct err *
history(struct ctx *c, struct call *call)
{
	struct past past;
	struct article *a;
	struct err *err;

	err = pick_one_article(c, call, 0, &a);
	if (err == NULL)
		err = past_list(c, a->uuid, &past);
	if (err != NULL)
		return err;
	if (call->as_json)
		tell_json(&call->json, &past);
	else
		tell_table(c, call, &past);
	if (article_has_changes(past.article))
		call_say(call,
		    "\nThe working copy differs from edition %" PRId64
		    "; galley article diff tells how.",
		    past.article->version);
	return NULL;
}

const struct command command_article_history[] = {
	{ .noun = "article",
	    .operands = "ID",
	    .operands_min = 1,
	    .operands_max = 1,
	    .verb = "history",
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = history,
	    .summary = "its editions, newest first",
	    .text =
		"TO DO says how many places were left to write when it was published.\n\n"
		"--json: [{version, published_at, shown, title, slug, language, unfinished}]." },
	{ .verb = NULL },
};
