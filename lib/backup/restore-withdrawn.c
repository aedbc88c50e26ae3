/* Keeps articles that are withdrawn now withdrawn in the restored state
 * (restore.h). */
#include <stdlib.h>
#include <string.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "backup/restore.h"

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
		    r->present_room * sizeof(*r->present),
		    more * sizeof(*r->present));
		r->present_room = more;
	}
	r->present[r->present_count++] =
	    (struct restore_article) { a->uuid, a->status, a->version };
}

/* Keeps a workspace's epoch. A known workspace keeps what note_timeline() found. */
static void
keep_epoch(struct reader *reader, const struct workspace *w)
{
	struct restore *r = reader->r;
	size_t size = sizeof(*r->epochs);

	for (size_t i = 0; i < r->epoch_count; i++) {
		if (strcmp(r->epochs[i].workspace, w->uuid) == 0)
			return;
	}
	r->epochs = arena_grow(reader->c->arena, r->epochs,
	    r->epoch_count * size, (r->epoch_count + 1) * size);
	r->epochs[r->epoch_count++] = (struct restore_epoch) { w->uuid,
		w->epoch, workspace_began_at(reader->c, w), false };
}

static void
keep_workspace(void *arg, const struct workspace *w)
{
	struct reader *reader = arg;

	keep_epoch(reader, w);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		article_list(reader->c, w->id, (enum article_status)s,
		    INT64_MAX, keep_article, reader);
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
		qsort(
		    r->present, r->present_count, sizeof(*r->present), by_uuid);
}

void
restore_find_present(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r, NULL };

	r->present_count = 0;
	workspace_list(c, keep_workspace, &reader);
	sort(r);
}

/* Notes whether the backup was made in the present timeline of the workspace:
 * there was no restore between them. This is asked once: later the copy has new
 * epochs. */
static void
note_timeline(struct restore *r, const struct workspace *w)
{
	for (size_t i = 0; i < r->epoch_count; i++) {
		struct restore_epoch *e = &r->epochs[i];
		if (strcmp(e->workspace, w->uuid) == 0)
			e->same = strcmp(e->epoch, w->epoch) == 0;
	}
}

/* Returns whether a missing article was purged. In another timeline it may be an
 * article that was created after the restored state. */
static bool
is_purged(
    const struct restore *r, const struct workspace *w, const struct article *a)
{
	for (size_t i = 0; i < r->epoch_count; i++) {
		const struct restore_epoch *e = &r->epochs[i];
		if (strcmp(e->workspace, w->uuid) == 0)
			return e->same || a->changed_at <= e->began_at;
	}
	return false;
}

/* Returns whether an article that the backup publishes is withdrawn now. A draft
 * without an edition was published later, in a future that a restore gave up. Of
 * a draft with an edition this is not known; it counts as withdrawn. */
static bool
is_withdrawn(struct reader *reader, const struct article *a, const char **how)
{
	const struct restore *r = reader->r;
	const struct restore_article key = { .uuid = a->uuid }, *now = NULL;

	if (r->present_count > 0)
		now = bsearch(&key, r->present, r->present_count,
		    sizeof(*r->present), by_uuid);
	*how = now == NULL		      ? "purged"
	       : now->status == ARTICLE_DRAFT ? "unpublished"
					      : "in the trash";
	if (now == NULL)
		return is_purged(r, reader->w, a);
	return now->status == ARTICLE_DELETED ||
	       (now->status == ARTICLE_DRAFT && now->version > 0);
}

static void
note_withdrawn(void *arg, const struct article *a)
{
	struct reader *reader = arg;
	struct restore *r = reader->r;
	size_t size = sizeof(*r->withdrawn);
	const char *how;

	if (!is_withdrawn(reader, a, &how))
		return;
	r->withdrawn = arena_grow(reader->c->arena, r->withdrawn,
	    r->withdrawn_count * size, (r->withdrawn_count + 1) * size);
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
	article_list(reader->c, w->id, ARTICLE_PUBLISHED, INT64_MAX,
	    note_withdrawn, reader);
}

/* Withdraws an article. A purged one goes into the trash: the backup contains it. */
static void
withdraw(struct ctx *c, const struct restore_withdrawn *it)
{
	struct workspace w = *it->workspace;
	struct article *a = article_find(c, w.id, it->uuid);
	struct err *err;

	if (a == NULL || a->status != ARTICLE_PUBLISHED)
		return;
	if (strcmp(it->how, "unpublished") == 0)
		err = article_unpublish(c, &w, a);
	else
		err = article_delete(c, &w, a);
	/* The article is published, and neither action refuses a published
	 * article. */
	(void)err;
}

void
restore_withdraw(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r, NULL };
	size_t first = r->withdrawn_count;

	if (r->as_it_was)
		return;
	workspace_list(c, note_all, &reader);
	r->withdraws = true;
	for (size_t i = first; i < r->withdrawn_count; i++)
		withdraw(c, &r->withdrawn[i]);
}
