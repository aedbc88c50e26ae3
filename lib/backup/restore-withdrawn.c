/* Keeps articles that are withdrawn now withdrawn in the restored state
 * (restore.h). */
#include <stdlib.h>
#include <string.h>

#include "access/pages-settings.h"
#include "access/workspace.h"
#include "article/article.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "notify/notify-url.h"

struct reader {
	struct ctx *c;
	struct restore *r;
	const struct workspace *w;
};

static void
keep_article(void *arg, const struct article *a)
{
	struct reader *reader = arg;
	struct restore *r = reader->r;

	if (r->present_count == r->present_room) {
		size_t more = r->present_room == 0 ? 64 : 2 * r->present_room;
		r->present = arena_grow(reader->c->arena, r->present,
		    r->present_room * sizeof(*r->present), more * sizeof(*r->present));
		r->present_room = more;
	}
	r->present[r->present_count++] =
	    (struct restore_article) { a->uuid, a->status, a->version };
}

struct restore_present *
restore_present_of(const struct restore *r, const char *uuid)
{
	for (size_t i = 0; i < r->workspace_count; i++) {
		if (strcmp(r->workspaces[i].uuid, uuid) == 0)
			return &r->workspaces[i];
	}
	return NULL;
}

/* Adds a workspace with its epoch. A known workspace keeps what note_timeline() found. */
static struct restore_present *
present_of(struct reader *reader, const struct workspace *w)
{
	struct restore *r = reader->r;
	struct restore_present *found = restore_present_of(r, w->uuid);
	size_t size = sizeof(*r->workspaces);

	if (found != NULL)
		return found;
	r->workspaces = arena_grow(reader->c->arena, r->workspaces, r->workspace_count * size,
	    (r->workspace_count + 1) * size);
	found = &r->workspaces[r->workspace_count++];
	*found = (struct restore_present) {
		.uuid = w->uuid, .epoch = w->epoch, .began_at = workspace_began_at(reader->c, w)
	};
	return found;
}

static void
keep_workspace(void *arg, const struct workspace *w)
{
	struct reader *reader = arg;
	struct ctx *c = reader->c;
	struct restore_present *now = present_of(reader, w);

	now->pages = word_of(c, w->id)[0] != '\0';
	now->analytics_enabled = w->analytics_enabled;
	now->analytics_origins = w->analytics_origins;
	now->embed_origins = w->embed_origins;
	now->notify_url = notify_url_of(c, w->id);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		article_list(c, w->id, (enum article_status)s, INT64_MAX, keep_article, reader);
}

static void
keep_deleted(void *arg, const struct workspace *w)
{
	struct restore_present *now = present_of(arg, w);

	now->deleted = true;
	now->pages = now->analytics_enabled = false;
	now->analytics_origins = now->embed_origins = now->notify_url = "";
}

static int
by_uuid(const void *a, const void *b)
{
	const struct restore_article *x = a, *y = b;

	return strcmp(x->uuid, y->uuid);
}

static void
sort(struct restore *r)
{
	if (r->present_count > 0)
		qsort(r->present, r->present_count, sizeof(*r->present), by_uuid);
}

void
restore_find_present(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r, NULL };

	r->present_count = 0;
	workspace_list(c, keep_workspace, &reader);
	workspace_list_deleted(c, keep_deleted, &reader);
	sort(r);
}

/* Notes whether the backup was made in the present timeline of the workspace:
 * there was no restore between them. This is asked once: later the copy has new
 * epochs. */
static void
note_timeline(struct restore *r, const struct workspace *w)
{
	struct restore_present *now = restore_present_of(r, w->uuid);

	if (now == NULL)
		return;
	now->same = strcmp(now->epoch, w->epoch) == 0;
	now->past = now->same || w->clock <= now->began_at;
}

static const struct restore_article *
find_present(const struct restore *r, const struct article *a)
{
	const struct restore_article key = { .uuid = a->uuid };

	return r->present_count == 0
		   ? NULL
		   : bsearch(&key, r->present, r->present_count, sizeof(*r->present), by_uuid);
}

/* Returns whether a missing article was purged. In another timeline it may be an
 * article that was created after the restored state. */
static bool
is_purged(const struct restore *r, const struct workspace *w, const struct article *a)
{
	const struct restore_present *now = restore_present_of(r, w->uuid);

	if (now == NULL)
		return false;
	return now->deleted || now->past ||
	       (a->status == ARTICLE_PUBLISHED && a->changed_at <= now->began_at);
}

/* Returns how an article of the backup is withdrawn now; NULL: it is not. A draft
 * without an edition was published later, in a future that a restore gave up. Of
 * a draft with an edition this is not known; it counts as withdrawn. */
static const char *
how_withdrawn(const struct restore *r, const struct workspace *w, const struct article *a)
{
	const struct restore_article *now = find_present(r, a);

	if (now == NULL)
		return is_purged(r, w, a) ? "purged" : NULL;
	if (now->status == ARTICLE_DELETED)
		return "in the trash";
	return a->status == ARTICLE_PUBLISHED && now->status == ARTICLE_DRAFT && now->version > 0
		   ? "unpublished"
		   : NULL;
}

static void
note_gone(struct reader *reader, const struct article *a)
{
	struct restore *r = reader->r;
	size_t size = sizeof(*r->gone);

	r->gone =
	    arena_grow(reader->c->arena, r->gone, r->gone_count * size, (r->gone_count + 1) * size);
	r->gone[r->gone_count++] = (struct restore_gone) { a->workspace_id, a->uuid };
}

static void
note_withdrawn(void *arg, const struct article *a)
{
	struct reader *reader = arg;
	struct restore *r = reader->r;
	size_t size = sizeof(*r->withdrawn);
	const char *how = how_withdrawn(r, reader->w, a);

	if (how == NULL)
		return;
	if (strcmp(how, "unpublished") != 0)
		note_gone(reader, a);
	if (a->status == ARTICLE_DELETED)
		return;
	r->withdrawn = arena_grow(reader->c->arena, r->withdrawn, r->withdrawn_count * size,
	    (r->withdrawn_count + 1) * size);
	r->withdrawn[r->withdrawn_count++] =
	    (struct restore_withdrawn) { reader->w, a->uuid, a->title, how };
}

static void
note_all(void *arg, const struct workspace *w)
{
	struct reader *reader = arg;
	struct workspace *mine = arena_alloc(reader->c->arena, sizeof(*mine));

	*mine = *w;
	reader->w = mine;
	if (!reader->r->withdraws)
		note_timeline(reader->r, w);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		article_list(
		    reader->c, w->id, (enum article_status)s, INT64_MAX, note_withdrawn, reader);
}

/* Withdraws an article. A purged one goes into the trash: the backup contains it. What was
 * a draft in the trash does not come out of it either, for its picture is served with it. */
static void
withdraw(struct ctx *c, const struct restore_withdrawn *it)
{
	struct workspace w = *it->workspace;
	struct article *a = article_find(c, w.id, it->uuid);
	struct err *err;

	if (a == NULL || a->status == ARTICLE_DELETED)
		return;
	if (strcmp(it->how, "unpublished") == 0)
		err = article_unpublish(c, &w, a);
	else
		err = article_delete(c, &w, a);
	/* The article is published, or a draft that goes into the trash: neither
	 * action refuses it. */
	(void)err;
}

void
restore_withdraw(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r, NULL };
	size_t first = r->withdrawn_count;

	if (r->as_it_was)
		return;
	r->gone_count = 0;
	workspace_list(c, note_all, &reader);
	r->withdraws = true;
	for (size_t i = first; i < r->withdrawn_count; i++)
		withdraw(c, &r->withdrawn[i]);
}
