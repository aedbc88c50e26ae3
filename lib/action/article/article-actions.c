#include "action/article/article-actions.h"

#include <string.h>

#include "action/action.h"
#include "action/picture-actions.h"
#include "article/article-name.h"
#include "article/article.h"
#include "article/stored.h"
#include "article/text-room.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "content/slug.h"
#include "content/url.h"
#include "export/export.h"
#include "import/import-pictures.h"
#include "import/markdown/fields.h"
#include "import/markdown/markdown.h"
#include "screen/tr.h"
#include "system/near.h"

void
saved_read(struct ctx *c, const struct workspace *w, const struct article *a, struct saved *out)
{
	out->article = a;
	out->unfinished = article_unfinished(c, a);
	out->moves = moved_find(c, w, a, &out->from, &out->to);
}

/* Inserts the article, inside the transaction. */
static struct err *
insert(struct ctx *c, struct workspace *w, const char *title, const struct article **out)
{
	struct article_new how = { .slug_is_derived = true };
	struct snapshot s = { .title = title };
	struct article *a;

	s.slug = slug_make(c->arena, s.title);
	s.language = w->settings.language;
	content_init(&s.content, s.language);
	TRY(article_insert(c, w, &s, &how, &a));
	*out = a;
	return NULL;
}

/* ---- creating */

struct err *
create_draft(
    struct ctx *c, const struct workspace *w, const char *title, const struct article **out)
{
	struct workspace *present;

	ACTION(c, workspace_begin(c, w, &present));
	TRY(insert(c, present, title, out));
	return action_commit(c);
}

static struct err *
begin(struct ctx *c, const char *id, struct look *l)
{
	struct article *a;

	db_begin_read(c, DB_CONTENT);
	TRY(find_article_id(c, id, &a));
	*l = (struct look) { .article = a,
		.workspace = workspace_of(c, a->workspace_id),
		.unfinished = article_unfinished(c, a) };
	later_view(c, a, &l->later);
	return NULL;
}

static struct err *
read_edition_of(struct ctx *c, int64_t version, struct look *l)
{
	TRY(find_edition(c, l->article, version, &l->edition));
	l->is_edition = true;
	l->source = stored_edition(c, l->workspace, l->article, &l->edition);
	return NULL;
}

struct err *
look_at_copy(struct ctx *c, const char *id, struct look *out)
{
	ACTION(c, begin(c, id, out));
	out->source = stored_source(c, out->workspace, out->article, true);
	return action_commit(c);
}

struct err *
look_at_published(struct ctx *c, const char *id, struct look *out)
{
	ACTION(c, begin(c, id, out));
	if (out->article->status != ARTICLE_PUBLISHED)
		return err_hint(c,
		    refuse(c, ERR_CONFLICT, tr_mark("%s is not published."), out->article->title),
		    HINT_EDITIONS, out->article->uuid);
	TRY(read_edition_of(c, FIND_NEWEST, out));
	return action_commit(c);
}

struct err *
look_at_edition(struct ctx *c, const char *id, int64_t version, struct look *out)
{
	ACTION(c, begin(c, id, out));
	TRY(read_edition_of(c, version, out));
	return action_commit(c);
}

static void
read_text(struct ctx *c, struct edit *e)
{
	struct buf text;

	token_base(e->article, e->base);
	buf_init(&text, c->arena, 4 * EXPORT_BYTES_MAX);
	markdown_write_article(c, e->article, article_working_copy(c, e->article), &text);
	e->text = buf_done(&text);
	e->len = text.len;
}

struct err *
edit_open(struct ctx *c, const struct find_place *place, const char *name, struct edit *e)
{
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article(c, place, name, &a));
	e->article = a;
	e->workspace = workspace_of(c, a->workspace_id);
	read_text(c, e);
	return action_commit(c);
}

struct err *
edit_save(
    struct ctx *c, const struct edit *e, const char *text, size_t len, struct import_result *result)
{
	const struct import_options options = {
		.id = e->article->uuid, .base = e->base, .move = e->move
	};

	return import_text(c, e->workspace, text, len, &options, result);
}

struct err *
edit_end(struct ctx *c, struct edit *e)
{
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_id(c, e->article->uuid, &a));
	e->article = a;
	e->unfinished = article_unfinished(c, a);
	return action_commit(c);
}

typedef struct err *setter(struct ctx *c, struct set *set, const char *field, const char *value);

/* Returns NULL for "": a member that is not set is NULL. */
static const char *
text_or_null(struct ctx *c, const char *value)
{
	return value[0] == '\0' ? NULL : arena_text(c->arena, value);
}

static struct err *
set_title(struct ctx *c, struct set *set, const char *field, const char *value)
{
	if (value[0] == '\0')
		return err_param(c, field, tr_mark("An article needs a title."));
	set->snapshot->title = arena_text(c->arena, value);
	return NULL;
}

static struct err *
set_slug(struct ctx *c, struct set *set, const char *field, const char *value)
{
	if (!slug_is_valid(c->arena, value))
		return err_param(c, field,
		    tr_mark(
			"%s is not a slug: write lower-case letters and digits with single hyphens between them, such as %s."),
		    value[0] != '\0' ? value : "Nothing",
		    slug_make(c->arena, value[0] != '\0' ? value : set->snapshot->title));
	set->snapshot->slug = arena_text(c->arena, value);
	return NULL;
}

/* Replaces a heading that is the usual one of the old language by the usual one
 * of the new language. */
static void
move_label(const char **label, const char *old, const char *language, enum lang_label which)
{
	if (strcmp(*label, lang_label(old, which)) == 0)
		*label = lang_label(language, which);
}

static struct err *
set_language(struct ctx *c, struct set *set, const char *field, const char *value)
{
	const char *old = set->snapshot->language, *language;
	struct content *content = &set->snapshot->content;

	TRY(subtag_read(c, field, value, old, &language));
	if (strcmp(language, old) != 0 && subtag_doubt(c->arena, language) != NULL)
		set->doubt = subtag_doubt(c->arena, language);
	move_label(&content->labels.takeaways, old, language, LANG_TAKEAWAYS);
	move_label(&content->labels.faqs, old, language, LANG_FAQS);
	move_label(&content->labels.references, old, language, LANG_REFERENCES);
	set->snapshot->language = language;
	return NULL;
}

static struct err *
web_address(struct ctx *c, const char **slot, const char *field, const char *value)
{
	*slot = NULL;
	if (value[0] == '\0')
		return NULL;
	*slot = url_clean_web(c->arena, value);
	if (*slot == NULL)
		return err_param(
		    c, field, tr_mark("%s must be an absolute https or http address."), field);
	return NULL;
}

static struct err *
set_author_name(struct ctx *c, struct set *set, const char *field, const char *value)
{
	(void)field;
	set->snapshot->author_name = text_or_null(c, value);
	return NULL;
}

static struct err *
set_author_url(struct ctx *c, struct set *set, const char *field, const char *value)
{
	return web_address(c, &set->snapshot->author_url, field, value);
}

static struct err *
set_noindex(struct ctx *c, struct set *set, const char *field, const char *value)
{
	bool on = strcmp(value, "true") == 0 || strcmp(value, "on") == 0;

	set->snapshot->noindex = on;
	if (!on && value[0] != '\0' && strcmp(value, "false") != 0 && strcmp(value, "off") != 0)
		return err_param(c, field, tr_mark("%s must be true or false."), field);
	return NULL;
}

static struct err *
set_meta_title(struct ctx *c, struct set *set, const char *field, const char *value)
{
	(void)field;
	set->snapshot->meta_title = text_or_null(c, value);
	return NULL;
}

static struct err *
set_meta_description(struct ctx *c, struct set *set, const char *field, const char *value)
{
	(void)field;
	set->snapshot->meta_description = text_or_null(c, value);
	return NULL;
}

static struct err *
set_section(struct ctx *c, struct set *set, const char *field, const char *value)
{
	(void)field;
	set->snapshot->section = text_or_null(c, value);
	return NULL;
}

/* Sets the tags from words separated by commas, without the spaces around them. */
static struct err *
set_tags(struct ctx *c, struct set *set, const char *field, const char *value)
{
	struct snapshot *s = set->snapshot;
	const char *end;

	(void)field;
	s->tags = arena_array(c->arena, strlen(value) / 2 + 1, sizeof(*s->tags));
	s->tag_count = 0;
	for (; *value != '\0'; value = end + (*end != '\0')) {
		size_t len;
		value += strspn(value, " ");
		len = strcspn(value, ",");
		end = value + len;
		while (len > 0 && value[len - 1] == ' ')
			len--;
		if (len > 0)
			s->tags[s->tag_count++] = arena_text_n(c->arena, value, len);
	}
	return NULL;
}

static struct err *
set_published_url(struct ctx *c, struct set *set, const char *field, const char *value)
{
	return web_address(c, &set->published_url, field, value);
}

static struct err *
set_created_at(struct ctx *c, struct set *set, const char *field, const char *value)
{
	if (fields_date(c, value, &set->created_at))
		return NULL;
	return err_param(c, field,
	    tr_mark("%s is not a time: write 2026-09-01 or 2026-09-01T08:00:00Z."), value);
}

static void
forget_image(struct snapshot *s)
{
	s->image = NULL;
	s->image_type = NULL;
	s->image_width = s->image_height = 0;
	s->image_generated = false;
}

/* Sets the cover: a web address, or a file that becomes stored media. */
static struct err *
set_image(struct ctx *c, struct set *set, const char *field, const char *value)
{
	struct snapshot *s = set->snapshot;

	forget_image(s);
	set->has_image = false;
	if (value[0] == '\0') {
		s->content.image_alt = s->content.image_caption = NULL;
		return NULL;
	}
	if (strstr(value, "://") != NULL) {
		if (strncmp(value, "https://", 8) == 0)
			s->image = url_clean_web(c->arena, value);
		if (s->image == NULL)
			return err_param(
			    c, field, tr_mark("image must be a file or an https address."));
		return NULL;
	}
	TRY(import_picture(c, value, &set->image));
	set->has_image = true;
	s->image = set->image.url;
	s->image_type = set->image.type;
	s->image_width = set->image.width;
	s->image_height = set->image.height;
	return NULL;
}

static struct err *
image_text(struct ctx *c, struct set *set, const char **slot, const char *field, const char *value)
{
	*slot = text_or_null(c, value);
	if (*slot != NULL && set->snapshot->image == NULL)
		return err_param(
		    c, field, tr_mark("The article has no image yet: set image first."));
	if (utf8_length(value) > CONTENT_TEXT_MAX)
		return err_param(
		    c, field, tr_mark("%s has more than %d characters."), field, CONTENT_TEXT_MAX);
	if (utf8_forbidden(value, true) != NULL)
		return err_param(
		    c, field, tr_mark("%s must be one line without control characters."), field);
	return NULL;
}

static struct err *
set_image_alt(struct ctx *c, struct set *set, const char *field, const char *value)
{
	return image_text(c, set, &set->snapshot->content.image_alt, field, value);
}

static struct err *
set_image_caption(struct ctx *c, struct set *set, const char *field, const char *value)
{
	return image_text(c, set, &set->snapshot->content.image_caption, field, value);
}

static const char *const set_fields[] = { "title", "slug", "language", "author_name", "author_url",
	"noindex", "meta_title", "meta_description", "section", "tags", "published_url",
	"created_at", "image", "image_alt", "image_caption", NULL };

static setter *const setters[] = { set_title, set_slug, set_language, set_author_name,
	set_author_url, set_noindex, set_meta_title, set_meta_description, set_section, set_tags,
	set_published_url, set_created_at, set_image, set_image_alt, set_image_caption };

struct err *
set_field(struct ctx *c, struct set *set, const char *field, const char *value)
{
	set->doubt = NULL;
	for (size_t i = 0; set_fields[i] != NULL; i++) {
		if (strcmp(set_fields[i], field) == 0)
			return setters[i](c, set, field, value);
	}
	return err_hint(c,
	    err_param(c, field, tr_mark("An article has no field %s%s"), field,
		near_question(c->arena, near_among(field, set_fields))),
	    HINT_ARTICLE_FIELDS, NULL);
}

struct err *
set_read(struct ctx *c, const struct find_place *place, const char *name, struct set *out)
{
	struct article *a;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article(c, place, name, &a));
	out->read = a;
	out->snapshot = article_working_copy(c, a);
	out->published_url = a->published_url;
	out->created_at = a->created_at;
	out->has_image = false;
	return action_commit(c);
}

/* Writes the fields, inside the transaction. */
static struct err *
write_fields(struct ctx *c, struct set *set, struct workspace *w, struct article *a)
{
	if (memcmp(a->digest, set->read->digest, ARTICLE_DIGEST) != 0)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"%s was changed by another at the same time; nothing was set. Say it again."),
		    a->title);
	TRY(moved_check(c, a, set->snapshot->slug, set->move));
	if (set->has_image)
		media_insert(c, &set->image);
	TRY(article_save(c, w, a, set->snapshot, false, NULL));
	article_set_published_url(c, w, a, set->published_url);
	if (set->created_at != a->created_at)
		article_set_created_at(c, w, a, set->created_at);
	saved_read(c, w, a, &set->saved);
	return NULL;
}

struct err *
set_write(struct ctx *c, struct set *set)
{
	struct workspace *w;
	struct article *a;

	ACTION(c, begin_article(c, set->read->uuid, &w, &a));
	TRY(write_fields(c, set, w, a));
	return action_commit(c);
}

bool
review_is_own(const struct handed *h, const char *person)
{
	return h->at != 0 && strcmp(h->by, person) == 0;
}

/* Stores what was said, and the act that it was said with. */
static struct err *
note(struct ctx *c, const struct article *a, enum comment_kind kind, const char *person,
    const char *comment)
{
	if (comment == NULL)
		comment = "";
	if (strlen(comment) > COMMENT_MAX)
		return err_param(
		    c, "comment", tr("A comment has at most %d bytes."), (int)COMMENT_MAX);
	if (comment[0] != '\0')
		TRY(text_room_check(c));
	if (kind != COMMENT_SAID || comment[strspn(comment, " \n\t")] != '\0')
		comment_insert(c, a, kind, person, comment);
	return NULL;
}

struct err *
review_hand_in(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	struct handed h;

	if (handed_find(c, a, &h))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This article is handed in already, so nothing was done."));
	if (a->status == ARTICLE_PUBLISHED && !article_has_changes(a))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("There is nothing to hand in: nothing was changed since this article was published."));
	handed_set(c, a, person);
	return note(c, a, COMMENT_HANDED_IN, person, comment);
}

struct err *
review_hand_back(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	struct handed h;

	if (!handed_find(c, a, &h))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This article is not handed in any more, so nothing was done."));
	handed_end(c, a);
	return note(c, a, COMMENT_HANDED_BACK, person, comment);
}

struct err *
review_take_back(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	struct handed h;

	if (!handed_find(c, a, &h))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This article is not handed in any more, so nothing was done."));
	if (!review_is_own(&h, person))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("Somebody else handed this article in, so nothing was done."));
	handed_end(c, a);
	return note(c, a, COMMENT_TAKEN_BACK, person, comment);
}

struct err *
review_say(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	return note(c, a, COMMENT_SAID, person, comment);
}

static void
keep_comment(void *arg, const struct comment *comment)
{
	struct review *r = arg;

	if (r->count < REVIEW_SHOWN)
		r->comments[r->count++] = *comment;
}

struct err *
review_look(struct ctx *c, const struct workspace *w, const char *id, struct review *out)
{
	struct article *a;

	*out = (struct review) { .count = 0 };
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_in(c, w, id, &a));
	(void)handed_find(c, a, &out->handed);
	comment_list(c, a, REVIEW_SHOWN, keep_comment, out);
	return action_commit(c);
}

/* ---- destroying */

void
destroy_add(struct ctx *c, struct destroy *d, const struct article *a)
{
	struct article *kept = arena_alloc(c->arena, sizeof(*kept));

	if (d->count == d->room) {
		size_t room = d->room == 0 ? 16 : 2 * d->room;
		d->articles = arena_grow(c->arena, d->articles, d->room * sizeof(*d->articles),
		    room * sizeof(*d->articles));
		d->room = room;
	}
	*kept = *a;
	d->articles[d->count++] = kept;
}

struct err *
destroy_find_old(struct ctx *c, const struct find_place *place, int64_t span, struct destroy *d)
{
	struct workspace *w = NULL;
	struct stmt *all = NULL, *q;
	struct article a;

	ACTION(c, action_reading(c, DB_CONTENT));
	/* The chosen workspace limits what is destroyed. */
	if (place->name != NULL || place->chosen != NULL)
		TRY(find_workspace(c, place, &w));
	else
		w = workspace_next(c, all = workspace_list(c));
	while (w != NULL) {
		/* Only articles that came into the trash before this time. */
		for (q = article_list(c, w->id, ARTICLE_DELETED, INT64_MAX); article_next(q, &a);)
			if (a.updated_at < c->now - span)
				destroy_add(c, d, &a);
		w = all != NULL ? workspace_next(c, all) : NULL;
	}
	return action_commit(c);
}

/* Reads which workspace is meant. This must be known before the transaction that
 * changes the workspace begins. */
static struct workspace *
read_workspace_of(struct ctx *c, int64_t id)
{
	struct workspace *w;

	db_begin_read(c, DB_CONTENT);
	w = workspace_of(c, id);
	db_commit(c);
	return w;
}

/* Destroys one article, inside the transaction. */
static struct err *
destroy_one(struct ctx *c, const struct workspace *w, const char *id, struct purge_media *media)
{
	struct article *a;
	struct err *err = find_article_id(c, id, &a);

	return err != NULL ? err : purge_article(c, w, a, media);
}

/* Destroys all articles of the workspace in one transaction, so that the
 * remaining articles are searched for their pictures once. */
struct err *
destroy_workspace(struct ctx *c, struct destroy *d, int64_t workspace_id)
{
	struct workspace *w = read_workspace_of(c, workspace_id);
	bool any = false;

	d->done = arena_array(c->arena, d->count + 1, sizeof(*d->done));
	d->refused = arena_array(c->arena, d->count + 1, sizeof(*d->refused));
	purge_media_init(&d->media, c);
	ACTION(c, workspace_begin(c, w, &w));
	for (size_t i = 0; i < d->count; i++) {
		const struct article *a = d->articles[i];
		if (a->workspace_id != workspace_id)
			continue;
		d->refused[i] = destroy_one(c, w, a->uuid, &d->media);
		d->done[i] = d->refused[i] == NULL;
		any = any || d->done[i];
	}
	if (!any) {
		/* Nothing was done, so no form is noted as done. */
		db_rollback(c);
		return NULL;
	}
	purge_rows(c, &d->media);
	if (d->waits_not)
		upload_mark_gone(c, &d->media);
	return action_commit(c);
}

size_t
destroy_pictures(struct ctx *c, struct destroy *d)
{
	return d->waits_not ? upload_remove_gone(c, &d->media) : purge_files(c, &d->media);
}
