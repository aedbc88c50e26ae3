#include "action/article/article-history.h"

#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "action/article/article-writing.h"
#include "article/article-name.h"
#include "article/article-row.h"
#include "article/revision.h"
#include "article/save.h"
#include "base/arena.h"
#include "base/ctx.h"

/* ---- editions */

struct editions {
	struct arena *arena;
	struct edition *list;
	size_t count;
	size_t room;
};

static void
add(void *arg, const struct edition *e)
{
	struct editions *all = arg;

	if (all->count == all->room) {
		size_t room = all->room == 0 ? 16 : 2 * all->room;
		all->list =
		    arena_grow(all->arena, all->list, all->room * sizeof(*e), room * sizeof(*e));
		all->room = room;
	}
	all->list[all->count++] = *e;
}

struct err *
past_list(struct ctx *c, const char *id, struct past *out)
{
	struct editions all = { .arena = c->arena };
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_id(c, id, &a));
	edition_list(c, a, add, &all);
	*out = (struct past) { .article = a, .editions = all.list, .count = all.count };
	return action_commit(c);
}

struct err *
past_compare(struct ctx *c, const char *id, int64_t version, struct past *out)
{
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_id(c, id, &a));
	TRY(find_edition(c, a, version, &out->edition));
	out->article = a;
	out->same = edition_is_current(c, a, &out->edition);
	out->before = article_edition(c, a, out->edition.version);
	out->after = article_next_edition(c, a);
	return action_commit(c);
}

bool
past_is_shown(const struct article *a, const struct edition *e)
{
	return a->status == ARTICLE_PUBLISHED && e->version == a->version;
}

/* Returns the snapshot that the working copy becomes. */
static struct snapshot *
reverted(struct ctx *c, const struct revert *r, const struct article *a)
{
	struct snapshot *s = article_edition(c, a, r->version);

	if (moved_check(c, a, s->slug, r->move) != NULL)
		s->slug = a->slug;
	return s;
}

struct err *
revert_article(struct ctx *c, struct revert *r)
{
	struct workspace *w;
	struct article *a;

	ACTION(c, begin_article(c, r->id, &w, &a));
	TRY(article_save(c, w, a, reverted(c, r, a), false, NULL));
	saved_read(c, w, a, &r->saved);
	return action_commit(c);
}

/* ---- editions and saves */

struct listing {
	struct ctx *c;
	const struct article *article;
	struct saves *out;
	size_t room;
};

static struct saves_one *
add_one(struct listing *l)
{
	struct saves *s = l->out;

	if (s->count == l->room) {
		size_t room = l->room == 0 ? 64 : 2 * l->room;
		s->list = arena_grow(
		    l->c->arena, s->list, l->room * sizeof(*s->list), room * sizeof(*s->list));
		l->room = room;
	}
	return &s->list[s->count++];
}

static void
add_edition(void *arg, const struct edition *e)
{
	struct listing *l = arg;
	const struct article *a = l->article;

	*add_one(l) = (struct saves_one) { .is_edition = true,
		.number = e->version,
		.at = e->published_at,
		.title = e->title,
		.present = e->version == a->version && !article_has_changes(a) };
}

static void
add_save(void *arg, const struct save *s)
{
	struct listing *l = arg;

	*add_one(l) = (struct saves_one) { .number = s->id,
		.at = s->saved_at,
		.person = s->person,
		.title = s->title,
		.present = memcmp(s->digest, l->article->digest, ARTICLE_DIGEST) == 0 };
}

static int
newest_first(const void *x, const void *y)
{
	const struct saves_one *a = x, *b = y;

	if (a->at != b->at)
		return a->at > b->at ? -1 : 1;
	if (a->is_edition != b->is_edition)
		return a->is_edition ? -1 : 1;
	return a->number > b->number ? -1 : 1;
}

struct err *
saves_look(struct ctx *c, const struct workspace *w, const char *id, struct saves *out)
{
	struct listing l = { .c = c, .out = out };
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_in(c, w, id, &a));
	*out = (struct saves) { .article = a };
	l.article = a;
	edition_list(c, a, add_edition, &l);
	save_list(c, a, add_save, &l);
	if (out->count > 1)
		qsort(out->list, out->count, sizeof(*out->list), newest_first);
	return action_commit(c);
}

/* Returns whether the text is what a number of a row is written as: digits, and no zero
 * first. */
static bool
is_number(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && len < 19 && text[0] != '0' && strspn(text, "0123456789") == len;
}

/* Reads what a name means. */
static struct err *
read_one(struct ctx *c, const struct article *a, const char *name, struct side *out)
{
	const char *digits;
	int64_t number;
	struct edition e;
	struct save s;

	if (name == NULL) {
		writing_present(c, a, out);
		return NULL;
	}
	digits = name[0] != '\0' ? name + 1 : name;
	number = is_number(digits) ? strtoll(digits, NULL, 10) : -1;
	if (name[0] == 'e' && number > 0 && edition_find(c, a, number, &e)) {
		writing_edition(c, a, number, out);
		return NULL;
	}
	if (name[0] == 's' && number > 0 && save_of(c, a, number, &s)) {
		writing_save(c, a, &s, out);
		return NULL;
	}
	return refuse(
	    c, ERR_NOT_FOUND, tr_mark("This is not in the history of the article any more."));
}

struct err *
saves_lines(
    struct ctx *c, const struct workspace *w, const char *id, const char *name, const char **out)
{
	struct article *a;
	struct side side;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_in(c, w, id, &a));
	TRY(read_one(c, a, name, &side));
	action_commit(c);
	*out = writing_lines(c, &w->settings, &side);
	return NULL;
}

/* Stores the working copy that is replaced, unless a save has it. Returns the text that was
 * typed for it, or NULL. */
static const char *
keep_present(struct ctx *c, const struct article *a)
{
	char token[TOKEN_TEXT];
	struct save known;

	token_base(a, token);
	if (save_find(c, a, token, &known))
		return known.text;
	save_insert(c, a, article_working_copy(c, a), NULL, NULL);
	return NULL;
}

static struct err *
bring_back(struct ctx *c, struct workspace *w, struct article *a, const char *name,
    const char *person, bool move)
{
	struct snapshot *s;
	const char *text, *shown;
	bool changed;
	struct side side;

	TRY(read_one(c, a, name, &side));
	if (a->status == ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This article is in the trash, so nothing was brought back. Restore it first."));
	s = arena_alloc(c->arena, sizeof(*s));
	*s = *side.snapshot;
	text = side.shown;
	if (moved_check(c, a, s->slug, move) != NULL)
		s->slug = a->slug;
	shown = keep_present(c, a);
	TRY(article_save(c, w, a, s, false, &changed));
	/* What Markdown has and the content has not may be another, too. */
	if (changed || (text != NULL && shown != NULL && strcmp(text, shown) != 0))
		save_insert(c, a, s, person, text);
	return NULL;
}

struct err *
saves_bring_back(struct ctx *c, const char *id, const char *name, const char *person, bool move)
{
	struct workspace *w;
	struct article *a;

	ACTION(c, begin_article(c, id, &w, &a));
	TRY(bring_back(c, w, a, name, person, move));
	return action_commit(c);
}
