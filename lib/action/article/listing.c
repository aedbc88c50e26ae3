#include "action/article/listing.h"

#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "article/article-list.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "export/todo.h"

/* An article that was found, and how many places of it are left to write. */
struct one {
	struct article article;
	int64_t unfinished;
};

struct finding {
	struct ctx *c;
	struct listing *listing;
	const char *folded; /* the folded text to look for, or NULL */
	struct arena scratch; /* memory for one article that is searched */
	struct one *found;
	size_t count, room;
};

/* One search in the texts of an article. */
struct search {
	struct ctx *c;
	const char *text; /* the folded text */
	bool found;
};

static void
search_in(struct search *s, const char *text)
{
	s->found =
	    s->found || (text != NULL && strstr(lang_fold(s->c->arena, text), s->text) != NULL);
}

static void
search_visit(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	(void)kind;
	(void)place;
	search_in(arg, text);
}

/* Searches the working copy; what is folded is in the arena. */
static void
search_copy(struct search *s, const struct snapshot *copy)
{
	search_in(s, copy->section);
	for (size_t i = 0; i < copy->tag_count; i++)
		search_in(s, copy->tags[i]);
	content_walk(&copy->content, search_visit, s);
}

bool
listing_says(struct ctx *c, struct arena *scratch, const struct article *a, const char *folded)
{
	struct search s = { c, folded, false };
	struct arena *kept = c->arena;

	c->arena = scratch;
	search_in(&s, a->title);
	search_in(&s, a->slug);
	if (!s.found)
		search_copy(&s, article_working_copy(c, a));
	c->arena = kept;
	arena_reset(scratch);
	return s.found;
}

/* Returns whether the article is new enough. */
static bool
is_recent(const struct finding *f, const struct article *a)
{
	int64_t since = f->listing->since;

	return since == 0 || a->updated_at >= since || a->changed_at >= since;
}

static void
add(struct finding *f, const struct article *a, int64_t unfinished)
{
	if (f->count == f->room) {
		size_t room = f->room == 0 ? 64 : 2 * f->room;
		f->found = arena_grow(
		    f->c->arena, f->found, f->room * sizeof(*f->found), room * sizeof(*f->found));
		f->room = room;
	}
	f->found[f->count++] = (struct one) { *a, unfinished };
}

static void
look(void *arg, const struct article *a)
{
	if (is_recent(arg, a))
		add(arg, a, 0);
}

static void
look_at_content(void *arg, const struct article *a, const char *content, size_t len)
{
	if (is_recent(arg, a))
		add(arg, a, content_stored_todos(content, len));
}

/* The memory of a row that is searched is that of the copy. */
static void
look_at_copy(void *arg, const struct article *a, const struct snapshot *copy)
{
	struct finding *f = arg;
	struct search s = { f->c, f->folded, false };
	struct arena *kept = f->c->arena;

	if (!is_recent(f, a))
		return;
	f->c->arena = &f->scratch;
	search_in(&s, a->title);
	search_in(&s, a->slug);
	if (!s.found)
		search_copy(&s, copy);
	f->c->arena = kept;
	if (s.found)
		add(f, a, todo_count(&copy->content));
}

static int
newest_first(const void *x, const void *y)
{
	const struct one *a = x, *b = y;

	if (a->article.created_at != b->article.created_at)
		return a->article.created_at > b->article.created_at ? -1 : 1;
	return strcmp(b->article.uuid, a->article.uuid);
}

/* Each row is asked once, with no more of it than is needed. */
static void
find_of(struct finding *f, int64_t workspace_id, enum article_status status)
{
	bool plain = f->listing->since == 0 && f->folded == NULL;
	struct browse b = { .workspace_id = workspace_id,
		.status = status,
		.limit = plain ? f->listing->limit : INT64_MAX };

	if (f->folded != NULL)
		browse_working_copies(f->c, &b, &f->scratch, look_at_copy, f);
	else if (!f->listing->ids_only)
		browse_contents(f->c, &b, look_at_content, f);
	else
		article_list(f->c, workspace_id, status, b.limit, look, f);
}

static void
find_all(struct finding *f, const struct workspace *w)
{
	arena_init(&f->scratch, (size_t)1 << 30);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++) {
		if ((f->listing->statuses & 1U << s) != 0)
			find_of(f, w->id, (enum article_status)s);
	}
	arena_release(&f->scratch);
	if (f->count > 1)
		qsort(f->found, f->count, sizeof(*f->found), newest_first);
	if ((int64_t)f->count > f->listing->limit)
		f->count = (size_t)f->listing->limit;
}

static void
tell(const struct finding *f)
{
	struct listing *l = f->listing;

	l->count = f->count;
	l->found = arena_array(f->c->arena, l->count + 1, sizeof(*l->found));
	l->unfinished = arena_array(f->c->arena, l->count + 1, sizeof(*l->unfinished));
	for (size_t i = 0; i < l->count; i++) {
		l->found[i] = f->found[i].article;
		l->unfinished[i] = f->found[i].unfinished;
	}
}

struct err *
listing_find(struct ctx *c, struct listing *l)
{
	struct finding finding = { .c = c, .listing = l };
	struct workspace *w;
	struct err *err;

	if (l->search != NULL)
		finding.folded = lang_fold(c->arena, l->search);
	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, &l->place, &w);
	if (err == NULL) {
		find_all(&finding, w);
		tell(&finding);
	}
	return action_end(c, err);
}
