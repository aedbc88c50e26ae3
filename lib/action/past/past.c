#include "action/past/past.h"

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"

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
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, id, &a);
	if (err == NULL) {
		edition_list(c, a, add, &all);
		*out = (struct past) { .article = a, .editions = all.list, .count = all.count };
	}
	return action_end(c, err);
}

struct err *
past_compare(struct ctx *c, const char *id, int64_t version, struct past *out)
{
	struct article *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, id, &a);
	if (err == NULL)
		err = find_edition(c, a, version, &out->edition);
	if (err == NULL) {
		out->article = a;
		out->same = edition_is_current(c, a, &out->edition);
		out->before = article_edition(c, a, out->edition.version);
		out->after = article_next_edition(c, a);
	}
	return action_end(c, err);
}

bool
past_is_shown(const struct article *a, const struct edition *e)
{
	return a->status == ARTICLE_PUBLISHED && e->version == a->version;
}
