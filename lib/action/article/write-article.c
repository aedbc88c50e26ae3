#include "action/article/write.h"

#include <string.h>

#include "action/action.h"
#include "action/article/failing.h"
#include "action/article/set.h"
#include "action/article/writing.h"
#include "action/desk/review.h"
#include "action/picture-actions.h"
#include "action/picture/choose.h"
#include "article/article-name.h"
#include "article/media.h"
#include "article/save.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/slug.h"
#include "import/losses.h"
#include "import/markdown/over.h"
#include "system/fault.h"

#define TRIES 5 /* before somebody else is faster for good */

/* ---- what a form shows */

static const char *
text_or_empty(const char *text)
{
	return text != NULL ? text : "";
}

struct err *
write_look(struct ctx *c, const struct workspace *w, const char *id, const struct article **a,
    struct write_view *out)
{
	struct article *found;
	struct save last;
	struct side side;
	struct err *err;

	out->saved_by = NULL;
	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, id, &found);
	if (err == NULL && found->workspace_id != w->id)
		err = refuse(c, ERR_NOT_FOUND, tr_mark("There is no such article."));
	if (err == NULL) {
		writing_present(c, found, &side);
		(void)handed_find(c, found, &out->handed);
	}
	if (err == NULL && save_last(c, found, &last) &&
	    memcmp(last.digest, found->digest, ARTICLE_DIGEST) == 0) {
		out->saved_by = last.person;
		out->saved_at = last.saved_at;
	}
	err = action_end(c, err);
	if (err != NULL)
		return err;
	*a = found;
	token_base(found, out->base);
	memcpy(out->values, side.values, sizeof(out->values));
	out->snapshot = side.snapshot;
	out->text = writing_text(c, &w->settings, &side);
	out->typed = out->text != side.body;
	out->shown_at = side.at;
	return NULL;
}

/* ---- the transaction */

/* Stores the working copy, and what it replaces if another way than the console's made
 * that: a form may have shown it. */
static void
keep(struct writing *g, const struct article *before, const struct article *a)
{
	struct save known;
	char token[TOKEN_TEXT];

	token_base(before, token);
	if (!save_find(g->c, before, token, &known))
		save_insert(g->c, before, g->theirs.snapshot, NULL, g->theirs.shown);
	save_insert(g->c, a, g->set.snapshot, g->w->person, g->text);
	if (g->w->automatic)
		g->w->replaced = save_thin(g->c, a, g->w->person);
}

/* Returns whether readers will not see something as it is written. */
static bool
loses(struct writing *g, const struct workspace *ws)
{
	const char *text = g->w->is_new ? g->w->text : g->text;
	struct losses losses = { .count = 0 };

	if (text != NULL)
		over_losses(g->c, &ws->settings, g->set.snapshot, text, &losses);
	return losses.count > 0;
}

/* Publishes an article for the first time, if it passes every check, is finished, and readers
 * will see it as it is written. */
static struct err *
publish_first(struct writing *g, struct workspace *ws, struct article *a)
{
	struct export_check failing[EXPORT_CHECKS];
	struct ctx *c = g->c;

	if (a->version > 0 || article_unfinished(c, a) > 0 ||
	    failing_checks(c, stored_source(c, ws, a, true), failing) > 0 || loses(g, ws))
		return NULL;
	g->w->published = true;
	handed_end(c, a);
	return article_publish(c, ws, a, 0, 0);
}

static struct err *
act(struct writing *g, struct workspace *ws, struct article *a)
{
	struct err *err = NULL;

	switch (g->w->then) {
	case WRITE_SAVE:
		err = review_say(g->c, a, g->w->person, g->w->comment);
		break;
	case WRITE_HAND_IN:
		err = review_hand_in(g->c, a, g->w->person, g->w->comment);
		break;
	case WRITE_HAND_BACK:
		err = review_hand_back(g->c, a, g->w->person, g->w->comment);
		break;
	case WRITE_TAKE_BACK:
		err = review_take_back(g->c, a, g->w->person, g->w->comment);
		break;
	case WRITE_PUBLISH:
		err = publish_first(g, ws, a);
		break;
	case WRITE_UNPUBLISH:
		err = article_unpublish(g->c, ws, a);
		break;
	case WRITE_TRASH:
		err = article_delete(g->c, ws, a);
		break;
	}
	if (err == NULL && g->w->then > WRITE_SAVE && g->w->then < WRITE_HAND_IN)
		err = review_say(g->c, a, g->w->person, g->w->comment);
	g->w->article = a;
	return err;
}

/* Keeps the wording that lost, so that History shows both. */
static struct err *
keep_loser(struct writing *g, const struct article *a)
{
	struct write *w = g->w;
	struct snapshot *mine;
	struct err *err;

	if (w->merge.clashes == 0)
		return NULL;
	mine = arena_alloc(g->c->arena, sizeof(*mine));
	*mine = *g->base.snapshot;
	err = over_read(g->c, &g->workspace->settings, g->base.snapshot,
	    g->base.values[WRITE_TITLE], w->text, &mine->content);
	if (err == NULL)
		err = save_keep(g->c, a, mine, w->person, w->text);
	return err;
}

static struct err *
save(struct writing *g, struct workspace *ws, struct article *a)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	const struct article before = *a;
	const char *text = g->theirs.shown;
	bool changed;
	struct err *err;

	err = keep_loser(g, a);
	if (err == NULL && w->automatic && w->slug_is_derived && a->version == 0 &&
	    strcmp(g->set.snapshot->title, a->title) != 0)
		err = name_choose_slug(c, a->workspace_id, a->id,
		    slug_make(c->arena, g->set.snapshot->title), true, &g->set.snapshot->slug);
	if (err == NULL && w->upload != NULL)
		err = upload_insert(c, ws, w->upload);
	if (err == NULL)
		err = choose_check(c, ws, g->set.snapshot, g->theirs.snapshot->image);
	/* A text that nobody changed stays to the letter. */
	if (g->set.snapshot->content.sections != g->theirs.snapshot->content.sections)
		cover_fit_text(c, &g->set.snapshot->content);
	if (err == NULL)
		err = article_save(c, ws, a, g->set.snapshot, w->then == WRITE_TRASH, &changed);
	if (err != NULL)
		return err;
	w->saved = changed || (g->text != NULL && (text == NULL || strcmp(g->text, text) != 0));
	if (w->saved)
		keep(g, &before, a);
	if (strcmp(text_or_empty(a->published_url), text_or_empty(g->set.published_url)) != 0) {
		article_set_published_url(c, ws, a, g->set.published_url);
		w->saved = true;
	}
	if (g->set.created_at != a->created_at) {
		article_set_created_at(c, ws, a, g->set.created_at);
		w->saved = true;
	}
	return act(g, ws, a);
}

/* Saves, unless somebody else saved since the article was read. */
static struct err *
write_over(struct writing *g, bool *again)
{
	struct workspace *ws;
	struct article *a;
	struct err *err;

	(void)FAULT("save-looked");
	err = begin_article(g->c, g->w->id, &ws, &a);

	*again = err == NULL && memcmp(a->digest, g->article->digest, ARTICLE_DIGEST) != 0;
	if (err == NULL && *again)
		err = refuse(g->c, ERR_CONFLICT,
		    tr_mark("Somebody else is saving this article all the time. Send it again."));
	if (err == NULL && a->status == ARTICLE_DELETED)
		err = refuse(g->c, ERR_CONFLICT,
		    tr_mark(
			"This article is in the trash, so nothing was saved. Restore it first."));
	if (err == NULL)
		err = save(g, ws, a);
	if (err == NULL)
		gate_leave(g->c);
	return action_end(g->c, err);
}

/* ---- a new article */

static struct err *
insert(struct writing *g)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	struct snapshot *s = g->set.snapshot;
	struct article_new how = { .uuid = w->id,
		.created_at = g->set.created_at,
		.published_url = g->set.published_url };
	struct workspace *ws;
	struct article *a;
	struct err *err = workspace_begin(c, w->workspace, &ws);

	how.slug_is_derived = s->slug[0] == '\0';
	if (how.slug_is_derived)
		s->slug = slug_make(c->arena, s->title);
	if (err == NULL && w->upload != NULL)
		err = upload_insert(c, ws, w->upload);
	if (err == NULL)
		err = choose_check(c, ws, s, NULL);
	cover_fit_text(c, &s->content);
	if (err == NULL)
		err = article_insert(c, ws, s, &how, &a);
	if (err == NULL) {
		save_insert(c, a, s, w->person, w->text);
		if (w->automatic)
			(void)save_thin(c, a, w->person);
		w->saved = true;
		err = act(g, ws, a);
	}
	if (err == NULL)
		gate_leave(c);
	return action_end(c, err);
}

static struct err *
write_new(struct writing *g)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	const struct settings *settings = &w->workspace->settings;
	struct snapshot *s = arena_alloc(c->arena, sizeof(*s));
	struct err *err = NULL;

	*s = (struct snapshot) { .title = "", .slug = "", .language = settings->language };
	content_init(&s->content, s->language);
	g->set = (struct set) { .snapshot = s };
	if (w->text != NULL && w->text[0] != '\0')
		err = over_read(c, settings, s, w->values[WRITE_TITLE], w->text, &s->content);
	if (err != NULL && err->param == NULL)
		err->param = "text";
	for (size_t f = 0; f < WRITE_FIELDS && err == NULL; f++) {
		bool waits = w->automatic && (f == WRITE_PUBLISHED_URL || f == WRITE_CREATED_AT);
		if (w->values[f] != NULL && w->values[f][0] != '\0' && !waits)
			err = writing_field(g, w->workspace, f);
	}
	return err != NULL ? err : insert(g);
}

struct err *
write_article(struct ctx *c, struct write *w)
{
	struct writing g = { .c = c, .w = w };
	struct err *err = action_room(c);
	bool again = true;

	if (err != NULL || w->is_new)
		return err != NULL ? err : write_new(&g);
	for (int i = 0; i < TRIES && again; i++) {
		again = false;
		err = writing_read(&g);
		if (err == NULL)
			err = writing_make(&g);
		/* A file that was sent does not outlive a clash. */
		if (w->clashed && w->upload != NULL)
			w->field_clashes[WRITE_IMAGE] = false;
		if (err == NULL && !w->clashed)
			err = write_over(&g, &again);
	}
	return err;
}
