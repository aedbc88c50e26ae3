/* galley article list | show | history | diff: what articles are. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "action/article/article-actions.h"
#include "action/article/article-history.h"
#include "action/article/article-search.h"
#include "action/article/publish-actions.h"
#include "article/article.h"
#include "article/content-state.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "content/lang.h"
#include "content/snapshot.h"
#include "import/markdown/fields.h"
#include "import/markdown/markdown.h"
#include "import/markdown/to-markdown.h"
#include "system/instance.h"
#include "system/near.h"
#include "terminal/grid.h"
#include "terminal/terminal.h"
#include "terminal/textdiff.h"

/* ---- galley article list */

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

	*limit = INT64_MAX;
	if (text == NULL)
		return NULL;
	TRY(number_read(c, text, "number of articles", limit));
	if (*limit == 0)
		return err_param(c, "limit", "No articles are asked for.");
	return NULL;
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
		    "%s is not a time: write 2026-09-01, 2026-09-01T08:00:00Z, or how long ago: 7d, 12h.",
		    text);
	*since = clock_now() - span;
	return NULL;
}

static struct err *
read_list_options(struct ctx *c, const struct call *call, struct listing *l)
{
	const char *search = call_option(call, "search");

	l->search = search;
	TRY(statuses_of(c, call, &l->statuses));
	TRY(limit_of(c, call, &l->limit));
	return since_of(c, call, &l->since);
}

static void
list_to_json(struct call *call, const struct listing *l)
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
list_to_table(struct ctx *c, struct call *call, const struct listing *l)
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

	TRY(read_list_options(c, call, &l));
	l.place = pick_place(c, call, call_option(call, "workspace"));
	TRY(listing_find(c, &l));
	if (call->as_json) {
		list_to_json(call, &l);
	} else if (l.ids_only) {
		for (size_t i = 0; i < l.count; i++)
			call_say(call, "%s", l.found[i].uuid);
	} else {
		list_to_table(c, call, &l);
	}
	return NULL;
}

/* ---- an article, or an edition of it, as a text in one of the forms of `article show --as` */

#define STYLE_MAX ((size_t)1 << 20)

/* "page, head, html, …" */
static const char form_names[] = "page, head, html, markdown, json or jsonld";

/* The style of what is around the article, which has no look of its own there. */
static const char page_style[] =
    ":root { color-scheme: light dark; background: Canvas; }\n"
    "body { margin: 0; padding: 1.5rem 1rem; font-family: system-ui, sans-serif; }\n";

/* Returns the instance's own stylesheet, to which its customers' sites may link. */
static const char *
article_style(struct ctx *c)
{
	const char *path = arena_printf(c->arena, "%s/htdocs/article.css", c->instance->programs);
	const char *style = fileio_read(c->arena, path, STYLE_MAX, NULL);

	if (style != NULL)
		return style;
	note_say("%s: %s. The page has no style.", path, strerror(errno));
	return "";
}

/* Writes a page that needs no other file, so that it can be opened from a disk. */
static void
write_page(struct ctx *c, const struct look *v, struct buf *out)
{
	const char *language = v->source->snapshot->language;

	buf_printf(out,
	    "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\">\n"
	    "<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
	    language, lang_is_rtl(language) ? "rtl" : "ltr");
	export_head(c, v->source, out);
	buf_printf(
	    out, "<style>\n%s%s</style>\n</head>\n<body>\n<main>\n", page_style, article_style(c));
	export_html(c, v->source, out);
	buf_lit(out, "\n</main>\n</body>\n</html>\n");
}

static void
write_head(struct ctx *c, const struct look *v, struct buf *out)
{
	export_head(c, v->source, out);
}

static void
write_html(struct ctx *c, const struct look *v, struct buf *out)
{
	export_html(c, v->source, out);
}

static void
write_markdown(struct ctx *c, const struct look *v, struct buf *out)
{
	markdown_write_article(c, v->article, v->source->snapshot, out);
}

static void
write_json(struct ctx *c, const struct look *v, struct buf *out)
{
	export_render(c, v->source, out);
}

static void
write_jsonld(struct ctx *c, const struct look *v, struct buf *out)
{
	export_json_ld(c, v->source, out);
}

static const struct {
	const char *name;
	void (*write)(struct ctx *c, const struct look *v, struct buf *out);
	bool json;
} forms[] = {
	{ "page", write_page, false },
	{ "head", write_head, false },
	{ "html", write_html, false },
	{ "markdown", write_markdown, false },
	{ "json", write_json, true },
	{ "jsonld", write_jsonld, true },
};

/* Appends the text. *json: whether it is a JSON value. Returns false if there is no such
 * form. */
static bool
write_as(struct ctx *c, const struct look *v, const char *form, struct buf *out, bool *json)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(form, forms[i].name) != 0)
			continue;
		forms[i].write(c, v, out);
		*json = forms[i].json;
		return true;
	}
	return false;
}

/* ---- galley article show */

static void
say(struct call *call, const char *name, const char *text)
{
	call_say(call, "%-15s %s", name, text);
}

static void
say_time(struct call *call, const char *name, int64_t at)
{
	char text[CLOCK_TEXT];

	clock_format_seconds(text, at);
	say(call, name, at != 0 ? text : "-");
}

static void
say_checks(struct ctx *c, struct call *call, const struct export_source *s)
{
	struct export_check failing[EXPORT_CHECKS];
	size_t count = failing_checks(c, s, failing);

	call_say(call, "%-15s %zu of %d pass%s", "checks", EXPORT_CHECKS - count, EXPORT_CHECKS,
	    count > 0 ? "; these do not:" : "");
	for (size_t i = 0; i < count; i++)
		call_say(call, "  - %s", failing_line(c, &failing[i]));
}

/* Tells how many to-dos the shown text has. */
static void
say_unfinished(struct ctx *c, struct call *call, const struct look *l)
{
	int64_t count = l->is_edition ? l->edition.unfinished : l->unfinished;

	if (count == 0)
		return;
	say(call, "unfinished",
	    arena_printf(c->arena, "%s%s", unfinished_sentence(c, count),
		l->is_edition ? "; search engines are told not to list it" : ""));
}

/* Tells the date at which it is published. */
static void
say_date(struct call *call, const struct later_view *v)
{
	if (!v->set)
		return;
	say_time(call, "publish at", v->schedule.at);
	if (v->schedule.suspended != NULL)
		say(call, "suspended", v->schedule.suspended);
	else if (v->edited)
		say(call, "", "what was saved since the date was set is not published then");
}

static void
copy_to_json(struct jwrite *j, const struct look *l)
{
	const struct later_view *v = &l->later;

	jwrite_object(j);
	article_state_members(j, l->article, l->unfinished);
	if (v->set)
		jwrite_member_time(j, "publish_at", v->schedule.at);
	else
		jwrite_member_null(j, "publish_at");
	if (v->set && v->schedule.suspended != NULL)
		jwrite_member_text(j, "publish_suspended", v->schedule.suspended);
	jwrite_object_end(j);
}

/* Prints the members of the article, and those of the working copy or edition. */
static void
say_state(struct call *call, const struct article *a)
{
	char base[TOKEN_TEXT];

	if (a->version > 0)
		say(call, "changed",
		    article_has_changes(a)
			? "yes: galley article diff tells what, galley article publish shows it"
			: "no");
	say_time(call, "created", a->created_at);
	say_time(call, a->status == ARTICLE_DELETED ? "deleted" : "saved", a->updated_at);
	say_time(call, "published", a->first_published_at);
	say_time(call, "modified", a->modified_at);
	if (a->source != NULL)
		say(call, "imported from", a->source);
	token_base(a, base);
	say(call, "base", base);
}

static void
say_facts(struct ctx *c, struct call *call, const struct look *l)
{
	const struct article *a = l->article;
	const struct snapshot *s = l->source->snapshot;
	const char *canonical = export_canonical(c, l->source);

	say(call, "id", a->uuid);
	say(call, "title", s->title);
	say(call, "slug", s->slug);
	say(call, "language", s->language);
	say(call, "workspace",
	    arena_printf(c->arena, "%s (%s)", l->workspace->settings.name, l->workspace->uuid));
	say(call, "status", article_status_name(a->status));
	say(call, "version",
	    arena_printf(c->arena, "%" PRId64, l->is_edition ? l->edition.version : a->version));
	if (l->is_edition)
		say_time(call, "published", l->edition.published_at);
	else
		say_state(call, a);
	if (!l->is_edition)
		say_date(call, &l->later);
	say_unfinished(c, call, l);
	say(call, "address", canonical != NULL ? canonical : "- (set website and address_pattern)");
	say_checks(c, call, l->source);
}

/* Writes what `article show --edition` and `article history` both tell of an edition. */
static void
edition_members(struct jwrite *j, const struct article *a, const struct edition *e)
{
	jwrite_member_int(j, "version", e->version);
	jwrite_member_time(j, "published_at", e->published_at);
	jwrite_member_bool(j, "shown", past_is_shown(a, e));
	jwrite_member_text(j, "title", e->title);
	jwrite_member_text(j, "slug", e->slug);
	jwrite_member_text(j, "language", e->language);
	jwrite_member_int(j, "unfinished", e->unfinished);
}

static void
edition_to_json(struct jwrite *j, const struct look *l)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", l->article->uuid);
	edition_members(j, l->article, &l->edition);
	jwrite_object_end(j);
}

/* Prints the article in one of the forms of --as. */
static struct err *
show_as(struct ctx *c, struct call *call, const struct look *l, const char *as)
{
	struct buf text;
	bool json;

	buf_init(&text, c->arena, 4 * EXPORT_BYTES_MAX);
	if (!write_as(c, l, as, &text, &json))
		return call_usage(c, "--as is %s, not %s.", form_names, as);
	if (call->as_json && !json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", l->article->uuid);
		jwrite_member_text(&call->json, as, buf_done(&text));
		jwrite_object_end(&call->json);
		return NULL;
	}
	buf_add(&call->out, text.data, text.len);
	if (!call->as_json && text.len > 0 && text.data[text.len - 1] != '\n')
		buf_add_char(&call->out, '\n');
	return NULL;
}

/* Finds what is shown: the working copy, what is published, or an edition. */
static struct err *
look(struct ctx *c, const struct call *call, const char *id, struct look *out)
{
	bool published = call_has(call, "published");
	bool edition = call_has(call, "edition");
	struct err *err;

	if (edition && published)
		return call_usage(
		    c, "--edition and --published are two different things to look at.");
	if (published)
		return look_at_published(c, id, out);
	if (!edition)
		return look_at_copy(c, id, out);
	err = pick_version(c, call, &out->edition.version);
	return err != NULL ? err : look_at_edition(c, id, out->edition.version, out);
}

static struct err *
show(struct ctx *c, struct call *call)
{
	const char *as = call_option(call, "as");
	struct look l;
	struct article *a;

	TRY(pick_one_article(c, call, 0, &a));
	TRY(look(c, call, a->uuid, &l));
	if (as != NULL)
		return show_as(c, call, &l, as);
	if (call->as_json && l.is_edition)
		edition_to_json(&call->json, &l);
	else if (call->as_json)
		copy_to_json(&call->json, &l);
	else
		say_facts(c, call, &l);
	return NULL;
}

/* ---- galley article history */

static void
past_to_json(struct jwrite *j, const struct past *past)
{
	jwrite_array(j);
	for (size_t i = 0; i < past->count; i++) {
		jwrite_object(j);
		edition_members(j, past->article, &past->editions[i]);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
}

static void
past_to_table(struct ctx *c, struct call *call, const struct past *past)
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

	TRY(pick_one_article(c, call, 0, &a));
	TRY(past_list(c, a->uuid, &past));
	if (call->as_json)
		past_to_json(&call->json, &past);
	else
		past_to_table(c, call, &past);
	if (article_has_changes(past.article))
		call_say(call,
		    "\nThe working copy differs from edition %" PRId64
		    "; galley article diff tells how.",
		    past.article->version);
	return NULL;
}

/* ---- galley article diff */

#define TEXT_MAX (9 * (size_t)CONTENT_BYTES_MAX)
#define LINES_AROUND 1

static void
add_field(struct buf *out, const char *name, const char *value)
{
	if (value != NULL && value[0] != '\0')
		buf_printf(out, "%s: %s\n", name, value);
}

static void
add_tags(struct buf *out, const struct snapshot *s)
{
	for (size_t i = 0; i < s->tag_count; i++)
		buf_printf(out, "%s%s", i == 0 ? "tags: " : ", ", s->tags[i]);
	if (s->tag_count > 0)
		buf_add_char(out, '\n');
}

/* Writes a snapshot as lines, so that people can compare two of them: its fields, then
 * the body as Markdown. Ids, labels and sizes of pictures are left out, so it cannot be
 * imported. */
static void
write_lines(struct ctx *c, const struct snapshot *s, struct buf *out)
{
	struct buf body;

	add_field(out, "title", s->title);
	add_field(out, "slug", s->slug);
	add_field(out, "language", s->language);
	add_field(out, "author_name", s->author_name);
	add_field(out, "author_url", s->author_url);
	add_field(out, "noindex", s->noindex ? "true" : NULL);
	add_field(out, "unfinished",
	    s->unfinished == 0 ? NULL : arena_printf(c->arena, "%lld", (long long)s->unfinished));
	add_field(out, "meta_title", s->meta_title);
	add_field(out, "meta_description", s->meta_description);
	add_field(out, "section", s->section);
	add_tags(out, s);
	add_field(out, "image", s->image);
	add_field(out, "image_alt", s->content.image_alt);
	add_field(out, "image_caption", s->content.image_caption);
	add_field(out, "summary", s->content.summary);
	buf_add_char(out, '\n');
	/* The body has its own buffer: there it begins without an empty line. */
	buf_init(&body, c->arena, 8 * (size_t)CONTENT_BYTES_MAX);
	to_markdown_body(c, &s->content, &body);
	buf_add_text(out, buf_done(&body));
}

static const char *
lines_of(struct ctx *c, const struct snapshot *s)
{
	struct buf out;

	buf_init(&out, c->arena, TEXT_MAX);
	write_lines(c, s, &out);
	return buf_done(&out);
}

static void
diff_to_json(struct jwrite *j, const struct article *a, const struct edition *e, bool same,
    const struct textdiff *diff)
{
	static const char *const changes[] = { "kept", "removed", "added" };

	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_int(j, "version", e->version);
	jwrite_member_time(j, "published_at", e->published_at);
	jwrite_member_bool(j, "changed", !same);
	jwrite_member_array(j, "lines");
	for (size_t i = 0; i < diff->count; i++) {
		jwrite_object(j);
		jwrite_member_text(j, "change", changes[diff->lines[i].change]);
		jwrite_member_text(j, "text", diff->lines[i].text);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

/* Returns how many lines from `at` on changed in the same way. */
static size_t
run_of(const struct textdiff *diff, size_t at, enum textdiff_change change)
{
	size_t end = at;

	while (end < diff->count && diff->lines[end].change == change &&
	       diff->lines[end].hunk == diff->lines[at].hunk)
		end++;
	return end - at;
}

/* Prints removed lines and as many added ones, from `at` on. Each pair is one
 * line if that is shorter to read. */
static void
say_pairs(struct call *call, const struct textdiff_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *both =
		    textdiff_words(call->out.arena, lines[i].text, lines[count + i].text);
		if (both != NULL)
			call_say(call, "~ %s", both);
		else
			call_say(call, "- %s\n+ %s", lines[i].text, lines[count + i].text);
	}
}

static void
say_diff(struct call *call, const struct textdiff *diff)
{
	static const char signs[] = " -+";
	const struct textdiff_line *lines = diff->lines;
	size_t removed, added;

	for (size_t i = 0; i < diff->count; i++) {
		if (i > 0 && lines[i].hunk != lines[i - 1].hunk)
			call_say(call, "  …");
		removed = run_of(diff, i, TEXTDIFF_REMOVED);
		added = run_of(diff, i + removed, TEXTDIFF_ADDED);
		if (removed > 0 && removed == added) {
			say_pairs(call, lines + i, removed);
			i += 2 * removed - 1;
			continue;
		}
		call_say(call, lines[i].text[0] != '\0' ? "%c %s" : "%c", signs[lines[i].change],
		    lines[i].text);
	}
}

static void
say_difference(struct call *call, const struct edition *e, bool same, const struct textdiff *diff)
{
	char at[CLOCK_TEXT];

	clock_format_seconds(at, e->published_at);
	if (same) {
		call_say(
		    call, "The working copy is edition %" PRId64 ", published %s.", e->version, at);
		return;
	}
	call_say(call,
	    "From edition %" PRId64 ", published %s, to the working"
	    " copy:\n",
	    e->version, at);
	say_diff(call, diff);
	if (diff->count == 0)
		call_say(call,
		    "They differ in what a text does not show: names of sections, fixed headings, sizes of\n"
		    "pictures. galley article show --as json has them.");
}

static struct err *
diff(struct ctx *c, struct call *call)
{
	struct past past;
	struct textdiff diff;
	struct article *a;
	int64_t version;

	TRY(pick_one_article(c, call, 0, &a));
	TRY(pick_version(c, call, &version));
	TRY(past_compare(c, a->uuid, version, &past));
	textdiff_make(
	    c->arena, lines_of(c, past.before), lines_of(c, past.after), LINES_AROUND, &diff);
	if (call->as_json)
		diff_to_json(&call->json, past.article, &past.edition, past.same, &diff);
	else
		say_difference(call, &past.edition, past.same, &diff);
	return NULL;
}

/* ---- the rows */

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

static const struct command_option show_options[] = {
	{ .name = "as", .value = "FORM", .help = "page, head, html, markdown, json or jsonld" },
	{ .name = "published", .help = "what is published" },
	{ .name = "edition", .value = "N", .help = "what was published as N" },
	{ .name = NULL },
};

static const struct command_option diff_options[] = {
	{ .name = "edition", .value = "N", .help = "from this edition; else from the last one" },
	{ .name = NULL },
};

const struct command command_article[] = {
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
	{ .noun = "article",
	    .verb = "show",
	    .operands = "ID",
	    .options = show_options,
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = show,
	    .summary = "the working copy, its state, the checks that fail",
	    .text =
		"Forms:\n\n"
		"  page      a whole HTML file with article.css in it, to open from a disk\n"
		"  head      what belongs in a page's head (head_html)\n"
		"  html      the article itself\n"
		"  markdown  what galley article import reads back, with the article's id and the\n"
		"            base that guards against overwriting\n"
		"  json      the whole object, as the API would show it\n"
		"  jsonld    its structured data\n\n"
		"With --json, --as json and jsonld print that value, the others {id, FORM: text}; without\n"
		"--as: id, title, slug, language, status, changed, unfinished, version, published_url, created_at,\n"
		"updated_at, first_published_at, modified_at, source, base, publish_at, publish_suspended (why the date does\n"
		"not count; left out if it does); of an edition: id, version,\n"
		"published_at, shown, title, slug, language, unfinished. unfinished counts the places that are left to\n"
		"write (callouts of kind todo)." },
	{ .noun = "article",
	    .operands = "ID",
	    .verb = "history",
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = history,
	    .summary = "its editions, newest first",
	    .text =
		"TO DO says how many places were left to write when it was published.\n\n"
		"--json: [{version, published_at, shown, title, slug, language, unfinished}]." },
	{ .noun = "article",
	    .operands = "ID",
	    .verb = "diff",
	    .options = diff_options,
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = diff,
	    .summary = "what changed since it was published",
	    .text =
		"Compares what publishing would make of the working copy with an edition: fields, then the\n"
		"text as Markdown. A line begins with - (it was), + (it is), or ~: in it [-this was-] and\n"
		"{+this is+}.\n\n"
		"--json: {id, version, published_at, changed, lines: [{change, text}]}; change is kept,\n"
		"removed or added." },
	{ .verb = NULL },
};
