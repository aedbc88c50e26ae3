#include "action/article/addresses.h"

#include <string.h>

#include "action/action.h"
#include "article/article-name.h"
#include "article/article-row.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/url.h"
#include "export/export.h"
#include "pages/page-item.h"

struct walk {
	struct ctx *c;
	const struct addresses *asked;
	const struct workspace *workspace;
	const char *home; /* of its pages, or NULL */
	const char **left; /* addresses that articles left here, each once */
	size_t left_count;
	size_t left_room;
};

const char *
addresses_path(const char *url)
{
	const char *p = strstr(url, "://");

	p = p == NULL ? url : p + 3 + strcspn(p + 3, "/?#");
	return *p == '\0' ? "/" : p;
}

static bool
is_moved(struct ctx *c, const struct article *a, const char *old, const char *new)
{
	const char *from = url_host(c->arena, old);
	const char *to = new == NULL ? NULL : url_host(c->arena, new);

	if (a->status != ARTICLE_PUBLISHED || from == NULL || to == NULL)
		return false;
	return strcmp(from, to) != 0 || strcmp(addresses_path(old), addresses_path(new)) != 0;
}

/* Returns where readers find the article: on the website, else on its page here; or NULL. */
static const char *
present_address(struct walk *l, const struct article *a)
{
	const struct export_source *source =
	    stored_source(l->c, l->workspace, a, a->status != ARTICLE_PUBLISHED);
	const char *website = export_canonical(l->c, source);

	if (website != NULL || l->home == NULL || a->status != ARTICLE_PUBLISHED)
		return website;
	return item_address(
	    l->c, l->workspace, l->home, source->snapshot->language, source->snapshot->slug);
}

/* Tells of one address. Each article has memory of its own. */
static void
each(void *arg, const struct article *a, const char *old)
{
	struct walk *l = arg;
	struct arena scratch, *kept = l->c->arena;
	const char *new;

	arena_init(&scratch, (size_t)1 << 30);
	l->c->arena = &scratch;
	new = present_address(l, a);
	if (!l->asked->moved_only || is_moved(l->c, a, old, new))
		l->asked->each(l->asked->arg, a, old, new);
	l->c->arena = kept;
	arena_release(&scratch);
}

/* Returns whether another article left the same address, and notes it. Of two
 * redirects from one address a server would use neither. */
static bool
was_left(struct walk *l, const char *old)
{
	for (size_t i = 0; i < l->left_count; i++) {
		if (strcmp(l->left[i], old) == 0)
			return true;
	}
	if (l->left_count == l->left_room) {
		size_t room = l->left_room == 0 ? 16 : 2 * l->left_room;
		l->left = arena_grow(
		    l->c->arena, l->left, l->left_room * sizeof(*l->left), room * sizeof(*l->left));
		l->left_room = room;
	}
	l->left[l->left_count++] = old;
	return false;
}

/* Tells of an article that was shown here under another slug. An article with a
 * published URL is not at the address that its slug gives. */
static void
each_moved(void *arg, const struct article *a, const char *slug)
{
	struct walk *l = arg;
	const char *old = moved_address(l->c, l->workspace, a, slug);

	if (old != NULL && a->published_url == NULL && !was_left(l, old))
		each(l, a, old);
}

struct err *
addresses_list(struct ctx *c, const struct addresses *asked)
{
	struct walk walk = { .c = c, .asked = asked };
	struct workspace *w;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, &asked->place, &w);
	if (err == NULL) {
		walk.workspace = w;
		walk.home = item_home(c, w);
		origin_list(c, w->id, each, &walk);
		edition_list_moved(c, w->id, each_moved, &walk);
	}
	return action_end(c, err);
}
