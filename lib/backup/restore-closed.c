/* What is closed in the present instance stays closed in the restored one (restore.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "article/article-pictures.h"
#include "article/article.h"
#include "article/media.h"
#include "article/purge.h"
#include "article/thumbs.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "content/origin.h"
#include "notify/notify-url.h"
#include "store/db.h"
#include "system/instance.h"

/* ---- articles that are withdrawn now stay withdrawn */

struct reader {
	struct ctx *c;
	struct restore *r;
	const struct workspace *w;
};

static void
keep_article(struct reader *reader, const struct article *a)
{
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
keep_workspace(struct reader *reader, const struct workspace *w)
{
	struct ctx *c = reader->c;
	struct restore_present *now = present_of(reader, w);
	struct article a;

	now->pages = word_of(c, w->id)[0] != '\0';
	now->analytics_enabled = w->analytics_enabled;
	now->analytics_origins = w->analytics_origins;
	now->embed_origins = w->embed_origins;
	now->notify_url = notify_url_of(c, w->id);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		for (struct stmt *q = article_list(c, w->id, (enum article_status)s, INT64_MAX);
		     article_next(q, &a);)
			keep_article(reader, &a);
}

static void
keep_deleted(struct reader *reader, const struct workspace *w)
{
	struct restore_present *now = present_of(reader, w);

	now->deleted = true;
	now->pages = now->analytics_enabled = false;
	now->analytics_origins = now->embed_origins = now->notify_url = "";
}

static int
by_article_uuid(const void *a, const void *b)
{
	const struct restore_article *x = a, *y = b;

	return strcmp(x->uuid, y->uuid);
}

void
restore_find_present(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r, NULL };
	const struct workspace *w;

	r->present_count = 0;
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		keep_workspace(&reader, w);
	for (struct stmt *q = workspace_list_deleted(c); (w = workspace_next(c, q)) != NULL;)
		keep_deleted(&reader, w);
	if (r->present_count > 0)
		qsort(r->present, r->present_count, sizeof(*r->present), by_article_uuid);
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

	return r->present_count == 0 ? NULL
				     : bsearch(&key, r->present, r->present_count,
					   sizeof(*r->present), by_article_uuid);
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
note_withdrawn(struct reader *reader, const struct article *a)
{
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
note_all(struct reader *reader, struct workspace *w)
{
	struct article a;

	reader->w = w;
	if (!reader->r->withdraws)
		note_timeline(reader->r, w);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		for (struct stmt *q =
			 article_list(reader->c, w->id, (enum article_status)s, INT64_MAX);
		     article_next(q, &a);)
			note_withdrawn(reader, &a);
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
	struct workspace *w;

	if (r->as_it_was)
		return;
	r->gone_count = 0;
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		note_all(&reader, w);
	r->withdraws = true;
	for (size_t i = first; i < r->withdrawn_count; i++)
		withdraw(c, &r->withdrawn[i]);
}

/* ---- keys that are revoked, and accounts that are suspended, stay so */

struct ending {
	struct ctx *c;
	struct restore *r;
};

static void
keep_key(void *arg, const struct apikey *key)
{
	struct ending *ending = arg;
	struct restore *r = ending->r;
	size_t size = sizeof(*r->keys);

	if (key->revoked_at == 0 && key->expires_at == 0)
		return;
	r->keys =
	    arena_grow(ending->c->arena, r->keys, r->key_count * size, (r->key_count + 1) * size);
	r->keys[r->key_count++] =
	    (struct restore_key) { key->uuid, key->revoked_at != 0, key->expires_at };
}

void
restore_find_ended(struct ctx *c, struct restore *r)
{
	struct ending ending = { c, r };
	size_t size = sizeof(*r->suspended);
	const struct account *account;

	r->key_count = r->suspended_count = 0;
	apikey_list_all(c, keep_key, &ending);
	for (struct stmt *q = account_list(c); (account = account_next(c, q)) != NULL;) {
		if (!account->suspended)
			continue;
		r->suspended = arena_grow(c->arena, r->suspended, r->suspended_count * size,
		    (r->suspended_count + 1) * size);
		r->suspended[r->suspended_count++] = account->uuid;
	}
}

static void
note_key(struct ctx *c, struct restore *r, const struct apikey *key, bool revoked)
{
	size_t size = sizeof(*r->ended);

	r->ended =
	    arena_grow(c->arena, r->ended, r->ended_count * size, (r->ended_count + 1) * size);
	r->ended[r->ended_count++] = (struct restore_ended) { key->uuid, key->label, key->display,
		workspace_of(c, key->workspace_id)->settings.name, revoked };
}

/* Ends a key. An expiry moves to a sooner time only when another key replaces the
 * key. */
static void
end_key(struct ctx *c, struct restore *r, const struct restore_key *now)
{
	struct apikey *key = apikey_find(c, now->uuid);

	if (key == NULL || key->revoked_at != 0)
		return;
	if (now->revoked) {
		apikey_revoke(c, key->id);
		note_key(c, r, key, true);
	} else if (key->expires_at == 0 || key->expires_at > now->expires_at) {
		apikey_expire(c, key, now->expires_at);
		note_key(c, r, key, false);
	}
}

static void
suspend(struct ctx *c, struct restore *r, const char *uuid)
{
	bool many = false;
	struct account *account = account_find(c, uuid, &many);
	size_t size = sizeof(*r->suspended_again);

	if (account == NULL || account->suspended)
		return;
	account->suspended = true;
	account_update(c, account);
	r->suspended_again = arena_grow(c->arena, r->suspended_again,
	    r->suspended_again_count * size, (r->suspended_again_count + 1) * size);
	r->suspended_again[r->suspended_again_count++] = account->name;
}

void
restore_end_again(struct ctx *c, struct restore *r)
{
	for (size_t i = 0; i < r->key_count; i++)
		end_key(c, r, &r->keys[i]);
	for (size_t i = 0; i < r->suspended_count; i++)
		suspend(c, r, r->suspended[i]);
}

/* ---- what workspaces have closed stays closed */

/* What of a workspace of the copy is closed. */
struct closing {
	struct ctx *c;
	struct restore *r;
	struct workspace *w;
	bool changed; /* w, in memory */
};

static void
note_closed(struct closing *it, const char *what, const char *was)
{
	struct restore *r = it->r;
	size_t size = sizeof(*r->closed);

	r->closed = arena_grow(
	    it->c->arena, r->closed, r->closed_count * size, (r->closed_count + 1) * size);
	r->closed[r->closed_count++] =
	    (struct restore_closed) { it->w->uuid, it->w->settings.name, what, was };
}

/* A deleted workspace comes back, with everything closed. That is told once. */
static void
note_deleted(struct closing *it)
{
	const struct restore *r = it->r;

	for (size_t i = 0; i < r->closed_count; i++) {
		if (strcmp(r->closed[i].workspace, it->w->uuid) == 0 &&
		    strcmp(r->closed[i].what, "workspace") == 0)
			return;
	}
	note_closed(it, "workspace", "");
}

static bool
has_word(const char *list, const char *word, size_t len)
{
	for (size_t next; *list != '\0'; list += next + (list[next] != '\0')) {
		next = strcspn(list, " ");
		if (next == len && memcmp(list, word, len) == 0)
			return true;
	}
	return false;
}

/* Leaves in a list of origins those that the other list has, too. Both are compared in the form of
 * browsers: an earlier release stored others. */
static void
close_origins(
    struct closing *it, const char *what, const char **list, const char *other, bool local)
{
	struct arena *a = it->c->arena;
	const char *then = origin_clean_list(a, *list, local);
	const char *now = origin_clean_list(a, other, local);
	struct buf kept, out;
	size_t len;

	buf_init(&kept, a, strlen(then) + 1);
	buf_init(&out, a, strlen(then) + 1);
	for (const char *p = then; *p != '\0'; p += len + (p[len] != '\0')) {
		struct buf *to;
		len = strcspn(p, " ");
		to = has_word(now, p, len) ? &kept : &out;
		buf_printf(to, "%s%.*s", to->len > 0 ? " " : "", (int)len, p);
	}
	if (out.len == 0)
		return;
	note_closed(it, what, buf_done(&out));
	*list = kept.len > 0 ? buf_done(&kept) : "";
	it->changed = true;
}

static void
close_settings(struct closing *it, const struct restore_present *now)
{
	struct workspace *w = it->w;

	if (w->analytics_enabled && !now->analytics_enabled) {
		note_closed(it, "analytics_enabled", "on");
		w->analytics_enabled = false;
		it->changed = true;
	}
	close_origins(
	    it, "analytics_origins", &w->analytics_origins, now->analytics_origins, false);
	close_origins(it, "embed_origins", &w->embed_origins, now->embed_origins, true);
	if (it->changed)
		(void)workspace_update(it->c, w);
}

static void
close_workspace(struct closing *it, const struct restore_present *now)
{
	struct ctx *c = it->c;
	const char *word = word_of(c, it->w->id), *url = notify_url_of(c, it->w->id);
	struct err *err;

	if (now->deleted)
		note_deleted(it);
	if (word[0] != '\0' && !now->pages) {
		err = word_set(c, it->w, "", false);
		if (err == NULL) /* no word is always right */
			note_closed(it, "pages", word);
	}
	if (url[0] != '\0' && strcmp(url, now->notify_url) != 0) {
		note_closed(it, "notify_url", url);
		notify_set_url(c, it->w->id, "");
	}
	close_settings(it, now);
}

void
restore_close(struct ctx *c, struct restore *r)
{
	if (r->as_it_was)
		return;
	for (size_t i = 0; i < r->workspace_count; i++) {
		struct closing it = { .c = c, .r = r };
		it.w = workspace_find_uuid(c, r->workspaces[i].uuid);
		if (it.w != NULL)
			close_workspace(&it, &r->workspaces[i]);
	}
}

const char *
restore_ended_text(struct ctx *c, const struct restore_ended *key)
{
	return arena_printf(c->arena, "The key %s%s%s of %s stays %s", key->label,
	    key->label[0] != '\0' ? " " : "", key->display, key->workspace,
	    key->revoked ? "revoked" : "replaced");
}

const char *
restore_closed_text(struct ctx *c, const struct restore_closed *it)
{
	if (strcmp(it->what, "workspace") == 0)
		return arena_printf(c->arena,
		    "The workspace %s (%s) is deleted now: it is back with everything closed, and what it had published is in the trash",
		    it->name, it->workspace);
	if (strcmp(it->what, "pages") == 0)
		return arena_printf(c->arena,
		    "The pages of %s (%s) are off now and stay off; in the backup they had the word %s",
		    it->name, it->workspace, it->was);
	if (strcmp(it->what, "analytics_enabled") == 0)
		return arena_printf(c->arena, "Analytics of %s (%s) are off now and stay off",
		    it->name, it->workspace);
	return arena_printf(c->arena, "%s of %s (%s) stays without %s, which it had in the backup",
	    it->what, it->name, it->workspace, it->was);
}

/* ---- pictures that are removed now stay removed */

#define PAGE 50 /* pictures of a workspace's list at a time */

struct looking {
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
keep_picture(void *arg, const char *name)
{
	struct looking *looking = arg;
	struct restore *r = looking->r;
	size_t size = sizeof(*r->pictures_now);

	if (r->pictures_now_count == r->pictures_now_room) {
		size_t more = r->pictures_now_room == 0 ? 64 : 2 * r->pictures_now_room;
		r->pictures_now = arena_grow(
		    looking->c->arena, r->pictures_now, r->pictures_now_room * size, more * size);
		r->pictures_now_room = more;
	}
	r->pictures_now[r->pictures_now_count++] = name;
}

void
restore_find_pictures(struct ctx *c, struct restore *r)
{
	struct looking looking = { c, r, false };

	r->pictures_now_count = 0;
	media_list(c, keep_picture, &looking);
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
look_in_copy(void *arg, const char *name)
{
	struct looking *looking = arg;

	looking->any = looking->any || !is_there_now(looking->r, name);
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
	if (r->placed && archive_has_name(&r->facts, name)) {
		thumb_remove(c, name);
		unlink(media_path(c, name));
	}
}

/* An article that was purged is in the trash of the copy, where it names its picture. So what
 * to remove is found by purging, which is then undone. */
void
restore_remove_pictures(struct ctx *c, struct restore *r)
{
	struct looking looking = { c, r, false };
	struct purge_media media;

	if (r->as_it_was || !r->present_known)
		return;
	media_list(c, look_in_copy, &looking);
	if (!looking.any)
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
