/* galley article list | show | set */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "article/article.h"
#include "article/stored.h"
#include "article/token.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/near.h"
#include "command/article-json.h"
#include "command/article-set.h"
#include "command/article-text.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/grid.h"
#include "command/pick.h"
#include "export/export.h"
#include "store/db.h"

struct listing {
	struct ctx *c;
	struct call *call;
	struct grid grid;
};

static const char *
date_of(struct ctx *c, int64_t at)
{
	char *text = arena_alloc(c->arena, CLOCK_TEXT);

	clock_format_date(text, at);
	return text;
}

static void
list_one(void *arg, const struct article *a)
{
	struct listing *l = arg;
	const char *status = article_status_name(a->status);

	if (l->call->as_json) {
		article_json_write(&l->call->json, a);
		return;
	}
	if (article_has_changes(a))
		status = arena_printf(l->c->arena, "%s, changed", status);
	grid_row(&l->grid, (const char *[]){ a->uuid, status,
	    date_of(l->c, a->created_at), a->language, a->slug, a->title });
}

/* The statuses that are asked for, as bits. */
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
	return err_param(c, "status",
	    "%s is no status: draft, published and deleted are%s", name,
	    near_question(c->arena, near.best));
}

static struct err *
limit_of(struct ctx *c, const struct call *call, int64_t *limit)
{
	const char *text = call_option(call, "limit");
	char *end;

	*limit = INT64_MAX;
	if (text == NULL)
		return NULL;
	*limit = strtoll(text, &end, 10);
	if (text[0] >= '1' && text[0] <= '9' && *end == '\0' &&
	    strlen(text) < 10)
		return NULL;
	return err_param(c, "limit", "%s is no number of articles.", text);
}

static struct err *
list(struct ctx *c, struct call *call)
{
	static const enum article_status order[] = { ARTICLE_DRAFT,
		ARTICLE_PUBLISHED, ARTICLE_DELETED };
	struct listing l = { .c = c, .call = call };
	struct workspace *w;
	unsigned statuses;
	struct err *err;
	int64_t limit;

	err = statuses_of(c, call, &statuses);
	if (err == NULL)
		err = limit_of(c, call, &limit);
	if (err != NULL)
		return err;
	grid_init(&l.grid, c->arena, (const char *[]){ "ID", "STATUS",
	    "CREATED", "LANGUAGE", "SLUG", "TITLE", NULL });
	if (call->as_json)
		jwrite_array(&call->json);
	db_begin_read(c);
	err = pick_workspace(c, call_option(call, "workspace"), &w);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if ((statuses & 1U << order[i]) != 0)
			article_list(c, w->id, order[i], limit, list_one, &l);
	}
	db_commit(c);
	if (call->as_json)
		jwrite_array_end(&call->json);
	else
		grid_print(&l.grid, "There is no such article.", &call->out);
	return NULL;
}

static void
say_time(struct call *call, const char *name, int64_t at)
{
	char text[CLOCK_TEXT];

	clock_format_seconds(text, at);
	call_say(call, "%-15s %s", name, at != 0 ? text : "-");
}

static void
say_checks(struct ctx *c, struct call *call, const struct export_source *s)
{
	struct export_check checks[EXPORT_CHECKS];
	int passed = 0;

	export_checks(c, s, checks);
	for (size_t i = 0; i < EXPORT_CHECKS; i++)
		passed += checks[i].passed;
	call_say(call, "%-15s %d of %d pass%s", "checks", passed,
	    EXPORT_CHECKS, passed < EXPORT_CHECKS ? "; these do not:" : "");
	for (size_t i = 0; i < EXPORT_CHECKS; i++) {
		if (checks[i].passed)
			continue;
		call_say(call, "  - %s%s%s", checks[i].label,
		    checks[i].reason != NULL ? ": " : "",
		    checks[i].reason != NULL ? checks[i].reason : "");
	}
}

static void
say_facts(struct ctx *c, struct call *call, const struct workspace *w,
    const struct article *a)
{
	const struct export_source *s = stored_source(c, w, a, true);
	const char *canonical = export_canonical(c, s);
	char base[TOKEN_TEXT];

	token_base(a, base);
	call_say(call, "%-15s %s", "id", a->uuid);
	call_say(call, "%-15s %s", "title", a->title);
	call_say(call, "%-15s %s", "slug", a->slug);
	call_say(call, "%-15s %s", "language", a->language);
	call_say(call, "%-15s %s (%s)", "workspace", w->settings.name,
	    w->uuid);
	call_say(call, "%-15s %s", "status", article_status_name(a->status));
	call_say(call, "%-15s %" PRId64, "version", a->version);
	if (a->version > 0)
		call_say(call, "%-15s %s", "changed",
		    article_has_changes(a)
			? "yes: galley article publish shows the changes"
			: "no");
	say_time(call, "created", a->created_at);
	say_time(call, "saved", a->updated_at);
	say_time(call, "published", a->first_published_at);
	say_time(call, "modified", a->modified_at);
	call_say(call, "%-15s %s", "address",
	    canonical != NULL ? canonical
			      : "- (set website and address_pattern)");
	if (a->source != NULL)
		call_say(call, "%-15s %s", "imported from", a->source);
	call_say(call, "%-15s %s", "base", base);
	say_checks(c, call, s);
}

/* The working copy in one of the forms of --as. */
static struct err *
show_as(struct ctx *c, struct call *call, const struct workspace *w,
    const struct article *a, const char *as)
{
	const struct export_source *s = stored_source(c, w, a, true);
	struct buf text;

	buf_init(&text, c->arena, 4 * EXPORT_BYTES_MAX);
	if (strcmp(as, "json") == 0)
		export_render(c, s, &text);
	else if (strcmp(as, "html") == 0)
		export_html(c, s, &text);
	else if (strcmp(as, "markdown") == 0)
		article_text_write(c, a, &text);
	else
		return call_usage(c,
		    "--as is json, markdown or html, not %s.", as);
	if (call->as_json && strcmp(as, "json") != 0) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", a->uuid);
		jwrite_member_text(&call->json, as, buf_done(&text));
		jwrite_object_end(&call->json);
		return NULL;
	}
	buf_add(&call->out, text.data, text.len);
	if (!call->as_json && text.len > 0 && text.data[text.len - 1] != '\n')
		buf_add_char(&call->out, '\n');
	return NULL;
}

static struct err *
show(struct ctx *c, struct call *call)
{
	const char *as = call_option(call, "as");
	struct workspace *w;
	struct article *a;
	struct err *err;

	db_begin_read(c);
	err = pick_article(c, call->operands[0], &a);
	if (err != NULL)
		return err;
	w = workspace_of(c, a->workspace_id);
	if (as != NULL)
		err = show_as(c, call, w, a, as);
	else if (call->as_json)
		article_json_write(&call->json, a);
	else
		say_facts(c, call, w, a);
	db_commit(c);
	return err;
}

static struct err *
set_fields(struct ctx *c, const struct call *call, struct article_set *set)
{
	const char *field, *value;
	struct err *err = NULL;

	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err == NULL)
			err = article_set_field(c, set, field, value);
	}
	return err;
}

/* Writes what was set, if the article is still the one that was read. */
static struct err *
write_fields(struct ctx *c, const struct workspace *read_w,
    const struct article *read_a, struct article_set *set,
    struct article **out)
{
	struct workspace *w;
	struct article *a;
	struct err *err;

	err = workspace_begin(c, read_w, &w);
	if (err == NULL)
		err = pick_article(c, read_a->uuid, &a);
	if (err != NULL)
		return err;
	if (memcmp(a->digest, read_a->digest, ARTICLE_DIGEST) != 0)
		return refuse(c, ERR_CONFLICT,
		    "%s was changed by another at the same time; nothing was"
		    " set. Say it again.", a->title);
	if (set->has_image)
		media_insert(c, &set->image);
	err = article_save(c, w, a, set->snapshot, false, NULL);
	if (err != NULL)
		return err;
	article_set_published_url(c, w, a, set->published_url);
	if (set->created_at != a->created_at)
		article_set_created_at(c, w, a, set->created_at);
	db_commit(c);
	*out = a;
	return NULL;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct article_set set = { .has_image = false };
	struct workspace *w;
	struct article *a;
	struct err *err;

	db_begin_read(c);
	err = pick_article(c, call->operands[0], &a);
	if (err != NULL)
		return err;
	w = workspace_of(c, a->workspace_id);
	set.snapshot = article_working_copy(c, a);
	set.published_url = a->published_url;
	set.created_at = a->created_at;
	db_commit(c);
	err = set_fields(c, call, &set);
	if (err == NULL)
		err = write_fields(c, w, a, &set, &a);
	if (err != NULL)
		return err;
	call_changed(call, a->uuid);
	if (call->as_json)
		article_json_write(&call->json, a);
	call_say(call, "%s is saved.", a->title);
	if (a->status == ARTICLE_PUBLISHED && article_has_changes(a))
		call_say(call, "galley article publish %s shows the changes.",
		    a->uuid);
	return NULL;
}

static const struct command_option list_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "status", .value = "STATUS",
	    .help = "only draft, published or deleted ones" },
	{ .name = "limit", .value = "N",
	    .help = "the newest N of each status" },
	{ .name = NULL },
};

static const struct command_option show_options[] = {
	{ .name = "as", .value = "FORM",
	    .help = "json (as the API would show it), markdown or html" },
	{ .name = NULL },
};

const struct command command_article[] = {
	{ .noun = "article", .verb = "list", .operands = "",
	    .options = list_options, .flags = COMMAND_DB, .run = list,
	    .summary = "drafts and published articles, newest first" },
	{ .noun = "article", .verb = "show", .operands = "ID",
	    .operands_min = 1, .operands_max = 1, .options = show_options,
	    .flags = COMMAND_DB, .run = show,
	    .summary = "the working copy, its state, the checks that fail",
	    .text = "--as markdown writes what galley article import reads"
		    " back, with the article's id and the\nbase that guards"
		    " against overwriting." },
	{ .noun = "article", .verb = "set", .operands = "ID FIELD=VALUE…",
	    .operands_min = 2, .operands_max = -1,
	    .flags = COMMAND_DB | COMMAND_CHANGES, .run = set,
	    .summary = "change fields of the working copy",
	    .text = "An empty VALUE clears a field. Fields:\n\n"
		    "  title, slug, language, section\n"
		    "  author_name, author_url  instead of the workspace's\n"
		    "  noindex                  true or false\n"
		    "  meta_title, meta_description\n"
		    "  tags                     separated by commas\n"
		    "  image                    a file (stored as media) or an"
		    " https address\n"
		    "  image_alt, image_caption\n"
		    "  published_url            instead of the address made of"
		    " the settings; acts at once\n"
		    "  created_at               the place in lists; acts at"
		    " once" },
	{ .verb = NULL },
};
