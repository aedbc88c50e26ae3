#include "action/article/check.h"

#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "action/article/failing.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "export/todo.h"

#define ARTICLE_MEMORY ((size_t)1 << 30) /* for one article */

struct checking {
	struct ctx *c;
	struct check *check;
	const struct workspace *workspace;
	size_t room;
	int64_t total;
};

static void
count_label(struct checking *k, const char *text)
{
	size_t i = 0;

	while (i < k->check->label_count && strcmp(k->check->labels[i].text, text) != 0)
		i++;
	if (i == k->check->label_count)
		k->check->labels[k->check->label_count++].text = text;
	k->check->labels[i].failed++;
}

/* Keeps in the command's memory what was found in the memory of one article. */
static void
keep(struct checking *k, const struct article *a, const struct export_check *checks, size_t count,
    int64_t unfinished)
{
	struct arena *arena = k->c->arena;
	struct article *kept = arena_alloc(arena, sizeof(*kept));
	struct check_failing *f;

	if (k->check->count == k->room) {
		size_t room = k->room == 0 ? 16 : 2 * k->room;
		k->check->failing =
		    arena_grow(arena, k->check->failing, k->room * sizeof(*f), room * sizeof(*f));
		k->room = room;
	}
	*kept = *a;
	f = &k->check->failing[k->check->count++];
	f->article = kept;
	f->count = count;
	f->unfinished = unfinished;
	for (size_t i = 0; i < count; i++) {
		f->checks[i] = checks[i];
		if (checks[i].reason != NULL)
			f->checks[i].reason = arena_text(arena, checks[i].reason);
		count_label(k, checks[i].label);
	}
}

/* Checks what the API shows of the article. */
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
	k->check->articles++;
	if (count > 0)
		keep(k, a, checks, count, unfinished);
	arena_release(&scratch);
	k->check->step(k->check->arg, k->check->articles, k->total);
}

static void
check_all(struct checking *k)
{
	struct ctx *c = k->c;
	int64_t id = k->workspace->id;

	k->total = article_count(c, id, ARTICLE_PUBLISHED);
	if (k->check->drafts)
		k->total += article_count(c, id, ARTICLE_DRAFT);
	k->check->step(k->check->arg, 0, k->total);
	article_list(c, id, ARTICLE_PUBLISHED, INT64_MAX, check_one, k);
	if (k->check->drafts)
		article_list(c, id, ARTICLE_DRAFT, INT64_MAX, check_one, k);
}

static int
most_first(const void *a, const void *b)
{
	const struct check_label *x = a, *y = b;

	if (x->failed != y->failed)
		return x->failed > y->failed ? -1 : 1;
	return strcmp(x->text, y->text);
}

struct err *
check_articles(struct ctx *c, struct check *k)
{
	struct checking checking = { .c = c, .check = k };
	struct workspace *w;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, &k->place, &w);
	if (err == NULL) {
		checking.workspace = w;
		check_all(&checking);
	}
	if (k->label_count > 1)
		qsort(k->labels, k->label_count, sizeof(*k->labels), most_first);
	return action_end(c, err);
}
