/* One workspace or one article comes back from a backup (workspace-file.h): out of the backup's
 * database as a file, and from there into this one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/pages-settings.h"
#include "access/sites.h"
#include "access/workspace.h"
#include "article/article-name.h"
#include "article/article-row.h"
#include "article/media.h"
#include "article/save.h"
#include "article/stored.h"
#include "backup/archive.h"
#include "backup/restore.h"
#include "backup/workspace-file.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "doctor/verify.h"
#include "job/scratch.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/work.h"

/* An article of this instance, in the workspace. */
struct here {
	char uuid[UUID_TEXT];
	enum article_status status;
};

struct coming {
	struct ctx *c;
	struct restore_one *one;
	struct arena *arena; /* lives as long as the work */
	struct restore r; /* the unpacked backup */
	const char *path; /* of the file */
	char uuid[UUID_TEXT]; /* of the workspace */
	char article[UUID_TEXT]; /* or "" */
	struct here *here; /* in the order of their ids */
	size_t count, room;
	size_t wanted; /* articles of the backup that come back */
	struct workspace_file written; /* of them */
	const struct workspace *w; /* of this instance, as it was when this began */
	bool deleted; /* it is */
	struct workspace *now; /* in the transaction of an article */
	struct article *a; /* the article here; NULL: it is made */
	bool passed; /* it does not come back */
	bool stopped; /* a refusal is not about one article */
};

static void
note(struct coming *o, const char ***list, size_t *count, const char *sentence)
{
	*list = arena_grow(o->arena, *list, *count * sizeof(**list), (*count + 1) * sizeof(**list));
	(*list)[(*count)++] = sentence;
}

static void
withhold(struct coming *o, const char *sentence)
{
	note(o, &o->one->withheld, &o->one->withheld_count, sentence);
}

static void
withhold_article(struct coming *o, const struct article *a, const char *how)
{
	withhold(o, arena_printf(o->arena, "Article %s (%s) is %s now and stays so", a->uuid,
			a->title, how));
}

/* ---- in the backup */

static struct err *
refuse_absent(struct ctx *c, const struct coming *o, const char *kind, const char *name)
{
	return refuse(c, ERR_NOT_FOUND, "There is no %s %s in %s.", kind, name, o->one->file);
}

static struct coming *
coming_of(struct restore *r)
{
	return r->arg;
}

/* Finds which workspace it is. */
static struct err *
find_there(struct ctx *c, struct restore *r)
{
	struct coming *o = coming_of(r);
	struct restore_one *one = o->one;
	const struct workspace *w;
	const struct article *a;
	bool many = false;

	db_begin_read(c, DB_CONTENT);
	if (one->article != NULL) {
		a = article_find(c, 0, one->article);
		if (a == NULL)
			return refuse_absent(c, o, "article", one->article);
		memcpy(o->article, a->uuid, UUID_TEXT);
		w = workspace_of(c, a->workspace_id);
	} else {
		w = workspace_find(c, one->workspace, &many);
		if (w == NULL)
			return refuse_absent(
			    c, o, many ? "single workspace" : "workspace", one->workspace);
	}
	memcpy(o->uuid, w->uuid, UUID_TEXT);
	return NULL;
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(((const struct here *)a)->uuid, ((const struct here *)b)->uuid);
}

/* Returns whether an article of the backup may come back, which is here with that status. */
static bool
may_come(struct coming *o, const struct article *a, bool here, enum article_status status)
{
	if (o->one->as_it_was)
		return true;
	if (here && status == ARTICLE_DELETED)
		withhold_article(o, a, "in the trash");
	else if (!here && o->article[0] == '\0')
		withhold_article(o, a, "purged");
	else
		return true;
	return false;
}

/* Returns whether an article of the backup comes back, as it seems before that begins. */
static bool
wants(void *arg, const struct article *a)
{
	struct coming *o = arg;
	struct here key = { .status = ARTICLE_DRAFT };
	const struct here *here;

	if (o->article[0] != '\0' && strcmp(o->article, a->uuid) != 0)
		return false;
	memcpy(key.uuid, a->uuid, UUID_TEXT);
	here = o->count == 0 ? NULL : bsearch(&key, o->here, o->count, sizeof(key), by_id);
	if (!may_come(o, a, here != NULL, here != NULL ? here->status : ARTICLE_DRAFT))
		return false;
	o->wanted++;
	return true;
}

static struct err *
write_there(struct ctx *c, struct restore *r)
{
	struct coming *o = coming_of(r);
	const struct workspace *w;

	db_begin_read(c, DB_CONTENT);
	w = workspace_find_uuid(c, o->uuid);
	db_rollback(c);
	if (w == NULL)
		return refuse_absent(c, o, "workspace", o->uuid);
	return workspace_export_some(c, o->one->work, w, o->path, r->room, wants, o, &o->written);
}

/* ---- in this instance */

static void
note_here(struct coming *o, const struct article *a)
{
	if (o->count == o->room) {
		size_t more = o->room == 0 ? 256 : 2 * o->room;
		o->here = arena_grow(
		    o->arena, o->here, o->room * sizeof(*o->here), more * sizeof(*o->here));
		o->room = more;
	}
	memcpy(o->here[o->count].uuid, a->uuid, UUID_TEXT);
	o->here[o->count++].status = a->status;
}

static const struct workspace *
find_deleted(struct ctx *c, const char *uuid)
{
	struct stmt *q = workspace_list_deleted(c);
	const struct workspace *w;

	while ((w = workspace_next(c, q)) != NULL) {
		if (strcmp(w->uuid, uuid) == 0)
			break;
	}
	db_reset(q);
	return w;
}

static struct err *
look_here(struct coming *o)
{
	struct ctx *c = o->c;
	struct article a;

	o->w = workspace_find_uuid(c, o->uuid);
	if (o->w == NULL && o->one->as_it_was && o->article[0] == '\0') {
		o->w = find_deleted(c, o->uuid);
		o->deleted = true;
	}
	if (o->w == NULL)
		return refuse(c, ERR_CONFLICT,
		    "The workspace %s is deleted in this instance and stays so, or never was in it. Nothing was changed.",
		    o->uuid);
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		for (struct stmt *q = article_list(c, o->w->id, (enum article_status)s, INT64_MAX);
		     article_next(q, &a);)
			note_here(o, &a);
	if (o->count > 0)
		qsort(o->here, o->count, sizeof(*o->here), by_id);
	o->one->uuid = o->w->uuid;
	o->one->name = o->w->settings.name;
	return NULL;
}

/* Leaves in a list of origins those that the other list has, too: what is closed stays closed. */
static const char *
common(struct ctx *c, const char *then, const char *now)
{
	const char *padded = arena_printf(c->arena, " %s ", now);
	struct buf out;
	size_t len;

	buf_init(&out, c->arena, strlen(then) + 1);
	for (; *then != '\0'; then += len + (then[len] != '\0')) {
		len = strcspn(then, " ");
		if (strstr(padded, arena_printf(c->arena, " %.*s ", (int)len, then)) != NULL)
			buf_printf(&out, "%s%.*s", out.len > 0 ? " " : "", (int)len, then);
	}
	return buf_done(&out);
}

static void
take_settings(struct coming *o, struct workspace *now, const struct workspace *then)
{
	struct settings settings = then->settings;

	settings.workspace_id = now->uuid;
	settings.public_url = now->settings.public_url;
	now->settings = settings;
	if (o->one->as_it_was) {
		now->analytics_enabled = then->analytics_enabled;
		now->analytics_origins = then->analytics_origins;
		now->embed_origins = then->embed_origins;
		return;
	}
	if (then->analytics_enabled && !now->analytics_enabled)
		withhold(o, "The analytics are off now and stay off");
	now->analytics_enabled = now->analytics_enabled && then->analytics_enabled;
	now->analytics_origins = common(o->c, then->analytics_origins, now->analytics_origins);
	now->embed_origins = common(o->c, then->embed_origins, now->embed_origins);
	if (strlen(now->analytics_origins) < strlen(then->analytics_origins) ||
	    strlen(now->embed_origins) < strlen(then->embed_origins))
		withhold(o, "Origins that were removed from the settings stay removed");
}

/* Begins a change of a workspace that is deleted, as look_here() has found it. */
static struct err *
begin_deleted(struct coming *o, struct workspace **now)
{
	struct ctx *c = o->c;
	const struct workspace *w;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	TRY(gate_pass(c));
	w = find_deleted(c, o->uuid);
	if (w == NULL || w->id != o->w->id || strcmp(w->epoch, o->w->epoch) != 0)
		return refuse(c, ERR_CONFLICT,
		    "The workspace came back, or the database was restored from a backup meanwhile; nothing was changed. Run it again.");
	workspace_undelete(c, w);
	*now = workspace_of(c, w->id);
	return NULL;
}

/* The settings come back with a workspace. */
static struct err *
workspace_comes(
    void *arg, const struct workspace *then, const char *time_zone, const char *const *look)
{
	struct coming *o = arg;
	struct ctx *c = o->c;
	struct workspace *now;

	if (o->article[0] != '\0')
		return NULL;
	TRY(o->deleted ? begin_deleted(o, &now) : workspace_begin_all(c, o->w, &now));
	take_settings(o, now, then);
	(void)workspace_update(c, now);
	time_zone_set(c, now->id, time_zone);
	for (size_t i = 0; pages_look_fields[i] != NULL; i++)
		pages_look_set(c, now->id, pages_look_fields[i], look[i]);
	db_commit(c);
	return NULL;
}

static struct err *
article_comes(void *arg, struct moved_article *m)
{
	struct coming *o = arg;
	struct ctx *c = o->c;
	struct article *elsewhere;
	const char *slug;

	o->passed = false;
	o->stopped = true;
	TRY(workspace_begin(c, o->w, &o->now));
	o->stopped = false;
	o->a = article_find(c, o->now->id, m->a.uuid);
	elsewhere = o->a == NULL ? article_find(c, 0, m->a.uuid) : NULL;
	if (elsewhere != NULL)
		return refuse(
		    c, ERR_CONFLICT, "The article %s is in another workspace now.", m->a.uuid);
	/* It may have gone since this began. */
	if (!may_come(o, &m->a, o->a != NULL, o->a != NULL ? o->a->status : ARTICLE_DRAFT)) {
		db_rollback(c);
		o->passed = true;
		return NULL;
	}
	/* Another article may have its slug by now. */
	TRY(name_choose_slug(
	    c, o->now->id, o->a != NULL ? o->a->id : 0, m->working.slug, true, &slug));
	TRY(moved_set_slug(c, m, &m->working, slug));
	if (o->a != NULL)
		return NULL;
	if (!o->one->as_it_was)
		m->a.status = ARTICLE_DRAFT;
	return moved_insert_article(c, o->now, m, 0);
}

static struct err *
edition_comes(void *arg, struct moved_article *m)
{
	struct coming *o = arg;
	const char *slug;

	if (o->passed)
		return NULL;
	/* Or the slug of the edition that is shown. */
	if (m->version == m->a.version && m->a.status == ARTICLE_PUBLISHED) {
		TRY(name_choose_slug(o->c, o->now->id, o->a != NULL ? o->a->id : m->a.id,
		    m->edition.slug, true, &slug));
		TRY(moved_set_slug(o->c, m, &m->edition, slug));
	}
	return o->a == NULL ? moved_insert_edition(o->c, o->now, m) : NULL;
}

/* Ends an article that is made. */
static struct err *
end_made(struct coming *o, struct moved_article *m)
{
	TRY(moved_insert_state(o->c, o->now, m));
	if (m->a.status == ARTICLE_DELETED)
		return NULL;
	return stored_write(
	    o->c, o->now, &m->a, m->a.status == ARTICLE_PUBLISHED ? &m->edition : &m->working);
}

/* The working copy of the backup takes the place of that which is there, which History keeps. */
static struct err *
take_copy(struct coming *o, struct moved_article *m)
{
	struct ctx *c = o->c;
	struct article before = *o->a;
	const struct snapshot *old = article_working_copy(c, o->a);
	bool changed;

	TRY(article_save(c, o->now, o->a, &m->working, false, &changed));
	if (changed)
		save_insert(c, &before, old, NULL, NULL);
	o->a->written = NULL;
	return NULL;
}

/* Shows what the backup shows, as a new edition, if the article is published or may be. Its dates
 * and its address are then those of the backup; what has none there keeps what it has. */
static struct err *
show_again(struct coming *o, struct moved_article *m)
{
	struct ctx *c = o->c;
	struct article *a = o->a;
	bool same =
	    a->version > 0 && memcmp(a->edition_digest, m->a.edition_digest, ARTICLE_DIGEST) == 0;
	bool whole = memcmp(m->next, m->a.edition_digest, ARTICLE_DIGEST) == 0;

	if (m->a.status != ARTICLE_PUBLISHED || (same && a->status == ARTICLE_PUBLISHED))
		return NULL;
	if (a->status != ARTICLE_PUBLISHED && !o->one->as_it_was) {
		withhold_article(o, a, "unpublished");
		return NULL;
	}
	TRY(same    ? article_publish_again(c, o->now, a)
	    : whole ? article_publish(c, o->now, a, 0, 0)
		    : article_publish_copy(c, o->now, a, &m->edition, m->a.edition_digest));
	o->one->published++;
	article_set_created_at(c, o->now, a, m->a.created_at);
	if (m->a.published_url != NULL)
		article_set_published_url(c, o->now, a, m->a.published_url);
	return NULL;
}

static struct err *
article_came(void *arg, struct moved_article *m)
{
	struct coming *o = arg;
	struct ctx *c = o->c;
	struct err *err = NULL;

	if (o->passed)
		return NULL;
	if (o->a == NULL) {
		err = end_made(o, m);
		o->one->published += err == NULL && m->a.status == ARTICLE_PUBLISHED;
	} else {
		if (o->a->status == ARTICLE_DELETED && m->a.status != ARTICLE_DELETED)
			err = article_undelete(c, o->now, o->a);
		if (err == NULL)
			err = take_copy(o, m);
		if (err == NULL)
			err = show_again(o, m);
	}
	if (err != NULL)
		return err;
	o->one->articles++;
	db_commit(c);
	(void)FAULT("article-back");
	return NULL;
}

/* An article that is refused stays as it is; unless it is the one that was named, others come. */
static struct err *
article_refused(void *arg, const struct moved_article *m, struct err *err)
{
	struct coming *o = arg;

	if (o->article[0] != '\0' || o->stopped || err->code == ERR_INTERNAL ||
	    err->code == ERR_UNAVAILABLE)
		return err;
	note(o, &o->one->failed, &o->one->failed_count,
	    arena_printf(o->arena, "Article %s stays as it is: %s",
		m->a.uuid != NULL ? m->a.uuid : "without an id", err->message));
	db_rollback(o->c);
	return NULL;
}

/* Names the pictures that are whole neither in the backup nor in this instance. */
static void
tell_pictures(struct coming *o)
{
	struct ctx *c = o->c;
	const char *fault;
	size_t len;

	for (size_t i = 0; i < o->written.damaged_count; i++) {
		const char *name = o->written.damaged[i].name;
		struct arena scratch;
		bool here;
		arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
		c->arena = &scratch;
		here = media_read(c, name, &len, &fault) != NULL;
		c->arena = o->arena;
		arena_release(&scratch);
		if (!here)
			note(o, &o->one->failed, &o->one->failed_count,
			    arena_printf(o->arena,
				"The picture %s is not in the backup, or damaged there, and was left out: import it again.",
				name));
	}
}

/* ---- the work */

static void
pass_over(void *arg, const struct verify *check)
{
	(void)arg;
	(void)check;
}

static struct err *
come_back(struct coming *o)
{
	struct ctx *c = o->c;
	const struct workspace_visitor visitor = { .workspace = workspace_comes,
		.article = article_comes,
		.edition = edition_comes,
		.end = article_came,
		.refused = article_refused,
		.arg = o };
	struct err *err;

	TRY(restore_unpack(c, &o->r, true, pass_over));
	TRY(restore_with_copy(c, &o->r, find_there));
	db_open(c, DB_WAIT_TOOL_MS);
	db_begin_read(c, DB_CONTENT);
	err = look_here(o);
	db_rollback(c);
	if (err != NULL)
		return err;
	TRY(restore_with_copy(c, &o->r, write_there));
	db_open(c, DB_WAIT_TOOL_MS);
	if (o->article[0] != '\0' && o->wanted == 0)
		return refuse(c, ERR_CONFLICT, "%s. Nothing was changed.", o->one->withheld[0]);
	tell_pictures(o);
	(void)FAULT("restore-looked-at");
	err = workspace_visit(c, o->one->work, o->path, &visitor);
	sites_write(c);
	return err;
}

struct err *
restore_one_run(struct ctx *c, struct restore_one *one)
{
	struct coming o = { .c = c, .one = one, .arena = c->arena };
	struct scratch scratch;
	const char *copy;
	struct err *err;

	TRY(archive_make_room(c, &scratch, &copy));
	o.r = (struct restore) { .work = one->work,
		.file = one->file,
		.arg = &o,
		.folder = scratch.path,
		.room = arena_printf(c->arena, "%s/media", scratch.path) };
	o.path = arena_printf(c->arena, "%s/workspace.tar", scratch.path);
	err = come_back(&o);
	scratch_remove(&scratch);
	return err;
}
