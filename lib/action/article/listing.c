#include "action/article/listing.h"

#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"

struct finding {
	struct ctx *c;
	struct listing *listing;
	const char *folded; /* the folded text to look for, or NULL */
	struct arena scratch; /* memory for one article that is searched */
	size_t room;
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
	s->found = s->found ||
		   (text != NULL &&
		       strstr(lang_fold(s->c->arena, text), s->text) != NULL);
}

static void
search_visit(
    void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	(void)kind;
	(void)place;
	search_in(arg, text);
}

bool
listing_says(struct ctx *c, struct arena *scratch, const struct article *a,
    const char *folded)
{
	struct search s = { c, folded, false };
	struct arena *kept = c->arena;
	const struct snapshot *copy;

	c->arena = scratch;
	search_in(&s, a->title);
	search_in(&s, a->slug);
	if (!s.found) {
		copy = article_working_copy(c, a);
		search_in(&s, copy->section);
		for (size_t i = 0; i < copy->tag_count; i++)
			search_in(&s, copy->tags[i]);
		content_walk(&copy->content, search_visit, &s);
	}
	c->arena = kept;
	arena_reset(scratch);
	return s.found;
}

static void
look(void *arg, const struct article *a)
{
	struct finding *l = arg;

	if (l->listing->since != 0 && a->updated_at < l->listing->since &&
	    a->changed_at < l->listing->since)
		return;
	if (l->folded != NULL && !listing_says(l->c, &l->scratch, a, l->folded))
		return;
	if (l->listing->count == l->room) {
		size_t room = l->room == 0 ? 64 : 2 * l->room;
		l->listing->found = arena_grow(l->c->arena, l->listing->found,
		    l->room * sizeof(*a), room * sizeof(*a));
		l->room = room;
	}
	l->listing->found[l->listing->count++] = *a;
}

static int
newest_first(const void *x, const void *y)
{
	const struct article *a = x, *b = y;

	if (a->created_at != b->created_at)
		return a->created_at > b->created_at ? -1 : 1;
	return strcmp(b->uuid, a->uuid);
}

static void
find_all(struct finding *l, const struct workspace *w)
{
	bool plain = l->listing->since == 0 && l->folded == NULL;

	arena_init(&l->scratch, (size_t)1 << 30);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++) {
		if ((l->listing->statuses & 1U << s) != 0)
			article_list(l->c, w->id, s,
			    plain ? l->listing->limit : INT64_MAX, look, l);
	}
	arena_release(&l->scratch);
	if (l->listing->count > 1)
		qsort(l->listing->found, l->listing->count,
		    sizeof(*l->listing->found), newest_first);
	if ((int64_t)l->listing->count > l->listing->limit)
		l->listing->count = (size_t)l->listing->limit;
}

static void
count_unfinished(struct ctx *c, struct listing *l)
{
	l->unfinished =
	    arena_array(c->arena, l->count + 1, sizeof(*l->unfinished));
	for (size_t i = 0; i < l->count; i++)
		l->unfinished[i] = article_unfinished(c, &l->found[i]);
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
	if (err == NULL)
		find_all(&finding, w);
	if (err == NULL && !l->ids_only)
		count_unfinished(c, l);
	return action_end(c, err);
}
