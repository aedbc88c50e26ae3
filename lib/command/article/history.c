/* galley article history | diff | revert */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "article/article.h"
#include "article/edition.h"
#include "article/moved.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "command/article/article-tell.h"
#include "command/article/article-lines.h"
#include "command/ask.h"
#include "command/call.h"
#include "command/command-list.h"
#include "terminal/grid.h"
#include "command/pick.h"
#include "terminal/note.h"
#include "terminal/textdiff.h"
#include "store/db.h"

#define TEXT_MAX (9 * (size_t)CONTENT_BYTES_MAX)
#define LINES_AROUND 1

struct history {
	struct ctx *c;
	struct call *call;
	const struct article *article;
	struct grid grid;
};

static bool
is_shown(const struct article *a, const struct edition *e)
{
	return a->status == ARTICLE_PUBLISHED && e->version == a->version;
}

static void
tell_edition(void *arg, const struct edition *e)
{
	struct history *h = arg;
	char *at = arena_alloc(h->c->arena, CLOCK_TEXT);
	struct jwrite *j = &h->call->json;

	clock_format_seconds(at, e->published_at);
	if (!h->call->as_json) {
		grid_row(&h->grid, (const char *[]){
		    arena_printf(h->c->arena, "%" PRId64, e->version), at,
		    is_shown(h->article, e) ? "yes" : NULL,
		    e->unfinished > 0 ? arena_printf(h->c->arena, "%" PRId64,
			e->unfinished) : NULL, e->language,
		    e->slug, e->title });
		return;
	}
	jwrite_object(j);
	jwrite_member_int(j, "version", e->version);
	jwrite_member_time(j, "published_at", e->published_at);
	jwrite_member_bool(j, "shown", is_shown(h->article, e));
	jwrite_member_text(j, "title", e->title);
	jwrite_member_text(j, "slug", e->slug);
	jwrite_member_text(j, "language", e->language);
	jwrite_member_int(j, "unfinished", e->unfinished);
	jwrite_object_end(j);
}

static struct err *
history(struct ctx *c, struct call *call)
{
	struct history h = { .c = c, .call = call };
	struct article *a;
	struct err *err;

	db_begin_read(c);
	err = pick_article(c, call, 0, &a);
	if (err != NULL)
		return err;
	h.article = a;
	grid_init(&h.grid, c->arena, (const char *[]){ "EDITION", "PUBLISHED",
	    "SHOWN", "TO DO", "LANGUAGE", "SLUG", "TITLE", NULL });
	if (call->as_json)
		jwrite_array(&call->json);
	edition_list(c, a, tell_edition, &h);
	if (call->as_json)
		jwrite_array_end(&call->json);
	else
		grid_print(&h.grid, "It was never published.", &call->out);
	if (article_has_changes(a))
		call_say(call, "\nThe working copy differs from edition %"
		    PRId64 "; galley article diff tells how.", a->version);
	db_commit(c);
	return NULL;
}

static const char *
lines_of(struct ctx *c, const struct snapshot *s)
{
	struct buf out;

	buf_init(&out, c->arena, TEXT_MAX);
	article_lines_write(c, s, &out);
	return buf_done(&out);
}

static void
diff_to_json(struct jwrite *j, const struct article *a,
    const struct edition *e, bool same, const struct textdiff *diff)
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
		jwrite_member_text(j, "change",
		    changes[diff->lines[i].change]);
		jwrite_member_text(j, "text", diff->lines[i].text);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

/* How many lines from `at` on changed in the same way. */
static size_t
run_of(const struct textdiff *diff, size_t at, enum textdiff_change change)
{
	size_t end = at;

	while (end < diff->count && diff->lines[end].change == change &&
	    diff->lines[end].hunk == diff->lines[at].hunk)
		end++;
	return end - at;
}

/* As many removed lines as added ones, from `at` on: each pair as one line where
 * that is shorter to read. */
static void
say_pairs(struct call *call, const struct textdiff_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *both = textdiff_words(call->out.arena,
		    lines[i].text, lines[count + i].text);
		if (both != NULL)
			call_say(call, "~ %s", both);
		else
			call_say(call, "- %s\n+ %s", lines[i].text,
			    lines[count + i].text);
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
		call_say(call, lines[i].text[0] != '\0' ? "%c %s" : "%c",
		    signs[lines[i].change], lines[i].text);
	}
}

static void
say_difference(struct call *call, const struct edition *e, bool same,
    const struct textdiff *diff)
{
	char at[CLOCK_TEXT];

	clock_format_seconds(at, e->published_at);
	if (same) {
		call_say(call, "The working copy is edition %" PRId64
		    ", published %s.", e->version, at);
		return;
	}
	call_say(call, "From edition %" PRId64 ", published %s, to the working"
	    " copy:\n", e->version, at);
	say_diff(call, diff);
	if (diff->count == 0)
		call_say(call, "They differ in what a text does not show:"
		    " names of sections, fixed headings, sizes of\npictures."
		    " galley article show --as json has them.");
}

static struct err *
diff(struct ctx *c, struct call *call)
{
	struct textdiff diff;
	struct edition e;
	struct article *a;
	struct err *err;
	bool same;

	db_begin_read(c);
	err = pick_article(c, call, 0, &a);
	if (err == NULL)
		err = pick_edition(c, a, call_option(call, "edition"), &e);
	if (err != NULL)
		return err;
	same = edition_is_current(c, a, &e);
	textdiff_make(c->arena,
	    lines_of(c, article_edition(c, a, e.version)),
	    lines_of(c, article_next_edition(c, a)), LINES_AROUND, &diff);
	db_commit(c);
	if (call->as_json)
		diff_to_json(&call->json, a, &e, same, &diff);
	else
		say_difference(call, &e, same, &diff);
	return NULL;
}

/* On a terminal: what was never published is not in any edition. */
static struct err *
ask_about_changes(struct ctx *c, const struct call *call,
    const struct article *a)
{
	if (!article_has_changes(a) || call_has(call, "yes") || !ask_can())
		return NULL;
	note_say("The working copy of %s has changes that were never"
	    " published, and would lose them.", a->title);
	if (ask("Go on?", false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}

static struct err *
picked_edition(struct ctx *c, struct call *call, struct article **a,
    struct edition *e)
{
	struct err *err;

	db_begin_read(c);
	err = pick_article(c, call, 0, a);
	if (err == NULL)
		err = pick_edition(c, *a, call_option(call, "edition"), e);
	db_commit(c);
	return err;
}

/* The snapshot that the working copy becomes. The slug of a published article
 * stays as it is, unless the address is to move too. */
static struct snapshot *
reverted(struct ctx *c, const struct call *call, const struct article *a,
    int64_t version)
{
	struct snapshot *s = article_edition(c, a, version);

	if (moved_check(c, a, s->slug, call_has(call, "move")) != NULL)
		s->slug = a->slug;
	return s;
}

static struct err *
revert(struct ctx *c, struct call *call)
{
	struct snapshot *s;
	struct workspace *w;
	struct edition e;
	struct article *a;
	struct err *err;

	err = picked_edition(c, call, &a, &e);
	if (err == NULL)
		err = ask_about_changes(c, call, a);
	if (err != NULL)
		return err;
	db_begin_read(c);
	w = workspace_of(c, a->workspace_id);
	db_commit(c);
	err = workspace_begin(c, w, &w);
	if (err == NULL)
		err = pick_article(c, call, 0, &a);
	if (err != NULL)
		return err;
	s = reverted(c, call, a, e.version);
	err = article_save(c, w, a, s, false, NULL);
	if (err != NULL)
		return err;
	call_changed(call, a->uuid);
	if (e.unfinished > 0)
		note_say("Edition %" PRId64 " was published unfinished: its"
		    " notes of what is left to write are in no edition.",
		    e.version);
	call_say(call, "The working copy of %s is edition %" PRId64 " again.",
	    a->title, e.version);
	if (strcmp(s->slug, e.slug) != 0)
		call_say(call, "Its slug stays %s; it was %s. --move takes that"
		    " back too.", s->slug, e.slug);
	article_tell(c, call, w, a);
	db_commit(c);
	return NULL;
}

static const struct command_option diff_options[] = {
	{ .name = "edition", .value = "N",
	    .help = "from this edition; else from the last one" },
	{ .name = NULL },
};

static const struct command_option revert_options[] = {
	{ .name = "edition", .value = "N", .needed = true,
	    .help = "which one; galley article history lists them" },
	{ .name = "move", .help = "take its slug too, if that is another" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

#define ARTICLE                                                                \
	.noun = "article", .operands = "ID", .operands_min = 1, .operands_max = 1

const struct command command_article_history[] = {
	{ ARTICLE, .verb = "history", .flags = COMMAND_DB | COMMAND_ID,
	    .run = history, .summary = "its editions, newest first",
	    .text = "TO DO says how many places were left to write when it was"
		    " published.\n\n"
		    "--json: [{version, published_at, shown, title, slug,"
		    " language, unfinished}]." },
	{ ARTICLE, .verb = "diff", .options = diff_options,
	    .flags = COMMAND_DB | COMMAND_ID, .run = diff,
	    .summary = "what changed since it was published",
	    .text = "Compares what publishing would make of the working copy"
		    " with an edition: fields, then the\ntext as Markdown. A"
		    " line begins with - (it was), + (it is), or ~: in it"
		    " [-this was-] and\n{+this is+}.\n\n"
		    "--json: {id, version, published_at, changed, lines:"
		    " [{change, text}]}; change is kept,\nremoved or added." },
	{ ARTICLE, .verb = "revert", .options = revert_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID, .run = revert,
	    .summary = "make an edition the working copy again",
	    .text = "What is published stays until galley article publish."
		    " Changes that were never published\nare lost; on a"
		    " terminal that is asked first.\n\n"
		    "--json: the article, as galley article show prints it,"
		    " and moved, as galley article set." },
	{ .verb = NULL },
};
