#include "action/article/article-writing.h"

#include <string.h>

#include "action/action.h"
#include "action/article/article-actions.h"
#include "action/article/block-facts.h"
#include "action/article/publish-actions.h"
#include "action/picture-actions.h"
#include "article/article-name.h"
#include "article/article-pictures.h"
#include "article/article-row.h"
#include "article/media.h"
#include "article/revision.h"
#include "article/save.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/slug.h"
#include "content/url.h"
#include "import/losses.h"
#include "import/markdown/body.h"
#include "import/markdown/markdown.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/fault.h"

#define PASTED_MAX ((size_t)1024 * 1024) /* bytes of HTML */
#define TRIES 5 /* before somebody else is faster for good */

/* What write_article() stores: the working copy that a person's form and the present
 * working copy make together. The form was made from an older one, the base; where somebody else
 * saved since, the base says who changed what. */
struct writing {
	struct ctx *c;
	struct write *w;
	struct article *article; /* as it was read */
	const struct workspace *workspace;
	struct side base, theirs;
	bool stale; /* they are not the same */
	struct block_facts facts; /* of the text that was sent */
	struct set set; /* the working copy as it will be */
	const char *text; /* as it will be shown */
};

/* ---- the cover
 *
 * Nothing here reads a file that a person names. */

/* Returns the alternative text of a picture of the workspace, or NULL if it has no such
 * picture. In a transaction. */
static const char *
alternative_of(struct ctx *c, const struct workspace *w, const char *name)
{
	struct picture_row row;
	const char *digest = media_digest_of(c, name);

	return digest != NULL && picture_list_find(c, w->id, digest, &row) &&
		       strcmp(row.name, name) == 0
		   ? row.alternative
		   : NULL;
}

static struct err *
no_picture(struct ctx *c)
{
	return err_param(c, "image",
	    tr_mark(
		"This is not a picture of this workspace, nor an address that begins with https://."));
}

static struct err *
set_cover(struct ctx *c, const struct workspace *w, struct set *set, const char *value,
    const struct upload *upload)
{
	struct snapshot *s = set->snapshot;
	const char *alternative = upload != NULL ? upload->alternative : NULL;

	if (upload != NULL)
		value = upload->media.url;
	else if (value[0] == '\0' ||
		 (strncmp(value, "https://", 8) == 0 && url_clean_web(c->arena, value) != NULL)) {
		s->content.image_alt = NULL;
		return set_field(c, set, "image", value);
	} else if (strncmp(value, "media:", 6) == 0) {
		db_begin_read(c, DB_CONTENT);
		alternative = alternative_of(c, w, value + 6);
		db_rollback(c);
	}
	if (alternative == NULL)
		return no_picture(c);
	s->image = arena_text(c->arena, value);
	/* Its row says the rest (article/media.h). */
	s->image_type = NULL;
	s->image_width = s->image_height = 0;
	s->image_generated = false;
	s->content.image_alt = alternative[0] != '\0' ? alternative : NULL;
	return NULL;
}

static struct err *
set_words(struct ctx *c, struct set *set, const char *field, const char *value)
{
	if (value[0] != '\0' && set->snapshot->image == NULL)
		return err_param(c, field,
		    tr_mark(
			"There is no cover that this could be about. Choose one, or leave this empty."));
	return set_field(c, set, field, value);
}

/*
 * Sets a field of action/article/article-actions.h. The cover, "image", is "", which removes it with its
 * words; an https address; the short name of a picture of the workspace
 * (media:<digest>.<ext>); with `upload`, that picture, which the transaction inserts. The
 * alternative text becomes that of the picture. No transaction may be open. Refuses every
 * other cover, and words for a cover where there is no cover.
 */
static struct err *
set_cover_field(struct ctx *c, const struct workspace *w, struct set *set, const char *field,
    const char *value, const struct upload *upload)
{
	if (strcmp(field, "image") == 0)
		return set_cover(c, w, set, value, upload);
	if (strcmp(field, "image_alt") == 0 || strcmp(field, "image_caption") == 0)
		return set_words(c, set, field, value);
	return set_field(c, set, field, value);
}

/* Refuses a cover that the save brings, is a stored picture, and is in no list of the workspace
 * any more: somebody removed it since set_cover_field(). `now` is the present cover, or NULL. In
 * the writing transaction. */
static struct err *
check_cover(struct ctx *c, const struct workspace *w, const struct snapshot *s, const char *now)
{
	if (s->image == NULL || strncmp(s->image, "media:", 6) != 0 ||
	    (now != NULL && strcmp(now, s->image) == 0) ||
	    alternative_of(c, w, s->image + 6) != NULL)
		return NULL;
	return no_picture(c);
}

/* ---- the fields as a form shows them */

const char *const write_fields[WRITE_FIELDS] = { "title", "slug", "meta_description", "language",
	"tags", "section", "author_name", "author_url", "noindex", "image", "image_alt",
	"image_caption", "published_url", "created_at" };

static const char *
join_tags(struct ctx *c, const struct snapshot *s)
{
	struct buf out;

	buf_init(&out, c->arena, (size_t)1024 * 1024);
	for (size_t i = 0; i < s->tag_count; i++)
		buf_printf(&out, "%s%s", i > 0 ? ", " : "", s->tags[i]);
	return buf_done(&out);
}

/* Sets the values of a form from an article and what is shown of it; the date is the day in the
 * zone of the request (screen/say.h). */
static void
show_values(struct ctx *c, const struct article *a, const struct snapshot *s,
    const char *values[WRITE_FIELDS])
{
	char date[CLOCK_TEXT];

	clock_format_date(date, say_day_of(c, a->created_at) * CLOCK_DAY);
	values[WRITE_TITLE] = s->title;
	values[WRITE_SLUG] = s->slug;
	values[WRITE_DESCRIPTION] = text_or_empty(s->meta_description);
	values[WRITE_LANGUAGE] = s->language;
	values[WRITE_TAGS] = join_tags(c, s);
	values[WRITE_SECTION] = text_or_empty(s->section);
	values[WRITE_AUTHOR] = text_or_empty(s->author_name);
	values[WRITE_AUTHOR_URL] = text_or_empty(s->author_url);
	values[WRITE_NOINDEX] = s->noindex ? "true" : "";
	values[WRITE_IMAGE] = text_or_empty(s->image);
	values[WRITE_IMAGE_ALT] = text_or_empty(s->content.image_alt);
	values[WRITE_IMAGE_CAPTION] = text_or_empty(s->content.image_caption);
	values[WRITE_PUBLISHED_URL] = text_or_empty(a->published_url);
	values[WRITE_CREATED_AT] = arena_text(c->arena, date);
}

bool
write_counts_at_once(const struct article *a, enum write_field f)
{
	return f == WRITE_PUBLISHED_URL || f == WRITE_CREATED_AT ||
	       (f == WRITE_SLUG && a->version > 0);
}

/* ---- the two sides, and what they were made from */

const char *
writing_text(struct ctx *c, const struct settings *settings, struct side *s)
{
	const char *text;

	if (s->shown != NULL)
		return s->shown;
	if (s->body == NULL)
		s->body = body_text(c, &s->snapshot->content);
	if (s->typed == NULL)
		return s->body;
	text = body_carry(c, settings, s->typed_for, s->typed, s->snapshot, 0);
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
	show_values(c, a, out->snapshot, out->values);
	token_base(a, token);
	if (save_find(c, a, token, &save)) {
		out->shown = save.text;
		out->save = save.id;
		out->person = save.person;
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

/* Returns the working copy with this token, as a form showed it at this time (0: not known), from
 * the saves (also from one that an automatic save replaced), or from the edition that was made of
 * it. Returns NULL if it is no longer known. Sets *save to the one that has it, if there is one. */
static struct snapshot *
find_base(struct ctx *c, const struct article *a, const char *token, int64_t at, struct save *save)
{
	struct snapshot *s = NULL;
	struct article was = *a;
	char edition[TOKEN_TEXT];

	memcpy(was.digest, a->edition_of, ARTICLE_DIGEST);
	token_base(&was, edition);
	*save = (struct save) { .text = NULL };
	if (!save_base(c, a, token, at, save, &s) && a->version > 0 && strcmp(edition, token) == 0)
		s = article_edition(c, a, a->version);
	return s;
}

/* Reads the base of a write. Where it is no longer known the newest save that was there before is
 * a base of both sides, too. Where nobody knows one, it is taken as one without text. */
static void
read_base(struct writing *g)
{
	struct ctx *c = g->c;
	const struct article *a = g->article;
	struct side *base = &g->base;
	struct save save;
	struct snapshot *s = find_base(c, a, g->w->base, g->w->made_at, &save);

	if (s == NULL && g->w->made_at > 0 && save_before(c, a, g->w->made_at, &save)) {
		s = save_snapshot(c, a, save.id);
	} else if (s == NULL) {
		s = arena_alloc(c->arena, sizeof(*s));
		*s = *g->theirs.snapshot;
		content_init(&s->content, s->language);
	}
	*base = (struct side) { .snapshot = s, .shown = save.text, .save = save.id };
	if (save.id != 0)
		find_typed(c, a, base, save.id);
	show_values(c, a, s, base->values);
}

static bool
same_text(const char *one, const char *other)
{
	return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

/* Reads the article of a write, its workspace and both sides, in a transaction of its own. Sets
 * `theirs` of the write. */
static struct err *
read_sides(struct writing *g)
{
	struct ctx *c = g->c;
	char token[TOKEN_TEXT];

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_id(c, g->w->id, &g->article));
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
	return action_commit(c);
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
	const struct block_facts_sides sides = { g->base.snapshot, g->theirs.snapshot,
		writing_text(c, settings, &g->base), theirs,
		same_text(g->theirs.person, w->person) };

	merge_make(c->arena, sides.was, theirs, w->text, &w->merge);
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
	if (strcmp(text, theirs) == 0 && g->facts.count == 0)
		return NULL;
	TRY(block_facts_move(c, settings, &sides, w->text, text, &g->facts));
	g->text = text;
	w->merged =
	    (g->facts.count > 0 || strcmp(text, theirs) != 0) && strcmp(sides.was, theirs) != 0;
	return block_facts_set(c, settings, g->theirs.snapshot, theirs,
	    w->values[WRITE_TITLE] != NULL ? w->values[WRITE_TITLE] : g->theirs.values[WRITE_TITLE],
	    text, &g->facts, out);
}

static struct err *
make_content(struct writing *g, struct content *out)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	const struct settings *settings = &g->workspace->settings;
	const char *title = w->values[WRITE_TITLE];
	struct content mine;
	struct err *err;

	*out = g->theirs.snapshot->content;
	g->text = g->theirs.shown;
	if (w->change != NULL)
		return w->change(
		    c, w->change_arg, settings, g->theirs.snapshot, g->theirs.shown, out, &g->text);
	if (w->text == NULL)
		return NULL;
	TRY(block_facts_read(c, w->facts, &g->facts));
	if (g->facts.count == 0 && strcmp(writing_text(c, settings, &g->base), w->text) == 0)
		return NULL;
	err = block_facts_set(c, settings, g->base.snapshot, writing_text(c, settings, &g->base),
	    title != NULL ? title : g->base.values[WRITE_TITLE], w->text, &g->facts, &mine);
	if (err != NULL) {
		if (err->param == NULL && err->code == ERR_INVALID)
			err->param = "text";
		return err;
	}
	if (g->stale)
		return merge_texts(g, out);
	*out = mine;
	g->text = w->text;
	return NULL;
}

/* ---- the fields that are stored */

/* Sets a field of `set` as it was sent; a date without a time is a day in the zone of the request.
 * No transaction may be open. */
static struct err *
set_one_field(struct writing *g, const struct workspace *w, enum write_field f)
{
	const char *value = g->w->values[f];

	TRY(set_cover_field(g->c, w, &g->set, write_fields[f], value, g->w->upload));
	/* A day without a time is one of the workspace's zone, as the list shows it. */
	if (f == WRITE_CREATED_AT && strlen(value) == strlen("2026-09-01"))
		g->set.created_at = say_day_begin(g->c, g->set.created_at / CLOCK_DAY);
	return NULL;
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
	return set_one_field(g, g->workspace, f);
}

/* Makes the working copy as it will be, in `set` and `text`. Sets `merged`, and `clashed` where
 * the person must choose; then nothing may be stored. */
static struct err *
make_copy(struct writing *g)
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

struct err *
writing_base(struct ctx *c, const struct workspace *w, const char *id, const char *token,
    const struct snapshot **out)
{
	struct article *a;
	char now[TOKEN_TEXT];
	struct save save;

	*out = NULL;
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_in(c, w, id, &a));
	token_base(a, now);
	*out =
	    strcmp(now, token) == 0 ? article_working_copy(c, a) : find_base(c, a, token, 0, &save);
	return action_commit(c);
}

struct err *
write_look(struct ctx *c, const struct workspace *w, const char *id, const struct article **a,
    struct write_view *out)
{
	struct article *found;
	struct save last;
	struct side side;

	out->saved_by = NULL;
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_in(c, w, id, &found));
	writing_present(c, found, &side);
	(void)handed_find(c, found, &out->handed);
	if (save_last(c, found, &last) && memcmp(last.digest, found->digest, ARTICLE_DIGEST) == 0) {
		out->saved_by = last.person;
		out->saved_at = last.saved_at;
	}
	action_commit(c);
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
keep_save(struct writing *g, const struct article *before, const struct article *a)
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
		body_losses(g->c, &ws->settings, g->set.snapshot, text, &losses);
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
	return article_publish(c, ws, a, 0, 0);
}

static struct err *
act_then(struct writing *g, struct workspace *ws, struct article *a)
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

	if (w->merge.clashes == 0)
		return NULL;
	mine = arena_alloc(g->c->arena, sizeof(*mine));
	*mine = *g->base.snapshot;
	TRY(body_read(g->c, &g->workspace->settings, g->base.snapshot, g->base.values[WRITE_TITLE],
	    w->text, &mine->content));
	return save_keep(g->c, a, mine, w->person, w->text);
}

static struct err *
save_copy(struct writing *g, struct workspace *ws, struct article *a)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	const struct article before = *a;
	const char *text = g->theirs.shown;
	bool changed;
	struct err *err;

	/* Somebody may have published it since the button was shown. */
	if (w->then == WRITE_TRASH && a->status == ARTICLE_PUBLISHED)
		w->then = WRITE_SAVE;
	err = keep_loser(g, a);
	if (err == NULL && w->automatic && w->slug_is_derived && a->version == 0 &&
	    strcmp(g->set.snapshot->title, a->title) != 0)
		err = name_choose_slug(c, a->workspace_id, a->id,
		    slug_make(c->arena, g->set.snapshot->title), true, &g->set.snapshot->slug);
	if (err == NULL && w->upload != NULL)
		err = upload_insert(c, ws, w->upload);
	if (err == NULL)
		err = check_cover(c, ws, g->set.snapshot, g->theirs.snapshot->image);
	/* A text that nobody changed stays to the letter. */
	if (g->set.snapshot->content.sections != g->theirs.snapshot->content.sections)
		cover_fit_text(c, &g->set.snapshot->content);
	if (err == NULL)
		err = article_save(c, ws, a, g->set.snapshot, w->then == WRITE_TRASH, &changed);
	if (err != NULL)
		return err;
	w->saved = changed || (g->text != NULL && (text == NULL || strcmp(g->text, text) != 0));
	if (w->saved)
		keep_save(g, &before, a);
	if (strcmp(text_or_empty(a->published_url), text_or_empty(g->set.published_url)) != 0) {
		article_set_published_url(c, ws, a, g->set.published_url);
		w->saved = true;
	}
	if (g->set.created_at != a->created_at) {
		article_set_created_at(c, ws, a, g->set.created_at);
		w->saved = true;
	}
	return act_then(g, ws, a);
}

/* Saves, unless somebody else saved since the article was read. */
static struct err *
write_over(struct writing *g, bool *again)
{
	struct workspace *ws;
	struct article *a;

	(void)FAULT("save-looked");
	*again = false;
	ACTION(g->c, begin_article(g->c, g->w->id, &ws, &a));
	*again = memcmp(a->digest, g->article->digest, ARTICLE_DIGEST) != 0;
	if (*again)
		return refuse(g->c, ERR_CONFLICT,
		    tr_mark("Somebody else is saving this article all the time. Send it again."));
	if (a->status == ARTICLE_DELETED)
		return refuse(g->c, ERR_CONFLICT,
		    tr_mark(
			"This article is in the trash, so nothing was saved. Restore it first."));
	TRY(save_copy(g, ws, a));
	gate_leave(g->c);
	return action_commit(g->c);
}

/* ---- a new article */

static struct err *
insert_article(struct writing *g)
{
	struct ctx *c = g->c;
	struct write *w = g->w;
	struct snapshot *s = g->set.snapshot;
	struct article_new how = { .uuid = w->id,
		.created_at = g->set.created_at,
		.published_url = g->set.published_url };
	struct workspace *ws;
	struct article *a;

	ACTION(c, workspace_begin(c, w->workspace, &ws));
	how.slug_is_derived = s->slug[0] == '\0';
	if (how.slug_is_derived)
		s->slug = slug_make(c->arena, s->title);
	if (w->upload != NULL)
		TRY(upload_insert(c, ws, w->upload));
	TRY(check_cover(c, ws, s, NULL));
	cover_fit_text(c, &s->content);
	TRY(article_insert(c, ws, s, &how, &a));
	save_insert(c, a, s, w->person, w->text);
	if (w->automatic)
		(void)save_thin(c, a, w->person);
	w->saved = true;
	TRY(act_then(g, ws, a));
	gate_leave(c);
	return action_commit(c);
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
	err = block_facts_read(c, w->facts, &g->facts);
	if (err == NULL && w->text != NULL && w->text[0] != '\0')
		err = block_facts_set(
		    c, settings, s, NULL, w->values[WRITE_TITLE], w->text, &g->facts, &s->content);
	if (err != NULL && err->param == NULL)
		err->param = "text";
	for (size_t f = 0; f < WRITE_FIELDS && err == NULL; f++) {
		bool waits = w->automatic && (f == WRITE_PUBLISHED_URL || f == WRITE_CREATED_AT);
		if (w->values[f] != NULL && w->values[f][0] != '\0' && !waits)
			err = set_one_field(g, w->workspace, f);
	}
	return err != NULL ? err : insert_article(g);
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

/* ---- what is pasted */

/* Takes the backslashes from the signs of struck-out text: it is typed with these signs. The text
 * of a content has them as any other sign. */
static void
type_struck(char *text)
{
	char *to = text;

	for (const char *p = text; *p != '\0'; p++) {
		if (strncmp(p, "\\~\\~", 4) == 0) {
			*to++ = '~';
			*to++ = '~';
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

struct err *
pasted_read(struct ctx *c, const struct workspace *w, const char *html, struct pasted *out)
{
	const struct document_options options = { .settings = &w->settings, .posts = true };
	/* A title that no heading is: each of them stays. */
	struct document d = { .snapshot = { .title = "", .language = w->settings.language } };
	struct losses losses = { .c = c };
	struct notes notes = { .c = c };
	char *text;

	if (strlen(html) > PASTED_MAX)
		return refuse(c, ERR_TOO_LARGE,
		    tr_mark(
			"This is too long to be read with its formats: they may have %zu MiB. Paste it as plain text."),
		    PASTED_MAX >> 20);
	TRY(markdown_html(c, html, 1, &options, &losses, &notes, &d));
	text = arena_text(c->arena, body_text(c, &d.snapshot.content));
	type_struck(text);
	for (size_t len = strlen(text); len > 0 && text[len - 1] == '\n'; len--)
		text[len - 1] = '\0';
	out->markdown = text;
	out->snapshot = d.snapshot;
	out->pictures_left_out = losses.pictures;
	return NULL;
}
