#include "action/article/set.h"

#include <string.h>

#include "action/action.h"
#include "article/article-name.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "content/slug.h"
#include "content/subtag.h"
#include "content/url.h"
#include "import/import-picture.h"
#include "import/markdown/fields.h"
#include "system/near.h"

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
			"%s is no slug: write lower-case letters and digits with single hyphens between them, such as %s."),
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
	struct err *err = subtag_read(c, field, value, old, &language);

	if (err != NULL)
		return err;
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
	return err_param(
	    c, field, tr_mark("%s is no time: write 2026-09-01 or 2026-09-01T08:00:00Z."), value);
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
	struct err *err;

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
	err = import_picture(c, value, &set->image);
	if (err != NULL)
		return err;
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
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article(c, place, name, &a);
	if (err == NULL) {
		out->read = a;
		out->snapshot = article_working_copy(c, a);
		out->published_url = a->published_url;
		out->created_at = a->created_at;
		out->has_image = false;
	}
	return action_end(c, err);
}

/* Writes the fields, inside the transaction. */
static struct err *
write_fields(struct ctx *c, struct set *set, struct workspace *w, struct article *a)
{
	struct err *err;

	if (memcmp(a->digest, set->read->digest, ARTICLE_DIGEST) != 0)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"%s was changed by another at the same time; nothing was set. Say it again."),
		    a->title);
	err = moved_check(c, a, set->snapshot->slug, set->move);
	if (err != NULL)
		return err;
	if (set->has_image)
		media_insert(c, &set->image);
	err = article_save(c, w, a, set->snapshot, false, NULL);
	if (err != NULL)
		return err;
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
	struct err *err = begin_article(c, set->read->uuid, &w, &a);

	if (err == NULL)
		err = write_fields(c, set, w, a);
	return action_end(c, err);
}
