#include "article/purge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "article/desk/desk.h"
#include "article/edition.h"
#include "article/name.h"
#include "article/origin.h"
#include "article/desk/save.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "base/log.h"
#include "store/db.h"

#define HEX (MEDIA_DIGEST - 1)

void
purge_media_init(struct purge_media *m, struct ctx *c)
{
	*m = (struct purge_media){ .arena = c->arena };
}

static int
by_digest(const void *a, const void *b)
{
	return memcmp(a, b, HEX);
}

static char (*
find(struct purge_media *m, const char *digest))[MEDIA_DIGEST]
{
	if (m->count == 0)
		return NULL;
	return bsearch(digest, m->digests, m->count, sizeof(*m->digests),
	    by_digest);
}

static void
add(struct purge_media *m, const char *digest)
{
	size_t at = m->count;

	if (find(m, digest) != NULL)
		return;
	if (m->count == m->room) {
		size_t room = m->room == 0 ? 16 : 2 * m->room;
		m->digests = arena_grow(m->arena, m->digests,
		    m->room * sizeof(*m->digests),
		    room * sizeof(*m->digests));
		m->room = room;
	}
	for (; at > 0 && by_digest(m->digests[at - 1], digest) > 0; at--)
		memcpy(m->digests[at], m->digests[at - 1], MEDIA_DIGEST);
	memcpy(m->digests[at], digest, HEX);
	m->digests[at][HEX] = '\0';
	m->count++;
}

static void
add_name(void *arg, const char *name)
{
	add(arg, name);
}

void
purge_media_add_all(struct purge_media *m, struct ctx *c)
{
	media_list(c, add_name, m);
}

static void
drop(struct purge_media *m, const char *digest)
{
	char (*found)[MEDIA_DIGEST] = find(m, digest);
	size_t after;

	if (found == NULL)
		return;
	after = m->count - 1 - (size_t)(found - m->digests);
	memmove(found, found + 1, after * sizeof(*found));
	m->count--;
}

static bool
is_digest(const char *text)
{
	size_t i = 0;

	while (i < HEX && strchr("0123456789abcdef", text[i]) != NULL &&
	    text[i] != '\0')
		i++;
	return i == HEX;
}

/* Calls `each` for everything in a text that may be the digest of a picture: in
 * its short name (media:…) and in its address (…/media/…) it follows the word
 * "media". */
static void
digests_in(const char *text, size_t len, struct purge_media *m,
    void (*each)(struct purge_media *m, const char *digest))
{
	const char *end = text + len;

	while ((text = memmem(text, (size_t)(end - text), "media", 5)) !=
	    NULL) {
		text += 5;
		if ((size_t)(end - text) > HEX &&
		    (*text == ':' || *text == '/') && is_digest(text + 1))
			each(m, text + 1);
	}
}

/* Calls digests_in() for the texts of all rows and columns. */
static void
digests_of(struct stmt *q, int columns, struct purge_media *m,
    void (*each)(struct purge_media *m, const char *digest))
{
	const char *text;
	size_t len;

	while (db_row(q)) {
		for (int i = 0; i < columns; i++) {
			text = db_bytes(q, i, &len);
			if (text != NULL)
				digests_in(text, len, m, each);
		}
	}
}

/* Collects the digests of all pictures that the article's working copy and
 * editions and saves name. */
static void
collect(struct ctx *c, const struct article *a, struct purge_media *m)
{
	struct stmt *q = db_prepare(c, "SELECT image, content FROM article"
	    " WHERE id = :id AND workspace_id = :workspace");

	db_bind_int(q, ":id", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	digests_of(q, 2, m, add);
	q = db_prepare(c, "SELECT image, content FROM edition"
	    " WHERE article_id = :article");
	db_bind_int(q, ":article", a->id);
	digests_of(q, 2, m, add);
	q = db_prepare(c, "SELECT image, content FROM save"
	    " WHERE article_id = :article");
	db_bind_int(q, ":article", a->id);
	digests_of(q, 2, m, add);
}

struct err *
purge_article(struct ctx *c, const struct workspace *w,
    const struct article *a, struct purge_media *media)
{
	struct stmt *q;

	if (a->status != ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT,
		    tr_mark("%s is not in the trash: say galley article delete %s"
		    " first."), a->title, a->uuid);
	collect(c, a, media);
	stored_delete(c, a);
	origin_delete(c, a);
	name_drop_all(c, w->id, a->id);
	edition_delete(c, a);
	desk_delete(c, a);
	save_delete(c, a);
	/* The scan looks for names that would be left without their article. An
	 * index for it would cost every request. */
	q = db_prepare(c, "DELETE FROM article"
	    " WHERE id = :id AND workspace_id = :workspace /*scan*/");
	db_bind_int(q, ":id", a->id);
	db_bind_int(q, ":workspace", w->id);
	db_run(q);
	(void)FAULT("article-purged");
	return NULL;
}

/* Keeps only the digests that no article, edition, save or workspace names. */
static void
keep_unused(struct ctx *c, struct purge_media *m)
{
	if (m->count > 0)
		digests_of(db_prepare(c, "SELECT image, content FROM article"
		    " /*scan*/"), 2, m, drop);
	if (m->count > 0)
		digests_of(db_prepare(c, "SELECT image, content FROM edition"
		    " /*scan*/"), 2, m, drop);
	if (m->count > 0)
		digests_of(db_prepare(c, "SELECT image, content FROM save"
		    " /*scan*/"), 2, m, drop);
	if (m->count > 0)
		digests_of(db_prepare(c, "SELECT publisher_logo_url"
		    " FROM workspace /*scan*/"), 1, m, drop);
}

void
purge_rows(struct ctx *c, struct purge_media *m)
{
	keep_unused(c, m);
	m->files = arena_array(m->arena, m->count + 1, sizeof(*m->files));
	for (size_t i = 0; i < m->count; i++)
		m->files[i] = media_delete(c, m->digests[i]);
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
		die("%s/media.lock: %s; what was destroyed leaves its pictures"
		    " in %s", c->instance->run, strerror(errno),
		    c->instance->media);
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	for (size_t i = 0; i < m->count; i++) {
		if (m->files[i] != NULL && media_remove(c, m->files[i]))
			gone++;
	}
	db_commit(c);
	filelock_release(held);
	return gone;
}
