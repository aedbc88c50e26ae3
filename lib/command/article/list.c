/* galley article list */
#include <stddef.h>
#include <string.h>

#include "action/article/listing.h"
#include "article/article.h"
#include "article/content-state.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "import/markdown/fields.h"
#include "system/near.h"
#include "terminal/grid.h"

/* Reads the statuses that the options ask for. */
static struct err *
statuses_of(struct ctx *c, const struct call *call, unsigned *statuses)
{
	const char *name = call_option(call, "status");
	struct near near;

	*statuses = 1U << ARTICLE_PUBLISHED | 1U << ARTICLE_DRAFT;
	if (name == NULL)
		return NULL;
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++) {
		*statuses = 1U << s;
		if (strcmp(name, article_status_name(s)) == 0)
			return NULL;
	}
	near = near_to(name);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		near_try(&near, article_status_name(s));
	return err_param(c, "status", "%s is no status: draft, published and deleted are%s", name,
	    near_question(c->arena, near.best));
}

static struct err *
limit_of(struct ctx *c, const struct call *call, int64_t *limit)
{
	const char *text = call_option(call, "limit");
	struct err *err;

	*limit = INT64_MAX;
	if (text == NULL)
		return NULL;
	err = number_read(c, text, "number of articles", limit);
	if (err == NULL && *limit == 0)
		return err_param(c, "limit", "No articles are asked for.");
	return err;
}

/* Reads a date, a time, or how long ago ("7d"). */
static struct err *
since_of(struct ctx *c, const struct call *call, int64_t *since)
{
	const char *text = call_option(call, "since");
	int64_t span;

	*since = 0;
	if (text == NULL || fields_date(c, text, since))
		return NULL;
	if (!when_span(text, &span))
		return err_param(c, "since",
		    "%s is no time: write 2026-09-01, 2026-09-01T08:00:00Z, or how long ago: 7d, 12h.",
		    text);
	*since = clock_now() - span;
	return NULL;
}

static struct err *
read_options(struct ctx *c, const struct call *call, struct listing *l)
{
	const char *search = call_option(call, "search");
	struct err *err;

	l->search = search;
	err = statuses_of(c, call, &l->statuses);
	if (err == NULL)
		err = limit_of(c, call, &l->limit);
	if (err == NULL)
		err = since_of(c, call, &l->since);
	return err;
}

static void
tell_json(struct call *call, const struct listing *l)
{
	jwrite_array(&call->json);
	for (size_t i = 0; i < l->count; i++) {
		if (call_has(call, "quiet"))
			jwrite_text(&call->json, l->found[i].uuid);
		else
			article_state_write(&call->json, &l->found[i], l->unfinished[i]);
	}
	jwrite_array_end(&call->json);
}

static void
tell_table(struct ctx *c, struct call *call, const struct listing *l)
{
	struct grid grid;

	grid_init(&grid, c->arena,
	    (const char *[]) {
		"ID", "STATUS", "CHANGED", "TO DO", "CREATED", "LANGUAGE", "SLUG", "TITLE", NULL });
	for (size_t i = 0; i < l->count; i++) {
		const struct article *a = &l->found[i];
		char *created = arena_alloc(c->arena, CLOCK_TEXT);
		int64_t left = l->unfinished[i];
		clock_format_date(created, a->created_at);
		grid_row(
		    &grid, (const char *[]) { a->uuid, article_status_name(a->status),
			       article_has_changes(a) ? "yes" : NULL,
			       left > 0 ? arena_printf(c->arena, "%lld", (long long)left) : NULL,
			       created, a->language, a->slug, a->title });
	}
	grid_print(&grid, "There is no such article.", &call->out);
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct listing l = { .ids_only = call_has(call, "quiet") };
	struct err *err = read_options(c, call, &l);

	if (err != NULL)
		return err;
	l.place = pick_place(c, call, call_option(call, "workspace"));
	err = listing_find(c, &l);
	if (err != NULL)
		return err;
	if (call->as_json) {
		tell_json(call, &l);
	} else if (l.ids_only) {
		for (size_t i = 0; i < l.count; i++)
			call_say(call, "%s", l.found[i].uuid);
	} else {
		tell_table(c, call, &l);
	}
	return NULL;
}

static const struct command_option list_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "status", .value = "STATUS", .help = "only draft, published or deleted ones" },
	{ .name = "search", .value = "TEXT", .help = "only those that say this, in any case" },
	{ .name = "since",
	    .value = "TIME",
	    .help = "only those saved or announced since: a date, or 7d" },
	{ .name = "limit", .value = "N", .help = "the newest N of them" },
	{ .name = "quiet", .letter = 'q', .help = "their ids alone" },
	{ .name = NULL },
};

const struct command command_article_list[] = {
	{ .noun = "article",
	    .verb = "list",
	    .operands = "",
	    .options = list_options,
	    .flags = COMMAND_DB,
	    .run = list,
	    .summary = "drafts and published articles, newest first",
	    .text =
		"CHANGED says yes where the working copy has changes that are not published,\n"
		"TO DO how many places it has that are left to write.\n\n"
		"--search looks into title, slug, section, tags and the text. What -q lists other\n"
		"commands read: galley article list -q --search compost | galley article publish -\n\n"
		"--json: [{id, title, slug, language, status, changed, unfinished, version, published_url,\n"
		"created_at, updated_at, first_published_at, modified_at, source, base}]; with -q: [id]." },
	{ .verb = NULL },
};
