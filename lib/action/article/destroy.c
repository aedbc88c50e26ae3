#include "action/article/destroy.h"

#include "action/action.h"
#include "action/picture-actions.h"
#include "base/arena.h"
#include "base/ctx.h"

void
destroy_add(struct ctx *c, struct destroy *d, const struct article *a)
{
	struct article *kept = arena_alloc(c->arena, sizeof(*kept));

	if (d->count == d->room) {
		size_t room = d->room == 0 ? 16 : 2 * d->room;
		d->articles = arena_grow(c->arena, d->articles, d->room * sizeof(*d->articles),
		    room * sizeof(*d->articles));
		d->room = room;
	}
	*kept = *a;
	d->articles[d->count++] = kept;
}

struct old {
	struct ctx *c;
	struct destroy *destroy;
	int64_t before; /* only articles that came into the trash before this time */
};

static void
add_old(void *arg, const struct article *a)
{
	struct old *old = arg;

	if (a->updated_at < old->before)
		destroy_add(old->c, old->destroy, a);
}

static void
add_workspace(void *arg, const struct workspace *w)
{
	struct old *old = arg;

	article_list(old->c, w->id, ARTICLE_DELETED, INT64_MAX, add_old, old);
}

struct err *
destroy_find_old(struct ctx *c, const struct find_place *place, int64_t span, struct destroy *d)
{
	struct old old = { .c = c, .destroy = d };
	struct workspace *w = NULL;
	struct err *err = NULL;

	db_begin_read(c, DB_CONTENT);
	old.before = c->now - span;
	/* The chosen workspace limits what is destroyed. */
	if (place->name == NULL && place->chosen == NULL)
		workspace_list(c, add_workspace, &old);
	else
		err = find_workspace(c, place, &w);
	if (w != NULL && err == NULL)
		add_workspace(&old, w);
	return action_end(c, err);
}

/* Reads which workspace is meant. This must be known before the transaction that
 * changes the workspace begins. */
static struct workspace *
read_workspace_of(struct ctx *c, int64_t id)
{
	struct workspace *w;

	db_begin_read(c, DB_CONTENT);
	w = workspace_of(c, id);
	db_commit(c);
	return w;
}

/* Destroys one article, inside the transaction. */
static struct err *
destroy_one(struct ctx *c, const struct workspace *w, const char *id, struct purge_media *media)
{
	struct article *a;
	struct err *err = find_article_id(c, id, &a);

	return err != NULL ? err : purge_article(c, w, a, media);
}

/* Destroys all articles of the workspace in one transaction, so that the
 * remaining articles are searched for their pictures once. */
struct err *
destroy_workspace(struct ctx *c, struct destroy *d, int64_t workspace_id)
{
	struct workspace *w = read_workspace_of(c, workspace_id);
	bool any = false;
	struct err *err;

	d->done = arena_array(c->arena, d->count + 1, sizeof(*d->done));
	d->refused = arena_array(c->arena, d->count + 1, sizeof(*d->refused));
	purge_media_init(&d->media, c);
	err = workspace_begin(c, w, &w);
	if (err != NULL)
		return action_end(c, err);
	for (size_t i = 0; i < d->count; i++) {
		const struct article *a = d->articles[i];
		if (a->workspace_id != workspace_id)
			continue;
		d->refused[i] = destroy_one(c, w, a->uuid, &d->media);
		d->done[i] = d->refused[i] == NULL;
		any = any || d->done[i];
	}
	if (!any) {
		/* Nothing was done, so no form is noted as done. */
		db_rollback(c);
		return NULL;
	}
	purge_rows(c, &d->media);
	if (d->waits_not)
		upload_mark_gone(c, &d->media);
	return action_end(c, NULL);
}

size_t
destroy_pictures(struct ctx *c, struct destroy *d)
{
	return d->waits_not ? upload_remove_gone(c, &d->media) : purge_files(c, &d->media);
}
