#include "action/article/article-search.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "export/todo.h"
#include "store/db.h"

#define BROWSING_VISITED 10000
#define BROWSING_TEXTS 5000 /* articles of the statuses: in more, no text is searched */

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
	struct article a;

	if (f->folded != NULL)
		browse_working_copies(f->c, &b, &f->scratch, look_at_copy, f);
	else if (!f->listing->ids_only)
		browse_contents(f->c, &b, look_at_content, f);
	else
		for (struct stmt *q = article_list(f->c, workspace_id, status, b.limit);
		     article_next(q, &a);)
			if (is_recent(f, &a))
				add(f, &a, 0);
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

	if (l->search != NULL)
		finding.folded = lang_fold(c->arena, l->search);
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_workspace(c, &l->place, &w));
	find_all(&finding, w);
	tell(&finding);
	return action_commit(c);
}

/* ---- a page for a screen */

#define SOURCES 3 /* one for each status of an article */

/* The articles of one status that fit. */
struct source {
	struct reading *reading;
	struct browsing_one *found;
	size_t count, visited;
	struct browsing_key first, last; /* of those visited */
	bool cut;
};

struct reading {
	struct ctx *c;
	struct browsing *b;
	bool up; /* the way, as article-list.h has it */
	const char *search, *tag, *author; /* folded, or NULL */
	size_t visit_max;
	bool desk; /* people agreed something about some of the workspace */
	struct arena scratch;
	struct source sources[SOURCES];
	size_t source_count;
};

static int64_t
time_of(const struct reading *r, const struct article *a)
{
	return r->b->order == BROWSING_LAST_CHANGED ? a->updated_at : a->created_at;
}

/* ---- which fit */

static bool
is_in_language(const char *language, const char *wanted)
{
	size_t len = strlen(wanted);

	return strncasecmp(language, wanted, len) == 0 &&
	       (language[len] == '\0' || language[len] == '-');
}

static bool
says(struct reading *r, const struct article *a)
{
	struct search s = { r->c, r->search, false };

	search_in(&s, a->title);
	search_in(&s, a->slug);
	if (!s.found && !r->b->titles)
		search_copy(&s, article_working_copy(r->c, a));
	return s.found;
}

/* Asks what must be folded, in memory for one article. */
static bool
fits_words(struct reading *r, const struct browsing_one *one)
{
	struct arena *kept = r->c->arena;
	bool does;

	r->c->arena = &r->scratch;
	does = (r->tag == NULL || browse_has_tag(r->c, one->shown.tags, r->tag)) &&
	       (r->author == NULL ||
		   (one->shown.author != NULL &&
		       strcmp(lang_fold(r->c->arena, one->shown.author), r->author) == 0)) &&
	       (r->search == NULL || says(r, &one->article));
	r->c->arena = kept;
	arena_reset(&r->scratch);
	return does;
}

static bool
fits(struct reading *r, const struct browsing_one *one)
{
	const struct browsing *b = r->b;
	const struct article *a = &one->article;
	const struct desk *desk = &one->desk;

	if ((b->status == BROWSING_CHANGED && !article_has_changes(a)) ||
	    (b->status == BROWSING_REVIEW && desk->handed_in_at == 0) ||
	    (b->status == BROWSING_SCHEDULED && desk->publish_at == 0))
		return false;
	if (b->language != NULL && !is_in_language(a->language, b->language))
		return false;
	return (r->tag == NULL && r->author == NULL && r->search == NULL) || fits_words(r, one);
}

/* ---- one after the other */

static struct browsing_key
key_of(const struct reading *r, const struct article *a)
{
	return (struct browsing_key) { .at = time_of(r, a), .uuid = a->uuid };
}

/* Compares two places on the way. */
static int
compare(const struct reading *r, const struct browsing_key *x, const struct browsing_key *y)
{
	int order = x->at != y->at ? (x->at < y->at ? -1 : 1) : strcmp(x->uuid, y->uuid);

	return r->up ? order : -order;
}

static bool
look_at_row(void *arg, const struct article *a, const struct browse_shown *shown)
{
	struct source *s = arg;
	struct reading *r = s->reading;
	struct browsing_one one = { .article = *a, .shown = *shown };

	s->last = key_of(r, a);
	if (s->visited++ == 0)
		s->first = s->last;
	if (r->desk)
		desk_find(r->c, a, &one.desk);
	if (fits(r, &one))
		s->found[s->count++] = one;
	if (s->count > r->b->limit)
		return false;
	s->cut = s->visited == r->visit_max;
	return !s->cut;
}

static void
visit(struct reading *r, enum article_status status)
{
	struct source *s = &r->sources[r->source_count++];
	const struct browsing *b = r->b;
	bool all = r->search == NULL && r->tag == NULL && r->author == NULL &&
		   b->language == NULL && b->status != BROWSING_CHANGED;

	*s = (struct source) { .reading = r };
	s->found = arena_array(r->c->arena, b->limit + 1, sizeof(*s->found));
	browse_articles(r->c,
	    &(struct browse) { .workspace_id = b->workspace_id,
		.status = status,
		.by_change = b->order == BROWSING_LAST_CHANGED,
		.up = r->up,
		.at = b->key.at,
		.uuid = b->key.uuid,
		.limit = (int64_t)(all ? b->limit + 1 : r->visit_max) },
	    look_at_row, s);
}

/* ---- what people agreed about has no order: the nearest are kept */

static bool
look_at_desk(void *arg, const struct article *a, const struct browse_shown *shown)
{
	struct source *s = arg;
	struct reading *r = s->reading;
	struct browsing_one one = { .article = *a, .shown = *shown };
	struct browsing_key key = key_of(r, a);
	size_t i = s->count;

	if (r->desk)
		desk_find(r->c, a, &one.desk);
	if ((r->b->key.uuid != NULL && compare(r, &key, &r->b->key) <= 0) || !fits(r, &one))
		return true;
	for (; i > 0; i--) {
		struct browsing_key before = key_of(r, &s->found[i - 1].article);
		if (compare(r, &before, &key) < 0)
			break;
		if (i <= r->b->limit)
			s->found[i] = s->found[i - 1];
	}
	if (i <= r->b->limit)
		s->found[i] = one;
	if (s->count <= r->b->limit)
		s->count++;
	return true;
}

static void
visit_desk(struct reading *r)
{
	struct source *s = &r->sources[r->source_count++];

	*s = (struct source) { .reading = r };
	s->found = arena_array(r->c->arena, r->b->limit + 1, sizeof(*s->found));
	browse_desk(r->c,
	    &(struct browse) { .workspace_id = r->b->workspace_id, .limit = BROWSING_VISITED },
	    look_at_desk, s);
}

/* ---- the page */

/* Takes the nearest one of all sources that is not beyond `end`; NULL: there is none. */
static const struct browsing_one *
take(struct reading *r, size_t taken[SOURCES], const struct browsing_key *end)
{
	const struct browsing_one *best = NULL;
	struct browsing_key best_key = { 0 };
	size_t from = 0;

	for (size_t i = 0; i < r->source_count; i++) {
		const struct source *s = &r->sources[i];
		struct browsing_key key;
		if (taken[i] == s->count)
			continue;
		key = key_of(r, &s->found[taken[i]].article);
		if (best != NULL && compare(r, &key, &best_key) > 0)
			continue;
		best = &s->found[taken[i]];
		best_key = key;
		from = i;
	}
	if (best == NULL || (end->uuid != NULL && compare(r, &best_key, end) > 0))
		return NULL;
	taken[from]++;
	return best;
}

/* Merges the sources. Behind the place where a source stopped for its bound, nothing is
 * known: there the page ends. */
static void
merge(struct reading *r)
{
	struct browsing *b = r->b;
	size_t taken[SOURCES] = { 0 };
	struct browsing_key end = { 0 }, begin = b->key, last;
	const struct browsing_one *one;

	for (size_t i = 0; i < r->source_count; i++) {
		const struct source *s = &r->sources[i];
		if (s->cut && (end.uuid == NULL || compare(r, &s->last, &end) < 0))
			end = s->last;
		if (s->visited > 0 &&
		    (begin.uuid == b->key.uuid || compare(r, &s->first, &begin) < 0))
			begin = s->first;
	}
	b->found = arena_array(r->c->arena, b->limit + 1, sizeof(*b->found));
	b->count = 0;
	while (b->count <= b->limit && (one = take(r, taken, &end)) != NULL)
		b->found[b->count++] = *one;
	last = end;
	b->cut = end.uuid != NULL && b->count <= b->limit;
	if (b->count > b->limit) {
		b->count = b->limit;
		last = key_of(r, &b->found[b->count - 1].article);
	}
	if (b->count > 0)
		begin = key_of(r, &b->found[0].article);
	b->next = last;
	b->previous = b->key.uuid != NULL ? begin : (struct browsing_key) { 0 };
}

/* A page that was read backwards is turned. */
static void
turn(struct browsing *b)
{
	struct browsing_key next = b->previous;

	for (size_t i = 0; i < b->count / 2; i++) {
		struct browsing_one one = b->found[i];
		b->found[i] = b->found[b->count - 1 - i];
		b->found[b->count - 1 - i] = one;
	}
	b->previous = b->next;
	b->next = next;
}

static unsigned
statuses_of(enum browsing_status status)
{
	switch (status) {
	case BROWSING_DRAFT:
		return 1U << ARTICLE_DRAFT;
	case BROWSING_PUBLISHED:
	case BROWSING_CHANGED:
		return 1U << ARTICLE_PUBLISHED;
	case BROWSING_TRASH:
		return 1U << ARTICLE_DELETED;
	default:
		return 1U << ARTICLE_DRAFT | 1U << ARTICLE_PUBLISHED;
	}
}

/* Whether texts are searched: in a large workspace that would take too long. */
static void
choose_search(struct reading *r, unsigned statuses)
{
	int64_t count = 0;

	if (r->search == NULL)
		return;
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++) {
		if ((statuses & 1U << s) != 0)
			count += article_count(r->c, r->b->workspace_id, s);
	}
	r->b->titles = r->b->titles || count > BROWSING_TEXTS;
}

void
browsing_read(struct ctx *c, struct browsing *b)
{
	unsigned statuses = statuses_of(b->status);
	struct reading r = { .c = c,
		.b = b,
		.visit_max = BROWSING_VISITED,
		.up = (b->order == BROWSING_OLDEST) != b->back };

	if (b->search != NULL)
		r.search = lang_fold(c->arena, b->search);
	if (b->tag != NULL)
		r.tag = lang_fold(c->arena, b->tag);
	if (b->author != NULL)
		r.author = lang_fold(c->arena, b->author);
	arena_init(&r.scratch, (size_t)1 << 30);
	db_begin_read(c, DB_CONTENT);
	browse_counts(c, b->workspace_id, &b->counts);
	r.desk = b->counts.desk;
	choose_search(&r, statuses);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED && b->status != BROWSING_REVIEW &&
				    b->status != BROWSING_SCHEDULED;
	     s++) {
		if ((statuses & 1U << s) != 0)
			visit(&r, s);
	}
	if (r.source_count == 0)
		visit_desk(&r);
	db_rollback(c);
	arena_release(&r.scratch);
	merge(&r);
	if (b->back)
		turn(b);
}
