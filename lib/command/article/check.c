/* galley article check */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "action/article/failing.h"
#include "command/call.h"
#include "command/command-list.h"
#include "terminal/grid.h"
#include "command/pick.h"
#include "terminal/progress.h"
#include "action/article/unfinished.h"
#include "export/todo.h"
#include "store/db.h"

#define ARTICLE_MEMORY ((size_t)1 << 30) /* for one article */

/* An article that does not pass. */
struct failing {
	const struct article *article;
	struct export_check checks[EXPORT_CHECKS];
	size_t count;
	int64_t unfinished; /* places that are left to write */
};

/* One label, and how many articles fail there. */
struct label {
	const char *text;
	int64_t failed;
};

struct checking {
	struct ctx *c;
	const struct workspace *workspace;
	struct failing *failing;
	size_t count, room;
	int64_t articles;
	struct progress progress;
	struct label labels[EXPORT_CHECKS];
	size_t label_count;
};

static void
count_label(struct checking *k, const char *text)
{
	size_t i = 0;

	while (i < k->label_count && strcmp(k->labels[i].text, text) != 0)
		i++;
	if (i == k->label_count)
		k->labels[k->label_count++].text = text;
	k->labels[i].failed++;
}

/* Keeps in the command's memory what was found in the article's own. */
static void
keep(struct checking *k, const struct article *a,
    const struct export_check *checks, size_t count, int64_t unfinished)
{
	struct arena *arena = k->c->arena;
	struct article *kept = arena_alloc(arena, sizeof(*kept));
	struct failing *f;

	if (k->count == k->room) {
		size_t room = k->room == 0 ? 16 : 2 * k->room;
		k->failing = arena_grow(
		    arena, k->failing, k->room * sizeof(*f), room * sizeof(*f));
		k->room = room;
	}
	*kept = *a;
	f = &k->failing[k->count++];
	f->article = kept;
	f->count = count;
	f->unfinished = unfinished;
	for (size_t i = 0; i < count; i++) {
		f->checks[i] = checks[i];
		if (checks[i].reason != NULL)
			f->checks[i].reason =
			    arena_text(arena, checks[i].reason);
		count_label(k, checks[i].label);
	}
}

/* What the API shows of it. */
static void
check_one(void *arg, const struct article *a)
{
	struct checking *k = arg;
	struct export_check checks[EXPORT_CHECKS];
	struct arena scratch, *kept = k->c->arena;
	const struct export_source *source;
	int64_t unfinished;
	size_t count;

	arena_init(&scratch, ARTICLE_MEMORY);
	k->c->arena = &scratch;
	source = stored_source(k->c, k->workspace, a, false);
	count = failing_checks(k->c, source, checks);
	unfinished = source->published ? source->snapshot->unfinished
				       : todo_count(&source->snapshot->content);
	k->c->arena = kept;
	k->articles++;
	if (count > 0)
		keep(k, a, checks, count, unfinished);
	arena_release(&scratch);
	progress_step(&k->progress, 1);
}

static void
check_all(struct checking *k, bool drafts)
{
	struct ctx *c = k->c;
	int64_t id = k->workspace->id;
	int64_t total = article_count(c, id, ARTICLE_PUBLISHED);

	if (drafts)
		total += article_count(c, id, ARTICLE_DRAFT);
	progress_begin(&k->progress, "Checking", WORK_PIECES, total);
	article_list(c, id, ARTICLE_PUBLISHED, INT64_MAX, check_one, k);
	if (drafts)
		article_list(c, id, ARTICLE_DRAFT, INT64_MAX, check_one, k);
	progress_end(&k->progress);
}

static int
most_first(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	if (x->failed != y->failed)
		return x->failed > y->failed ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void
tell_json(struct jwrite *j, const struct checking *k)
{
	jwrite_object(j);
	jwrite_member_int(j, "articles", k->articles);
	jwrite_member_int(j, "passed", k->articles - (int64_t)k->count);
	jwrite_member_array(j, "checks");
	for (size_t i = 0; i < k->label_count; i++) {
		jwrite_object(j);
		jwrite_member_text(j, "label", k->labels[i].text);
		jwrite_member_int(j, "failed", k->labels[i].failed);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_member_array(j, "failing");
	for (size_t i = 0; i < k->count; i++) {
		const struct failing *f = &k->failing[i];
		jwrite_object(j);
		jwrite_member_text(j, "id", f->article->uuid);
		jwrite_member_text(j, "title", f->article->title);
		jwrite_member_text(
		    j, "status", article_status_name(f->article->status));
		jwrite_member_int(j, "unfinished", f->unfinished);
		jwrite_member_array(j, "checks");
		for (size_t n = 0; n < f->count; n++) {
			jwrite_object(j);
			jwrite_member_text(j, "label", f->checks[n].label);
			jwrite_member_text(j, "reason", f->checks[n].reason);
			jwrite_object_end(j);
		}
		jwrite_array_end(j);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
tell(struct ctx *c, struct call *call, const struct checking *k)
{
	struct grid grid;

	call_say(call,
	    "%" PRId64 " of %" PRId64 " article%s pass%s all %d"
	    " checks.",
	    k->articles - (int64_t)k->count, k->articles,
	    k->articles == 1 ? "" : "s", k->articles == 1 ? "es" : "",
	    EXPORT_CHECKS);
	if (k->count == 0)
		return;
	call_say(call, "%s", "");
	grid_init(
	    &grid, c->arena, (const char *[]) { "FAILED", "CHECK", NULL });
	for (size_t i = 0; i < k->label_count; i++)
		grid_row(&grid,
		    (const char *[]) {
			arena_printf(c->arena, "%" PRId64, k->labels[i].failed),
			k->labels[i].text });
	grid_print(&grid, "", &call->out);
	for (size_t i = 0; i < k->count; i++) {
		const struct failing *f = &k->failing[i];
		call_say(call, "\n%s (%s, %s)", f->article->title,
		    article_status_name(f->article->status), f->article->uuid);
		if (f->unfinished > 0)
			call_say(call, "  %s.",
			    unfinished_sentence(c, f->unfinished));
		for (size_t n = 0; n < f->count; n++)
			call_say(
			    call, "  - %s", failing_line(c, &f->checks[n]));
	}
}

static struct err *
check(struct ctx *c, struct call *call)
{
	struct checking k = { .c = c };
	struct workspace *w;
	struct err *err;

	db_begin_read(c);
	err = pick_workspace(c, call, call_option(call, "workspace"), &w);
	if (err != NULL)
		return err;
	k.workspace = w;
	check_all(&k, !call_has(call, "published"));
	db_commit(c);
	if (k.label_count > 1)
		qsort(k.labels, k.label_count, sizeof(*k.labels), most_first);
	if (call->as_json)
		tell_json(&call->json, &k);
	else
		tell(c, call, &k);
	if (call_has(call, "strict") && k.count > 0)
		call->status = 1;
	return NULL;
}

static const struct command_option check_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "published", .help = "leave drafts out" },
	{ .name = "strict", .help = "exit 1 when anything fails" },
	{ .name = NULL },
};

const struct command command_article_check[] = {
	{ .noun = "article",
	    .verb = "check",
	    .operands = "",
	    .options = check_options,
	    .flags = COMMAND_DB,
	    .run = check,
	    .summary = "which publishing checks fail, and where",
	    .text = "Of published articles what is published is looked at, of"
		    " drafts the working copy. The\nchecks are advice: without"
		    " --strict a failing one is exit 0.\n\n"
		    "--json: {articles, passed, checks: [{label, failed}],"
		    " failing: [{id, title, status,\nunfinished, checks:"
		    " [{label, reason}]}]}; unfinished counts the places that"
		    " are left to\nwrite, or were when it was published." },
	{ .verb = NULL },
};
