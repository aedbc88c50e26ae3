/* Puts the pictures of a backup in place, but for those that are removed now
 * (restore.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/workspace.h"
#include "article/article-pictures.h"
#include "article/article.h"
#include "article/media.h"
#include "article/purge.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "store/db.h"
#include "system/instance.h"

#define PAGE 50 /* pictures of a workspace's list at a time */

struct reader {
	struct ctx *c;
	struct restore *r;
	bool any; /* a picture of the copy that the present instance has not */
};

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
keep_name(void *arg, const char *name)
{
	struct reader *reader = arg;
	struct restore *r = reader->r;
	size_t size = sizeof(*r->pictures_now);

	if (r->pictures_now_count == r->pictures_now_room) {
		size_t more = r->pictures_now_room == 0 ? 64 : 2 * r->pictures_now_room;
		r->pictures_now = arena_grow(
		    reader->c->arena, r->pictures_now, r->pictures_now_room * size, more * size);
		r->pictures_now_room = more;
	}
	r->pictures_now[r->pictures_now_count++] = name;
}

void
restore_find_pictures(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r, false };

	r->pictures_now_count = 0;
	media_list(c, keep_name, &reader);
	if (r->pictures_now_count > 0)
		qsort(r->pictures_now, r->pictures_now_count, sizeof(*r->pictures_now), by_name);
	r->present_known = true;
}

static bool
is_there_now(const struct restore *r, const char *name)
{
	return r->pictures_now_count > 0 && bsearch(&name, r->pictures_now, r->pictures_now_count,
						sizeof(*r->pictures_now), by_name) != NULL;
}

static void
look(void *arg, const char *name)
{
	struct reader *reader = arg;

	reader->any = reader->any || !is_there_now(reader->r, name);
}

/* ---- what would go if it were removed in the copy as it was in the present instance */

static void
purge(struct ctx *c, const struct restore_gone *gone, struct purge_media *media)
{
	struct workspace *w = workspace_of(c, gone->workspace_id);
	struct article *a = article_find(c, w->id, gone->uuid);
	struct err *err = NULL;

	if (a == NULL)
		return;
	if (a->status != ARTICLE_DELETED)
		err = article_delete(c, w, a);
	if (err == NULL)
		err = purge_article(c, w, a, media);
	/* Neither refuses an article that is, or was not, in the trash. */
	(void)err;
}

/* Removes from the list of a workspace what the present instance has removed there. */
static void
shorten_list(struct ctx *c, const struct restore *r, const struct restore_present *now,
    const struct workspace *w, struct purge_media *media)
{
	struct picture_row rows[PAGE], last;
	size_t count;

	count = picture_list_page(c, w->id, NULL, rows, PAGE);
	while (count > 0) {
		last = rows[count - 1];
		for (size_t i = 0; i < count; i++) {
			if (!now->deleted && is_there_now(r, rows[i].name))
				continue;
			(void)picture_list_remove(c, w->id, rows[i].digest);
			purge_media_add(media, rows[i].digest);
		}
		count = picture_list_page(c, w->id, &last, rows, PAGE);
	}
}

static void
remove_all(struct ctx *c, const struct restore *r, struct purge_media *media)
{
	for (size_t i = 0; i < r->gone_count; i++)
		purge(c, &r->gone[i], media);
	for (size_t i = 0; i < r->workspace_count; i++) {
		const struct restore_present *now = &r->workspaces[i];
		const struct workspace *w = workspace_find_uuid(c, now->uuid);
		/* In another timeline what is missing may be later than the restored state. */
		if (w == NULL || (!now->past && !now->deleted))
			continue;
		shorten_list(c, r, now, w, media);
		if (now->deleted)
			workspace_delete(c, w);
	}
	purge_rows(c, media);
}

static void
remove_one(struct ctx *c, struct restore *r, const char *name)
{
	size_t size = sizeof(*r->removed);

	(void)media_delete(c, media_digest_of(c, name));
	r->removed = arena_grow(
	    c->arena, r->removed, r->removed_count * size, (r->removed_count + 1) * size);
	r->removed[r->removed_count++] = name;
	if (r->placed && archive_has_name(&r->facts, name))
		unlink(media_path(c, name));
}

/* An article that was purged is in the trash of the copy, where it names its picture. So what
 * to remove is found by purging, which is then undone. */
void
restore_remove_pictures(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r, false };
	struct purge_media media;

	if (r->as_it_was || !r->present_known)
		return;
	media_list(c, look, &reader);
	if (!reader.any)
		return;
	purge_media_init(&media, c);
	db_mark(c);
	remove_all(c, r, &media);
	db_undo(c);
	for (size_t i = 0; i < media.count; i++) {
		if (media.files[i] != NULL && !is_there_now(r, media.files[i]))
			remove_one(c, r, media.files[i]);
	}
	picture_list_forget(c);
}

struct err *
restore_put_pictures(struct ctx *c, struct restore *r)
{
	const char *from;
	bool moved, any = false;

	for (size_t i = 0; i < r->removed_count; i++)
		unlink(arena_printf(c->arena, "%s/%s", r->room, r->removed[i]));
	for (int64_t i = 0; i < r->facts.media; i++) {
		from = arena_printf(c->arena, "%s/%s", r->room, r->facts.names[i]);
		moved = rename(from, media_path(c, r->facts.names[i])) == 0;
		if (!moved && errno != ENOENT)
			return refuse(c, ERR_INTERNAL, "%s: %s.", media_path(c, r->facts.names[i]),
			    strerror(errno));
		any = any || moved;
	}
	r->placed = true;
	(void)rmdir(r->room);
	if (any && !fileio_sync_folder(c->instance->media))
		return refuse(c, ERR_INTERNAL, "%s: %s.", c->instance->media, strerror(errno));
	return NULL;
}
