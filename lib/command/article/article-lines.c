#include "command/article/article-lines.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/unmark.h"

static void
field(struct buf *out, const char *name, const char *value)
{
	if (value != NULL && value[0] != '\0')
		buf_printf(out, "%s: %s\n", name, value);
}

static void
tags(struct buf *out, const struct snapshot *s)
{
	for (size_t i = 0; i < s->tag_count; i++)
		buf_printf(out, "%s%s", i == 0 ? "tags: " : ", ", s->tags[i]);
	if (s->tag_count > 0)
		buf_add_char(out, '\n');
}

void
article_lines_write(struct ctx *c, const struct snapshot *s, struct buf *out)
{
	struct buf body;

	field(out, "title", s->title);
	field(out, "slug", s->slug);
	field(out, "language", s->language);
	field(out, "author_name", s->author_name);
	field(out, "author_url", s->author_url);
	field(out, "noindex", s->noindex ? "true" : NULL);
	field(out, "unfinished",
	    s->unfinished == 0 ? NULL : arena_printf(c->arena, "%lld", (long long)s->unfinished));
	field(out, "meta_title", s->meta_title);
	field(out, "meta_description", s->meta_description);
	field(out, "section", s->section);
	tags(out, s);
	field(out, "image", s->image);
	field(out, "image_alt", s->content.image_alt);
	field(out, "image_caption", s->content.image_caption);
	field(out, "summary", s->content.summary);
	buf_add_char(out, '\n');
	/* The body has its own buffer: there it begins without an empty line. */
	buf_init(&body, c->arena, 8 * (size_t)CONTENT_BYTES_MAX);
	unmark_body(c, &s->content, &body);
	buf_add_text(out, buf_done(&body));
}
