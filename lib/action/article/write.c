#include "action/article/write.h"

#include <string.h>

#include "action/action.h"
#include "action/article/begin.h"
#include "action/article/failing.h"
#include "action/desk/review.h"
#include "action/article/set.h"
#include "action/find.h"
#include "action/picture/choose.h"
#include "action/picture/upload.h"
#include "article/cover.h"
#include "article/desk/save.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "content/slug.h"
#include "import/markdown/over.h"
#include "system/fault.h"

#define TRIES 5 /* before somebody else is faster for good */

const char *const write_fields[WRITE_FIELDS] = { "title", "slug",
	"meta_description", "language", "tags", "section", "author_name",
	"author_url", "noindex", "image", "image_alt", "image_caption",
	"published_url", "created_at" };

/* ---- what a form shows */

static const char *
text_or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* One side of a merge. */
struct side {
	const struct snapshot *snapshot;
	const char *values[WRITE_FIELDS];
	const char *body;  /* as the content is written; NULL until it is needed */
	const char *shown; /* as a form shows it; NULL until it is needed */
};

static const char *
body_of(struct ctx *c, struct side *s)
{
	if (s->body == NULL)
		s->body = over_body(c, &s->snapshot->content);
	return s->body;
}

/* Reads the working copy, in a transaction. */
static void
read_present(struct ctx *c, const struct article *a, struct side *out)
{
	char token[TOKEN_TEXT];
	struct save save;

	*out = (struct side){ .snapshot = article_working_copy(c, a) };
	write_values(c, a, out->snapshot, out->values);
	token_base(a, token);
	if (save_find(c, a, token, &save) && save.text != NULL)
		out->shown = save.text;
}

struct err *
write_look(struct ctx *c, const struct workspace *w, const char *id,
    const struct article **a, struct write_view *out)
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
		read_present(c, found, &side);
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
	out->content = &side.snapshot->content;
	out->text = side.shown != NULL ? side.shown : body_of(c, &side);
	return NULL;
}

/* ---- the two sides, and what they were made from */

struct writing {
	struct ctx *c;
	struct write *w;
	struct article *article; /* as it was read */
	const struct workspace *workspace;
	struct side base, theirs;
	bool stale;    /* they are not the same */
	struct set set; /* the working copy as it will be */
	const char *text; /* as it will be shown */
};

/* Reads the working copy with this token from the saves (also one that an automatic save
 * replaced), or from the edition that was made of it. Of one that is no longer known the newest
 * save that was there before is a base of both sides, too. Where nobody knows one, it is taken as
 * one without text. */
static void
read_base(struct writing *g)
{
	struct ctx *c = g->c;
	const struct article *a = g->article;
	struct snapshot *s;
	struct article was = *a;
	char token[TOKEN_TEXT];
	struct save save;

	memcpy(was.digest, a->edition_of, ARTICLE_DIGEST);
	token_base(&was, token);
	g->base = (struct side){ 0 };
	if (save_find(c, a, g->w->base, &save)) {
		g->base.shown = save.text;
		g->base.snapshot = save_snapshot(c, a, save.id);
	} else if (a->version > 0 && strcmp(token, g->w->base) == 0) {
		g->base.snapshot = article_edition(c, a, a->version);
	} else if (save_was_find(c, a, g->w->base, &s, &g->base.shown)) {
		g->base.snapshot = s;
	} else if (g->w->made_at > 0 && save_before(c, a, g->w->made_at, &save)) {
		g->base.shown = save.text;
		g->base.snapshot = save_snapshot(c, a, save.id);
	} else {
		s = arena_alloc(c->arena, sizeof(*s));
		*s = *g->theirs.snapshot;
		content_init(&s->content, s->language);
		g->base.snapshot = s;
	}
	write_values(c, a, g->base.snapshot, g->base.values);
}

static struct err *
read_sides(struct writing *g)
{
	struct ctx *c = g->c;
	char token[TOKEN_TEXT];
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, g->w->id, &g->article);
	if (err != NULL)
		return action_end(c, err);
	g->workspace = workspace_of(c, g->article->workspace_id);
	read_present(c, g->article, &g->theirs);
	token_base(g->article, token);
	g->stale = g->w->change == NULL && (g->w->base == NULL || strcmp(token, g->w->base) != 0);
	memcpy(g->w->theirs, token, sizeof(token));
	g->base = g->theirs;
	if (g->stale)
		read_base(g);
	return action_end(c, NULL);
}

/* ---- the text */

/* Whether the person answered what is asked now. */
static bool
is_answered(const struct writing *g)
{
	return g->w->over != NULL && strcmp(g->w->over, g->w->theirs) == 0;
}

/* Merges the body with that of the other side. */
static struct err *
merge_body(struct writing *g, const struct content *mine, struct content *out)
{
	static const enum merge_choice none[WRITE_CHOICES];
	struct ctx *c = g->c;
	struct write *w = g->w;
	const char *text = NULL;

	merge_make(c->arena, body_of(c, &g->base), body_of(c, &g->theirs),
	    over_body(c, mine), &w->merge);
	if (w->merge.clashes > WRITE_CHOICES)
		return refuse(c, ERR_CONFLICT, tr_mark("The text was changed in too many places"
		    " meanwhile. Copy yours, and open the article again."));
	text = merge_text(c->arena, &w->merge, is_answered(g) ? w->choices : none);
	if (text == NULL) {
		w->clashed = true;
		return NULL;
	}
	/* All of it is there already: an answer was lost, and it is sent again. */
	if (strcmp(text, body_of(c, &g->theirs)) == 0)
		return NULL;
	g->text = text;
	w->merged = true;
	return over_read(c, &g->workspace->settings, g->theirs.snapshot,
	    w->values[WRITE_TITLE] != NULL ? w->values[WRITE_TITLE]
					    : g->theirs.values[WRITE_TITLE],
	    text, out);
}

static struct err *
make_content(struct writing *g, struct content *out)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	const char *shown = g->base.shown, *title = w->values[WRITE_TITLE];
	struct content mine;
	struct err *err;

	*out = g->theirs.snapshot->content;
	g->text = g->theirs.shown;
	if (w->change != NULL)
		return w->change(c, w->change_arg, &g->workspace->settings,
		    g->theirs.snapshot, g->theirs.shown, out, &g->text);
	if (shown == NULL)
		shown = body_of(c, &g->base);
	if (w->text == NULL || strcmp(shown, w->text) == 0)
		return NULL;
	err = over_read(c, &g->workspace->settings, g->base.snapshot,
	    title != NULL ? title : g->base.values[WRITE_TITLE], w->text, &mine);
	if (err != NULL) {
		if (err->param == NULL && err->code == ERR_INVALID)
			err->param = "text";
		return err;
	}
	if (g->stale && strcmp(body_of(c, &g->base), body_of(c, &g->theirs)) != 0)
		return merge_body(g, &mine, out);
	*out = mine;
	g->text = w->text;
	return NULL;
}

/* ---- the fields */

bool
write_counts_at_once(const struct article *a, enum write_field f)
{
	return f == WRITE_PUBLISHED_URL || f == WRITE_CREATED_AT ||
	    (f == WRITE_SLUG && a->version > 0);
}

/* Sets a field, if the person changed it and nobody else did. */
static struct err *
make_field(struct writing *g, enum write_field f)
{
	struct write *w = g->w;
	const char *base = w->was[f] != NULL ? w->was[f] : g->base.values[f];
	const char *theirs = g->theirs.values[f], *mine = w->values[f];

	w->field_clashes[f] = false;
	w->field_theirs[f] = theirs;
	if (mine == NULL || strcmp(mine, base) == 0 || strcmp(mine, theirs) == 0 ||
	    (w->automatic && write_counts_at_once(g->article, f)))
		return NULL;
	if (strcmp(base, theirs) != 0 &&
	    (!is_answered(g) || w->field_choices[f] == MERGE_NONE)) {
		w->field_clashes[f] = w->clashed = true;
		return NULL;
	}
	if (strcmp(base, theirs) != 0 && w->field_choices[f] == MERGE_THEIRS)
		return NULL;
	w->merged = w->merged || g->stale;
	return choose_field(g->c, g->workspace, &g->set, write_fields[f], mine, w->upload);
}

static struct err *
make_copy(struct writing *g)
{
	struct snapshot *s = arena_alloc(g->c->arena, sizeof(*s));
	struct err *err;

	g->w->clashed = g->w->merged = false;
	g->w->merge = (struct merge){ 0 };
	*s = *g->theirs.snapshot;
	g->set = (struct set){ .snapshot = s,
		.published_url = g->article->published_url,
		.created_at = g->article->created_at };
	err = make_content(g, &s->content);
	/* The words of the cover are fields of their own. */
	s->content.image_alt = g->theirs.snapshot->content.image_alt;
	s->content.image_caption = g->theirs.snapshot->content.image_caption;
	for (size_t f = 0; f < WRITE_FIELDS && err == NULL; f++)
		err = make_field(g, f);
	return err;
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
		save_insert(g->c, before, g->theirs.snapshot, NULL, NULL);
	save_insert(g->c, a, g->set.snapshot, g->w->person, g->text);
	if (g->w->automatic)
		g->w->replaced = save_thin(g->c, a, g->w->person);
}

/* Publishes an article for the first time, if it passes every check and is finished. */
static struct err *
publish_first(struct writing *g, struct workspace *ws, struct article *a)
{
	struct export_check failing[EXPORT_CHECKS];
	struct ctx *c = g->c;

	if (a->version > 0 || article_unfinished(c, a) > 0 ||
	    failing_checks(c, stored_source(c, ws, a, true), failing) > 0)
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
	if (err == NULL && w->upload != NULL)
		err = upload_insert(c, ws, w->upload);
	if (err == NULL)
		err = choose_check(c, ws, g->set.snapshot, g->theirs.snapshot->image);
	/* A text that nobody changed stays to the letter. */
	if (g->set.snapshot->content.sections != g->theirs.snapshot->content.sections)
		cover_fit_text(c, &g->set.snapshot->content);
	if (err == NULL)
		err = article_save(c, ws, a, g->set.snapshot,
		    w->then == WRITE_TRASH, &changed);
	if (err != NULL)
		return err;
	w->saved = changed || (g->text != NULL &&
	    (text == NULL || strcmp(g->text, text) != 0));
	if (w->saved)
		keep(g, &before, a);
	if (strcmp(text_or_empty(a->published_url),
		text_or_empty(g->set.published_url)) != 0) {
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

	*again = err == NULL &&
	    memcmp(a->digest, g->article->digest, ARTICLE_DIGEST) != 0;
	if (err == NULL && *again)
		err = refuse(g->c, ERR_CONFLICT, tr_mark("Somebody else is saving this article"
		    " all the time. Send it again."));
	if (err == NULL && a->status == ARTICLE_DELETED)
		err = refuse(g->c, ERR_CONFLICT, tr_mark("This article is in the trash, so"
		    " nothing was saved. Restore it first."));
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
	struct article_new how = { .uuid = w->id, .created_at = g->set.created_at,
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

	*s = (struct snapshot){ .title = "", .slug = "",
		.language = settings->language };
	content_init(&s->content, s->language);
	g->set = (struct set){ .snapshot = s };
	if (w->text != NULL && w->text[0] != '\0')
		err = over_read(c, settings, s, w->values[WRITE_TITLE], w->text,
		    &s->content);
	if (err != NULL && err->param == NULL)
		err->param = "text";
	for (size_t f = 0; f < WRITE_FIELDS && err == NULL; f++) {
		if (w->values[f] != NULL && w->values[f][0] != '\0')
			err = choose_field(c, w->workspace, &g->set, write_fields[f],
			    w->values[f], w->upload);
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
		err = read_sides(&g);
		if (err == NULL)
			err = make_copy(&g);
		/* A file that was sent does not outlive a clash. */
		if (w->clashed && w->upload != NULL)
			w->field_clashes[WRITE_IMAGE] = false;
		if (err == NULL && !w->clashed)
			err = write_over(&g, &again);
	}
	return err;
}
