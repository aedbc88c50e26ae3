/* galley article show */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "action/article/failing.h"
#include "action/article/look.h"
#include "action/article/unfinished.h"
#include "article/content-state.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/article/article-view.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"

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

static void
edition_to_json(struct jwrite *j, const struct look *l)
{
	const struct article *a = l->article;
	const struct edition *e = &l->edition;

	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_int(j, "version", e->version);
	jwrite_member_time(j, "published_at", e->published_at);
	jwrite_member_bool(j, "shown", a->status == ARTICLE_PUBLISHED && e->version == a->version);
	jwrite_member_text(j, "title", e->title);
	jwrite_member_text(j, "slug", e->slug);
	jwrite_member_text(j, "language", e->language);
	jwrite_member_int(j, "unfinished", e->unfinished);
	jwrite_object_end(j);
}

/* Prints the article in one of the forms of --as. */
static struct err *
show_as(struct ctx *c, struct call *call, const struct look *l, const char *as)
{
	struct buf text;
	bool json;

	buf_init(&text, c->arena, 4 * EXPORT_BYTES_MAX);
	if (!article_view_write(c, l, as, &text, &json))
		return call_usage(c, "--as is %s, not %s.", article_view_forms, as);
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
	struct err *err;

	err = pick_one_article(c, call, 0, &a);
	if (err == NULL)
		err = look(c, call, a->uuid, &l);
	if (err != NULL)
		return err;
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

static const struct command_option show_options[] = {
	{ .name = "as", .value = "FORM", .help = "page, head, html, markdown, json or jsonld" },
	{ .name = "published", .help = "what is published" },
	{ .name = "edition", .value = "N", .help = "what was published as N" },
	{ .name = NULL },
};

const struct command command_article_show[] = {
	{ .noun = "article",
	    .verb = "show",
	    .operands = "ID",
	    .operands_min = 1,
	    .operands_max = 1,
	    .options = show_options,
	    .flags = COMMAND_DB | COMMAND_ID,
	    .run = show,
	    .summary = "the working copy, its state, the checks that fail",
	    .text =
		"Forms:\n\n"
		"  page      a whole HTML file with article.css in it, to open from a disk\n"
		"  head      what belongs into a page's head (head_html)\n"
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
	{ .verb = NULL },
};
