#include "content/snapshot.h"

#include <string.h>

#include "base/ctx.h"
#include "base/utf8.h"
#include "content/slug.h"

static struct err *
check_line(struct ctx *c, const char *name, const char *text, size_t max)
{
	if (text == NULL)
		return NULL;
	if (text[0] == '\0')
		return err_param(c, name, tr_mark("%s must not be empty."), name);
	if (utf8_length(text) > max)
		return err_param(c, name,
		    tr_mark("%s has %zu characters; at most %zu are allowed."), name,
		    utf8_length(text), max);
	if (utf8_forbidden(text, true) != NULL)
		return err_param(c, name,
		    tr_mark("%s must be one line without control characters or bidi overrides."),
		    name);
	return NULL;
}

static struct err *
check_tags(struct ctx *c, const struct snapshot *s)
{
	if (s->tag_count > SNAPSHOT_TAGS_MAX)
		return err_param(c, "tags", tr_mark("There are %zu tags; at most %d are allowed."),
		    s->tag_count, SNAPSHOT_TAGS_MAX);
	for (size_t i = 0; i < s->tag_count; i++)
		TRY(check_line(c, "tags", s->tags[i], SNAPSHOT_NAME_MAX));
	return NULL;
}

/* Returns whether browsers show a picture of this type. */
static bool
is_type(const char *type)
{
	static const char *const types[] = { "image/png", "image/jpeg", "image/webp", "image/gif",
		"image/avif", "image/svg+xml" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(types[i], type) == 0)
			return true;
	}
	return false;
}

bool
snapshot_image_fits(const char *type, int64_t width, int64_t height)
{
	return (type == NULL || is_type(type)) && (width > 0) == (height > 0) && width >= 0 &&
	       height >= 0 && width <= SNAPSHOT_SIDE_MAX && height <= SNAPSHOT_SIDE_MAX;
}

/* Refuses a width without a height, a size without a picture, and a type or size
 * that no picture may have. */
static struct err *
check_image(struct ctx *c, const struct snapshot *s)
{
	if ((s->image_width > 0) != (s->image_height > 0))
		return err_param(
		    c, "image", tr_mark("A picture has a width and a height, or neither."));
	if (s->image == NULL && s->image_width > 0)
		return err_param(c, "image", tr_mark("There is a size but no picture."));
	if (!snapshot_image_fits(s->image_type, s->image_width, s->image_height))
		return err_param(c, "image",
		    tr_mark(
			"No picture has such a type or size: image/png, image/jpeg, image/webp, image/gif, image/avif or image/svg+xml, and at most %d pixels a side."),
		    SNAPSHOT_SIDE_MAX);
	return NULL;
}

struct err *
snapshot_check(struct ctx *c, const struct snapshot *s)
{
	const struct {
		const char *name, *text;
		size_t max;
	} lines[] = {
		{ "title", s->title, SNAPSHOT_TITLE_MAX },
		{ "author_name", s->author_name, SNAPSHOT_NAME_MAX },
		{ "meta_title", s->meta_title, SNAPSHOT_META_TITLE_MAX },
		{ "meta_description", s->meta_description, SNAPSHOT_META_DESCRIPTION_MAX },
		{ "section", s->section, SNAPSHOT_NAME_MAX },
	};
	struct err *err = NULL;

	if (s->title == NULL)
		return err_param(c, "title", tr_mark("An article needs a title."));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		TRY(check_line(c, lines[i].name, lines[i].text, lines[i].max));
	if (!slug_is_valid(c->arena, s->slug))
		return err_param(c, "slug",
		    tr_mark(
			"%s is not a slug: write lower-case letters and digits with single hyphens between them."),
		    s->slug);
	err = check_tags(c, s);
	return err != NULL ? err : check_image(c, s);
}
