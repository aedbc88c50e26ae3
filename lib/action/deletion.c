#include "action/deletion.h"

#include <inttypes.h>
#include <string.h>

#include "access/apikey.h"
#include "access/sites.h"
#include "action/action.h"
#include "article/article.h"
#include "article/desk/picture-list.h"
#include "article/desk/share.h"
#include "article/purge.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "tell/notify.h"
#include "web/kept/kept-room.h"

#define SLICE 50 /* articles that are destroyed in one transaction */
#define SLICE_MEMORY ((size_t)1 << 30)

/* Keys and everything that the workspace shows are changed at once. */
static const struct action_scope scope = { .change = DB_CHANGES_ALL };

struct slice {
	struct ctx *c;
	struct article *articles[SLICE]; /* the articles to destroy next */
	size_t count;
};

static int64_t
count_articles(struct ctx *c, const struct workspace *w)
{
	int64_t count = 0;

	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		count += article_count(c, w->id, s);
	return count;
}

struct err *
deletion_find(struct ctx *c, const struct find_place *place, struct deletion *d)
{
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_workspace(c, place, &d->workspace);
	if (err == NULL) {
		d->account = account_of(c, d->workspace->account_id);
		d->found = count_articles(c, d->workspace);
	}
	return action_end(c, err);
}

struct closing {
	struct ctx *c;
	struct deletion *d;
};

static void
keep_job(void *arg, const struct job *job)
{
	struct closing *closing = arg;
	struct deletion *d = closing->d;

	d->jobs = arena_grow(closing->c->arena, d->jobs, d->job_count * sizeof(*d->jobs),
	    (d->job_count + 1) * sizeof(*d->jobs));
	d->jobs[d->job_count++] = job->uuid;
	d->credits += job->reserved_credits;
	if (d->cancelled != NULL)
		d->cancelled(d->arg, job->uuid);
}

static void
close_off(struct ctx *c, struct deletion *d)
{
	struct closing closing = { .c = c, .d = d };

	d->keys += apikey_revoke_all(c, d->workspace->id);
	(void)share_end_workspace(c, d->workspace->id);
	notify_set_url(c, d->workspace->id, "");
	job_end_all(c, d->workspace->id, "The workspace was deleted.", keep_job, &closing);
}

static void
keep_article(void *arg, const struct article *a)
{
	struct slice *slice = arg;
	struct article *kept = arena_alloc(slice->c->arena, sizeof(*kept));

	if (slice->count == SLICE)
		return;
	*kept = *a;
	slice->articles[slice->count++] = kept;
}

static struct err *
destroy(struct ctx *c, struct workspace *w, struct article *a)
{
	struct purge_media later; /* all pictures; they are looked at in the end */
	struct err *err = NULL;

	purge_media_init(&later, c);
	if (a->status != ARTICLE_DELETED)
		err = article_delete(c, w, a);
	return err != NULL ? err : purge_article(c, w, a, &later);
}

/* Destroys some articles in one transaction. *count is 0 if none was left. */
static struct err *
destroy_slice(struct ctx *c, struct deletion *d, size_t *count)
{
	struct slice slice = { .c = c };
	struct workspace *w;
	struct err *err = workspace_begin(c, d->workspace, &w);

	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED && err == NULL; s++)
		article_list(c, w->id, s, SLICE, keep_article, &slice);
	for (size_t i = 0; i < slice.count && err == NULL; i++)
		err = destroy(c, w, slice.articles[i]);
	err = action_end(c, err);
	if (err != NULL)
		return err;
	(void)FAULT("workspace-slice");
	*count = slice.count;
	d->articles += (int64_t)slice.count;
	work_step(d->work, (int64_t)slice.count);
	return NULL;
}

static struct err *
stopped(struct ctx *c, const struct deletion *d)
{
	return work_stopped(c,
	    "%" PRId64 " article%s destroyed, and no key opens the"
	    " workspace. The same command again does the rest.",
	    d->articles, d->articles == 1 ? " was" : "s were");
}

/* Destroys the articles slice by slice. Each slice has its own memory. */
static struct err *
destroy_articles(struct ctx *c, struct deletion *d)
{
	struct arena scratch, *kept = c->arena;
	struct err *err = NULL;
	size_t count = 1;

	arena_init(&scratch, SLICE_MEMORY);
	while (err == NULL && count > 0) {
		if (work_must_stop(d->work)) {
			err = stopped(c, d);
			break;
		}
		c->arena = &scratch;
		err = destroy_slice(c, d, &count);
		c->arena = kept;
		if (err != NULL)
			err = refuse(c, err->code, "%s", err->message);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	return err;
}

/* Begins a transaction that changes keys, too. The workspace must be the one that was
 * found. */
static struct err *
begin(struct ctx *c, const struct deletion *d)
{
	struct err *err = action_begin(c, &scope);
	const struct workspace *w;
	bool many;

	if (err != NULL)
		return err;
	w = workspace_find(c, d->workspace->uuid, &many);
	if (w != NULL && w->id == d->workspace->id && strcmp(w->epoch, d->workspace->epoch) == 0)
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    tr_mark(
		"The workspace was deleted by somebody else, or the database restored meanwhile."));
}

/* Marks the workspace as deleted if it is empty: what was added since the last slice is
 * destroyed by the next one. */
static struct err *
finish(struct ctx *c, struct deletion *d, struct purge_media *media, bool *done)
{
	struct err *err = begin(c, d);

	*done = false;
	if (err != NULL)
		return action_end(c, err);
	close_off(c, d);
	*done = count_articles(c, d->workspace) == 0;
	if (*done) {
		workspace_delete(c, d->workspace);
		picture_list_remove_all(c, d->workspace->id);
		purge_media_init(media, c);
		purge_media_add_all(media, c);
		purge_rows(c, media);
	}
	return action_end(c, NULL);
}

static struct err *
run(struct ctx *c, struct deletion *d)
{
	struct err *err = begin(c, d);
	struct purge_media media;
	bool done = false;

	if (err == NULL)
		close_off(c, d);
	err = action_end(c, err);
	(void)FAULT("workspace-closed");
	while (err == NULL && !done) {
		err = destroy_articles(c, d);
		if (err == NULL)
			err = finish(c, d, &media, &done);
	}
	if (err != NULL)
		return err;
	kept_drop_workspace(c, d->workspace->id);
	sites_write(c);
	d->pictures = purge_files(c, &media);
	return NULL;
}

struct err *
deletion_confirm(struct ctx *c, const struct deletion *d, const char *typed)
{
	const char *name = d->workspace->settings.name;

	if (strcmp(typed, name) == 0)
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    tr_mark("That is not the name of the workspace, %s. Nothing was changed."), name);
}

struct err *
deletion_run(struct ctx *c, struct deletion *d)
{
	struct err *err;

	work_begin(d->work, "Destroying", WORK_PIECES, d->found);
	err = run(c, d);
	work_end(d->work);
	return err;
}
