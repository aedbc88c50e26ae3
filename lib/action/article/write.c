/* The fields of an article as a form shows them. */
#include "action/article/write.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/say.h"

const char *const write_fields[WRITE_FIELDS] = { "title", "slug", "meta_description", "language",
	"tags", "section", "author_name", "author_url", "noindex", "image", "image_alt",
	"image_caption", "published_url", "created_at" };

static const char *
text_or_empty(const char *text)
{
	return text != NULL ? text : "";
}

static const char *
join_tags(struct ctx *c, const struct snapshot *s)
{
	struct buf out;

	buf_init(&out, c->arena, (size_t)1024 * 1024);
	for (size_t i = 0; i < s->tag_count; i++)
		buf_printf(&out, "%s%s", i > 0 ? ", " : "", s->tags[i]);
	return buf_done(&out);
}

void
write_values(struct ctx *c, const struct article *a, const struct snapshot *s,
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
