#include "article/purge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "article/article-name.h"
#include "article/article-pictures.h"
#include "article/article-row.h"
#include "article/desk.h"
#include "article/listed.h"
#include "article/save.h"
#include "article/stored.h"
#include "article/text-room.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "store/hosts.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"

#define HEX (MEDIA_DIGEST - 1)

void
purge_media_init(struct purge_media *m, struct ctx *c)
{
	*m = (struct purge_media) { .arena = c->arena };
}

static int
by_digest(const void *a, const void *b)
{
	return memcmp(a, b, HEX);
}

static char (*find(struct purge_media *m, const char *digest))[MEDIA_DIGEST]
{
	if (m->count == 0)
		return NULL;
	return bsearch(digest, m->digests, m->count, sizeof(*m->digests), by_digest);
}

static void
add(void *arg, const char *digest)
{
	struct purge_media *m = arg;
	size_t at = m->count;

	if (find(m, digest) != NULL)
		return;
	if (m->count == m->room) {
		size_t room = m->room == 0 ? 16 : 2 * m->room;
		m->digests = arena_grow(m->arena, m->digests, m->room * sizeof(*m->digests),
		    room * sizeof(*m->digests));
		m->room = room;
	}
	for (; at > 0 && by_digest(m->digests[at - 1], digest) > 0; at--)
		memcpy(m->digests[at], m->digests[at - 1], MEDIA_DIGEST);
	memcpy(m->digests[at], digest, HEX);
	m->digests[at][HEX] = '\0';
	m->count++;
}

void
purge_media_add(struct purge_media *m, const char *digest)
{
	add(m, digest);
}

void
purge_media_add_all(struct purge_media *m, struct ctx *c)
{
	media_list(c, add, m);
}

static void
drop(void *arg, const char *digest)
{
	struct purge_media *m = arg;
	char(*found)[MEDIA_DIGEST] = find(m, digest);
	size_t after;

	if (found == NULL)
		return;
	after = m->count - 1 - (size_t)(found - m->digests);
	memmove(found, found + 1, after * sizeof(*found));
	m->count--;
}

/* Calls `each` for what the texts of all rows and columns may name. */
static void
digests_of(
    struct stmt *q, int columns, struct purge_media *m, void (*each)(void *m, const char *digest))
{
	const char *text;
	size_t len;

	while (db_row(q)) {
		for (int i = 0; i < columns; i++) {
			text = db_bytes(q, i, &len);
			if (text != NULL)
				picture_use_in(text, len, each, m);
		}
	}
}

/* Collects the digests of all pictures that the article's working copy and
 * editions and saves name. */
static void
collect(struct ctx *c, const struct article *a, struct purge_media *m)
{
	struct stmt *q = db_prepare(c,
	    "SELECT image, content FROM article WHERE id = :id AND workspace_id = :workspace"
	    " UNION ALL SELECT image, content FROM edition WHERE article_id = :id"
	    " UNION ALL SELECT image, content FROM save WHERE article_id = :id /*many*/",
	    db_i(":id", a->id), db_i(":workspace", a->workspace_id));

	digests_of(q, 2, m, add);
}

struct err *
purge_article(
    struct ctx *c, const struct workspace *w, const struct article *a, struct purge_media *media)
{
	if (a->status != ARTICLE_DELETED)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, tr_mark("%s is not in the trash."), a->title),
		    HINT_ARTICLE_DELETE, a->uuid);
	collect(c, a, media);
	stored_delete(c, a);
	origin_delete(c, a);
	name_drop_all(c, w->id, a->id);
	edition_delete(c, a);
	desk_end(c, a);
	desk_delete(c, a);
	picture_use_delete(c, a->id);
	listed_delete(c, a->id);
	save_delete(c, a);
	/* The scan looks for names that would be left without their article. An
	 * index for it would cost every request. */
	db_run(c, "DELETE FROM article WHERE id = :id AND workspace_id = :workspace /*scan*/",
	    db_i(":id", a->id), db_i(":workspace", w->id));
	text_room_freed(c);
	(void)FAULT("article-purged");
	return NULL;
}

/* Drops the digests that an article, an edition or a save names. */
static void
drop_named(struct ctx *c, struct purge_media *m)
{
	if (m->count > 0)
		digests_of(db_prepare(c, "SELECT image, content FROM article /*scan*/ /*many*/"), 2,
		    m, drop);
	if (m->count > 0)
		digests_of(db_prepare(c, "SELECT image, content FROM edition /*scan*/ /*many*/"), 2,
		    m, drop);
	if (m->count > 0)
		digests_of(
		    db_prepare(c, "SELECT image, content FROM save /*scan*/ /*many*/"), 2, m, drop);
}

/* Drops those that a workspace names, or that somebody uploaded. */
static void
drop_listed(struct ctx *c, struct purge_media *m)
{
	if (m->count > 0)
		digests_of(
		    db_prepare(c, "SELECT publisher_logo_url FROM workspace /*scan*/"), 1, m, drop);
	if (m->count > 0)
		digests_of(db_prepare(c, "SELECT 'media:' || digest FROM picture"
					 " WHERE person IS NOT NULL /*scan*/ /*many*/"),
		    1, m, drop);
}

/* ---- what was looked at before the transaction */

static struct purge_last
last_of(struct stmt *q)
{
	struct purge_last last = { .id = 0 };

	if (db_row(q))
		last = (struct purge_last) { db_int(q, 0), db_int(q, 1) };
	db_reset(q);
	return last;
}

static struct purge_last
last_edition(struct ctx *c)
{
	return last_of(
	    db_prepare(c, "SELECT id, article_id FROM edition ORDER BY id DESC LIMIT 1 /*scan*/"));
}

static struct purge_last
last_save(struct ctx *c)
{
	return last_of(
	    db_prepare(c, "SELECT id, article_id FROM save ORDER BY id DESC LIMIT 1 /*scan*/"));
}

void
purge_look(struct ctx *c, struct purge_media *m)
{
	drop_named(c, m);
	m->edition = last_edition(c);
	m->save = last_save(c);
	m->looked = true;
}

/* Returns whether what was written since then has a greater id than the rows that were looked
 * at: an id comes back only where the last row was purged. A row that is still there is no other
 * one of the same id: an article whose rows were purged does not come back. */
static bool
are_later_ones_behind(struct ctx *c, const struct purge_media *m)
{
	const struct purge_last *e = &m->edition, *s = &m->save;

	return (e->id == 0 ||
		   db_exists(c, "SELECT 1 FROM edition WHERE id = :id AND article_id = :article",
		       db_i(":id", e->id), db_i(":article", e->article_id))) &&
	       (s->id == 0 ||
		   db_exists(c, "SELECT 1 FROM save WHERE id = :id AND article_id = :article",
		       db_i(":id", s->id), db_i(":article", s->article_id)));
}

/* Drops those that an article, an edition or a save names since then. */
static void
drop_named_since(struct ctx *c, struct purge_media *m)
{
	struct stmt *q;

	for (size_t i = m->count; i-- > 0;) {
		if (picture_use_is_known(c, m->digests[i]))
			drop(m, m->digests[i]);
	}
	q = db_prepare(c, "SELECT image, content FROM edition WHERE id > :id /*many*/",
	    db_i(":id", m->edition.id));
	digests_of(q, 2, m, drop);
	q = db_prepare(
	    c, "SELECT image, content FROM save WHERE id > :id /*many*/", db_i(":id", m->save.id));
	digests_of(q, 2, m, drop);
}

void
purge_rows(struct ctx *c, struct purge_media *m)
{
	if (m->count > 0)
		db_pictures_hold(c, true);
	/* With several writers a row of a smaller id may come later. */
	if (m->looked && !db_has_hosts() && are_later_ones_behind(c, m))
		drop_named_since(c, m);
	else
		drop_named(c, m);
	drop_listed(c, m);
	m->files = arena_array(m->arena, m->count + 1, sizeof(*m->files));
	for (size_t i = 0; i < m->count; i++)
		m->files[i] = media_delete(c, m->digests[i]);
	if (m->count > 0)
		picture_list_forget(c);
}

size_t
purge_files(struct ctx *c, struct purge_media *m)
{
	size_t gone = 0;
	int held;

	(void)FAULT("purge-committed");
	if (m->count == 0)
		return 0;
	held = media_hold(c, true);
	if (held < 0)
		die("%s/media.lock: %s; what was destroyed leaves its pictures in %s",
		    c->instance->run, strerror(errno), c->instance->media);
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	/* The change passed the gate; this ends it. */
	gate_skip(c);
	for (size_t i = 0; i < m->count; i++) {
		if (m->files[i] != NULL && media_remove(c, m->files[i]))
			gone++;
	}
	db_commit(c);
	filelock_release(held);
	return gone;
}
