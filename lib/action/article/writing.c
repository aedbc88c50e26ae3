#include "action/article/writing.h"

#include <string.h>

#include "action/action.h"
#include "action/picture/choose.h"
#include "article/article-row.h"
#include "article/revision.h"
#include "article/save.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "import/markdown/over.h"
#include "screen/say.h"

/* ---- the two sides, and what they were made from */

const char *
writing_text(struct ctx *c, const struct settings *settings, struct side *s)
{
	const char *text;

	if (s->shown != NULL)
		return s->shown;
	if (s->body == NULL)
		s->body = over_body(c, &s->snapshot->content);
	if (s->typed == NULL)
		return s->body;
	text = over_carry(c, settings, s->typed_for, s->typed, s->snapshot, 0);
	s->typed = NULL;
	if (text == NULL || strcmp(text, s->body) == 0)
		return s->body;
	return s->shown = text;
}

/* Finds the text that was typed before a working copy without one; `before` is its save, or 0. */
static void
find_typed(struct ctx *c, const struct article *a, struct side *s, int64_t before)
{
	struct save typed;

	if (s->shown != NULL || !save_typed(c, a, before, &typed))
		return;
	s->typed = typed.text;
	s->typed_for = save_snapshot(c, a, typed.id);
}

void
writing_present(struct ctx *c, const struct article *a, struct side *out)
{
	char token[TOKEN_TEXT];
	struct save save;

	*out = (struct side) { .snapshot = article_working_copy(c, a), .at = c->now };
	write_values(c, a, out->snapshot, out->values);
	token_base(a, token);
	if (save_find(c, a, token, &save)) {
		out->shown = save.text;
		out->save = save.id;
		out->at = save.saved_at;
	}
	find_typed(c, a, out, out->save);
}

/* Finds the text that was typed for a working copy with this digest, else the newest one. */
static void
find_typed_for(
    struct ctx *c, const struct article *a, const unsigned char *digest, struct side *out)
{
	struct article was = *a;
	char token[TOKEN_TEXT];
	struct save save;

	memcpy(was.digest, digest, ARTICLE_DIGEST);
	token_base(&was, token);
	find_typed(c, a, out, save_find(c, a, token, &save) ? save.id + 1 : 0);
}

void
writing_edition(struct ctx *c, const struct article *a, int64_t version, struct side *out)
{
	struct edition e;
	struct save save;

	*out = (struct side) { .snapshot = article_edition(c, a, version) };
	if (version == a->version)
		find_typed_for(c, a, a->edition_of, out);
	else if (edition_find(c, a, version, &e) && save_before(c, a, e.published_at, &save))
		find_typed(c, a, out, save.id + 1);
	else
		find_typed(c, a, out, 0);
}

void
writing_next(struct ctx *c, const struct article *a, struct side *out)
{
	*out = (struct side) { .snapshot = article_next_edition(c, a) };
	find_typed_for(c, a, a->digest, out);
}

void
writing_save(struct ctx *c, const struct article *a, const struct save *save, struct side *out)
{
	*out = (struct side) { .snapshot = save_snapshot(c, a, save->id), .shown = save->text };
	find_typed(c, a, out, save->id);
}

const char *
writing_lines(struct ctx *c, const struct settings *settings, struct side *s)
{
	return arena_printf(
	    c->arena, "# %s\n\n%s", s->snapshot->title, writing_text(c, settings, s));
}

/* Reads the working copy with this token from the saves (also one that an automatic save
 * replaced), or from the edition that was made of it. Of one that is no longer known the newest
 * save that was there before is a base of both sides, too. Where nobody knows one, it is taken as
 * one without text. */
static void
read_base(struct writing *g)
{
	struct ctx *c = g->c;
	const struct article *a = g->article;
	struct side *base = &g->base;
	struct snapshot *s = NULL;
	struct article was = *a;
	char token[TOKEN_TEXT];
	struct save save = { .text = NULL };

	memcpy(was.digest, a->edition_of, ARTICLE_DIGEST);
	token_base(&was, token);
	if (save_base(c, a, g->w->base, g->w->made_at, &save, &s)) {
		/* Found. */
	} else if (a->version > 0 && strcmp(token, g->w->base) == 0) {
		s = article_edition(c, a, a->version);
	} else if (g->w->made_at > 0 && save_before(c, a, g->w->made_at, &save)) {
		s = save_snapshot(c, a, save.id);
	} else {
		s = arena_alloc(c->arena, sizeof(*s));
		*s = *g->theirs.snapshot;
		content_init(&s->content, s->language);
	}
	*base = (struct side) { .snapshot = s, .shown = save.text, .save = save.id };
	if (save.id != 0)
		find_typed(c, a, base, save.id);
	write_values(c, a, s, base->values);
}

static bool
same_text(const char *one, const char *other)
{
	return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

struct err *
writing_read(struct writing *g)
{
	struct ctx *c = g->c;
	char token[TOKEN_TEXT];
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, g->w->id, &g->article);
	if (err != NULL)
		return action_end(c, err);
	g->workspace = workspace_of(c, g->article->workspace_id);
	writing_present(c, g->article, &g->theirs);
	token_base(g->article, token);
	g->stale = g->w->change == NULL && (g->w->base == NULL || strcmp(token, g->w->base) != 0);
	memcpy(g->w->theirs, token, sizeof(token));
	g->base = g->theirs;
	if (g->stale || (g->w->change == NULL && g->theirs.save != 0))
		read_base(g);
	/* The contents may be the same, and what was typed not. */
	g->stale = g->stale || !same_text(g->base.shown, g->theirs.shown);
	return action_end(c, NULL);
}

/* ---- the text */

/* Whether the person answered what is asked now. */
static bool
is_answered(const struct writing *g)
{
	return g->w->over != NULL && strcmp(g->w->over, g->w->theirs) == 0;
}

/* Merges the text with that of the other side: what nobody touched keeps its bytes. */
static struct err *
merge_texts(struct writing *g, struct content *out)
{
	static const enum merge_choice none[WRITE_CHOICES];
	struct ctx *c = g->c;
	struct write *w = g->w;
	const struct settings *settings = &g->workspace->settings;
	const char *theirs = writing_text(c, settings, &g->theirs), *text = NULL;

	merge_make(c->arena, writing_text(c, settings, &g->base), theirs, w->text, &w->merge);
	if (w->merge.clashes > WRITE_CHOICES)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"The text was changed in too many places meanwhile. Copy yours, and open the article again."));
	text = merge_text(c->arena, &w->merge, is_answered(g) ? w->choices : none);
	if (text == NULL) {
		w->clashed = true;
		return NULL;
	}
	/* All of it is there already: an answer was lost, and it is sent again. */
	if (strcmp(text, theirs) == 0)
		return NULL;
	g->text = text;
	w->merged = true;
	return over_read(c, settings, g->theirs.snapshot,
	    w->values[WRITE_TITLE] != NULL ? w->values[WRITE_TITLE] : g->theirs.values[WRITE_TITLE],
	    text, out);
}

static struct err *
make_content(struct writing *g, struct content *out)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	const struct settings *settings = &g->workspace->settings;
	const char *title = w->values[WRITE_TITLE], *theirs = writing_text(c, settings, &g->theirs);
	struct content mine;
	struct err *err;

	*out = g->theirs.snapshot->content;
	g->text = g->theirs.shown;
	if (w->change != NULL)
		return w->change(
		    c, w->change_arg, settings, g->theirs.snapshot, g->theirs.shown, out, &g->text);
	if (w->text == NULL || strcmp(writing_text(c, settings, &g->base), w->text) == 0)
		return NULL;
	err = over_read(c, settings, g->base.snapshot,
	    title != NULL ? title : g->base.values[WRITE_TITLE], w->text, &mine);
	if (err != NULL) {
		if (err->param == NULL && err->code == ERR_INVALID)
			err->param = "text";
		return err;
	}
	if (g->stale && strcmp(writing_text(c, settings, &g->base), theirs) != 0)
		return merge_texts(g, out);
	*out = mine;
	g->text = w->text;
	return NULL;
}

/* ---- the fields */

struct err *
writing_field(struct writing *g, const struct workspace *w, enum write_field f)
{
	const char *value = g->w->values[f];
	struct err *err = choose_field(g->c, w, &g->set, write_fields[f], value, g->w->upload);

	/* A day without a time is one of the workspace's zone, as the list shows it. */
	if (err == NULL && f == WRITE_CREATED_AT && strlen(value) == strlen("2026-09-01"))
		g->set.created_at = say_day_begin(g->c, g->set.created_at / CLOCK_DAY);
	return err;
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
	if (strcmp(base, theirs) != 0 && (!is_answered(g) || w->field_choices[f] == MERGE_NONE)) {
		w->field_clashes[f] = w->clashed = true;
		return NULL;
	}
	if (strcmp(base, theirs) != 0 && w->field_choices[f] == MERGE_THEIRS)
		return NULL;
	w->merged = w->merged || g->stale;
	return writing_field(g, g->workspace, f);
}

struct err *
writing_make(struct writing *g)
{
	struct snapshot *s = arena_alloc(g->c->arena, sizeof(*s));
	struct err *err;

	g->w->clashed = g->w->merged = false;
	g->w->merge = (struct merge) { 0 };
	*s = *g->theirs.snapshot;
	g->set = (struct set) { .snapshot = s,
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
