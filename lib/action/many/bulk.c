#include "action/many/bulk.h"

#include <string.h>

#include "action/action.h"
#include "action/article/failing.h"
#include "action/article/state.h"
#include "action/picture/upload.h"
#include "article/desk/handed.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "screen/tr.h"

/* Returns why the act has no sense for an article of this state, or NULL. Such an article is
 * left before anything of it is changed. */
static const char *
stands_against(struct ctx *c, const struct article *a, enum bulk_act act)
{
	bool in_trash = a->status == ARTICLE_DELETED;

	switch (act) {
	case BULK_PUBLISH:
		if (!in_trash && state_is_current(c, a))
			return tr("It is published as it is already.");
		break;
	case BULK_UNPUBLISH:
		if (!in_trash && a->status != ARTICLE_PUBLISHED)
			return tr("It is not published.");
		break;
	case BULK_TRASH:
		return in_trash ? tr("It is in the trash already.") : NULL;
	case BULK_RESTORE:
	case BULK_DESTROY:
		return in_trash ? NULL : tr("It is not in the trash.");
	}
	return in_trash ? tr("It is in the trash: restore it first.") : NULL;
}

/* ---- what is published */

static const char *
left_to_write(struct ctx *c, size_t count)
{
	return arena_printf(c->arena, tr_count("%zu place is left to write.",
	    "%zu places are left to write.", (int64_t)count), count);
}

/* Reads what a person looks at of an article, and adds it to the digest. */
static void
look_at(struct ctx *c, const struct workspace *w, const struct article *a,
    struct digest *d, struct bulk_one *one)
{
	struct ready ready;

	ready_read(c, w, a, &ready);
	digest_text(d, ready.seen);
	one->why = stands_against(c, a, BULK_PUBLISH);
	if (one->why == NULL && ready.todo_count > 0)
		one->why = left_to_write(c, ready.todo_count);
	one->failing_count = ready.failing_count;
	one->failing = arena_array(c->arena, ready.failing_count + 1,
	    sizeof(*one->failing));
	for (size_t i = 0; i < ready.failing_count; i++)
		one->failing[i] = failing_line(c, &ready.failing[i]);
}

/* ---- one after the other */

static struct article *
find(struct ctx *c, struct bulk *b, size_t i)
{
	struct article *a = article_find(c, b->workspace->id, b->ids[i]);
	struct bulk_one *one = &b->ones[i];

	*one = (struct bulk_one){ 0 };
	if (a == NULL)
		one->why = tr("It is not there any more.");
	else
		one->title = a->title;
	return a;
}

/* Looks at all of them, in the present transaction. */
static void
look(struct ctx *c, const struct workspace *w, struct bulk *b)
{
	struct digest d;

	digest_begin(&d, (READY_SEEN - 1) / 2, "galley bulk 1");
	for (size_t i = 0; i < b->count; i++) {
		const struct article *a = find(c, b, i);
		digest_text(&d, b->ids[i]);
		if (a != NULL)
			look_at(c, w, a, &d, &b->ones[i]);
	}
	digest_end_hex(&d, b->shown);
}

void
bulk_look(struct ctx *c, struct bulk *b)
{
	db_begin_read(c, DB_CONTENT);
	look(c, workspace_of(c, b->workspace->id), b);
	db_rollback(c);
}

static struct err *
act_on(struct ctx *c, struct workspace *w, struct article *a, struct bulk *b)
{
	switch (b->act) {
	case BULK_PUBLISH:
		handed_end(c, a);
		return article_publish(c, w, a, 0, 0);
	case BULK_UNPUBLISH:
		return article_unpublish(c, w, a);
	case BULK_TRASH:
		return article_delete(c, w, a);
	case BULK_RESTORE:
		return article_undelete(c, w, a);
	case BULK_DESTROY:
		break;
	}
	return purge_article(c, w, a, &b->media);
}

/* Acts on all in the present transaction, but those that have a refusal. Returns false when
 * one more article is refused in the middle of its change. */
static bool
act_on_all(struct ctx *c, struct workspace *w, struct bulk *b,
    struct err *refusals[BULK_MAX])
{
	b->done = 0;
	for (size_t i = 0; i < b->count; i++) {
		struct article *a;
		/* What was looked at in this transaction is known. */
		if (b->act == BULK_PUBLISH && b->ones[i].why != NULL)
			continue;
		a = b->act == BULK_PUBLISH
		    ? article_find(c, w->id, b->ids[i]) : find(c, b, i);
		if (a == NULL)
			continue;
		if (b->act != BULK_PUBLISH)
			b->ones[i].why = stands_against(c, a, b->act);
		if (refusals[i] != NULL)
			b->ones[i].why = refusals[i]->message;
		if (b->ones[i].why != NULL)
			continue;
		refusals[i] = act_on(c, w, a, b);
		if (refusals[i] != NULL)
			return false;
		b->done++;
	}
	if (b->act == BULK_DESTROY) {
		purge_rows(c, &b->media);
		upload_mark_gone(c, &b->media);
	}
	return true;
}

/* One transaction. *again: an article was refused in the middle of its change. Nothing is
 * done then, and the others follow in another transaction. */
static struct err *
run_once(struct ctx *c, struct bulk *b, struct err *refusals[BULK_MAX], bool *again)
{
	struct workspace *w;
	struct err *err = workspace_begin(c, b->workspace, &w);

	*again = false;
	if (err != NULL)
		return action_end(c, err);
	purge_media_init(&b->media, c);
	if (b->act == BULK_PUBLISH) {
		look(c, w, b);
		if (strcmp(b->shown, b->seen) != 0)
			return action_end(c, refuse(c, ERR_CONFLICT, "%s",
			    tr("Something was changed since this page was shown, so"
			       " nothing was published. Look again.")));
	}
	*again = !act_on_all(c, w, b, refusals);
	if (*again) {
		db_rollback(c);
		return NULL;
	}
	gate_leave(c);
	return action_end(c, NULL);
}

struct err *
bulk_run(struct ctx *c, struct bulk *b)
{
	struct err *refusals[BULK_MAX] = { NULL };
	struct err *err = NULL;
	bool again = true;

	for (size_t i = 0; i <= b->count && again && err == NULL; i++)
		err = run_once(c, b, refusals, &again);
	return err;
}

void
bulk_pictures(struct ctx *c, struct bulk *b)
{
	(void)upload_remove_gone(c, &b->media);
}
