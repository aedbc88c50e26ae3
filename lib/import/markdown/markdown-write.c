#include "import/markdown/markdown.h"

#include <string.h>
#include <strings.h>

#include "article/article.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "import/extra.h"
#include "import/to-markdown.h"

/* Room for a document: its texts with escapes, and the content a second time. */
#define SIZE_MAX_WRITTEN (8 * (size_t)CONTENT_BYTES_MAX)

/* Returns whether YAML may contain the text without quotes, also in a list. */
static bool
is_plain(const char *text)
{
	static const char *const words[] = { "true", "false", "yes", "no", "on", "off", "null" };
	size_t len = strlen(text);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(words[i], text) == 0)
			return false;
	}
	for (const char *p = text; *p != '\0'; p++) {
		bool word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			    (unsigned char)*p >= 0x80;
		if (!word && (p == text || strchr("0123456789 .-_/()'", *p) == NULL))
			return false;
	}
	return len > 0 && text[len - 1] != ' ' && strstr(text, "\xE2\x80\xA8") == NULL &&
	       strstr(text, "\xE2\x80\xA9") == NULL;
}

/* Writes a text without quotes if YAML reads it back as the same text, else as a
 * JSON string. */
static void
write_scalar(struct buf *out, const char *text)
{
	struct jwrite w;

	if (is_plain(text)) {
		buf_add_text(out, text);
		return;
	}
	jwrite_init(&w, out);
	jwrite_text(&w, text);
}

static void
write_key(struct buf *out, const char *key, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	buf_printf(out, "%s: ", key);
	write_scalar(out, text);
	buf_add_char(out, '\n');
}

/* Writes a time; a midnight (UTC) as a date only. */
static void
write_date(struct buf *out, const char *key, int64_t at)
{
	char text[CLOCK_TEXT];

	if (at == 0)
		return;
	if (at % CLOCK_DAY == 0)
		clock_format_date(text, at);
	else
		clock_format_seconds(text, at);
	buf_printf(out, "%s: %s\n", key, text);
}

static void
write_tags(struct buf *out, const struct snapshot *s)
{
	if (s->tag_count == 0)
		return;
	buf_lit(out, "tags: [");
	for (size_t i = 0; i < s->tag_count; i++) {
		if (i > 0)
			buf_lit(out, ", ");
		write_scalar(out, s->tags[i]);
	}
	buf_lit(out, "]\n");
}

/* Writes the author as a name, or as a table of name and url. */
static void
write_author(struct buf *out, const struct snapshot *s)
{
	if (s->author_url == NULL) {
		write_key(out, "author", s->author_name);
		return;
	}
	buf_lit(out, "author: {");
	if (s->author_name != NULL) {
		buf_lit(out, "name: ");
		write_scalar(out, s->author_name);
		buf_lit(out, ", ");
	}
	buf_lit(out, "url: ");
	write_scalar(out, s->author_url);
	buf_lit(out, "}\n");
}

/* Writes the front matter. Keys without a value are left out. */
static void
write_head(const struct document *d, const char *galley, struct buf *out)
{
	const struct snapshot *s = &d->snapshot;

	buf_lit(out, "---\n");
	write_key(out, "title", s->title);
	write_key(out, "slug", s->slug);
	write_key(out, "description", s->meta_description);
	write_date(out, "date", d->date);
	write_date(out, "lastmod", d->lastmod);
	write_key(out, "lang", s->language);
	write_key(out, "image", s->image);
	write_key(out, "imageAlt", s->content.image_alt);
	write_key(out, "imageCaption", s->content.image_caption);
	write_tags(out, s);
	write_key(out, "section", s->section);
	write_author(out, s);
	if (s->noindex)
		buf_lit(out, "noindex: true\n");
	write_key(out, "published_url", d->published_url);
	if (d->draft)
		buf_lit(out, "draft: true\n");
	write_key(out, "id", d->id);
	write_key(out, "base", d->base);
	buf_printf(out, "galley: %s\n---\n", galley);
}

/* Writes a whole document, with what extra_write() makes of the rest. */
static void
write_whole(struct ctx *c, const struct document *d, const char *body, const struct content *plain,
    bool exact, struct buf *out)
{
	struct buf galley;

	buf_init(&galley, c->arena, SIZE_MAX_WRITTEN);
	extra_write(c, &d->snapshot, plain, exact ? body : NULL, &galley);
	buf_reset(out);
	write_head(d, buf_done(&galley), out);
	if (body[0] != '\0')
		buf_printf(out, "\n%s", body);
}

/* Reads a text as an import does. Returns false if the import refuses it. */
static bool
reads_as(struct ctx *c, const struct buf *text, const char *language, struct document *back)
{
	const struct settings settings = { .language = language };
	const struct document_options options = { .settings = &settings };
	struct notes notes = { .c = c };

	return markdown_read(c, text->data, text->len, &options, &notes, back) == NULL;
}

/* Tries three forms, and checks each by reading it back: Markdown alone; with the
 * exact texts that Markdown says in other words; with the whole content. */
void
markdown_write(struct ctx *c, const struct document *document, struct buf *out)
{
	const struct content *content = &document->snapshot.content;
	const char *language = document->snapshot.language;
	struct document back;
	struct content plain;
	struct buf body, text;

	buf_init(&body, c->arena, SIZE_MAX_WRITTEN);
	buf_init(&text, c->arena, 2 * SIZE_MAX_WRITTEN);
	to_markdown_body(c, content, &body);
	write_whole(c, document, buf_done(&body), NULL, false, &text);
	if (reads_as(c, &text, language, &back) &&
	    !content_is_same(c, content, &back.snapshot.content)) {
		plain = back.snapshot.content;
		write_whole(c, document, body.data, &plain, false, &text);
	}
	if (!reads_as(c, &text, language, &back) ||
	    !content_is_same(c, content, &back.snapshot.content))
		write_whole(c, document, body.data, NULL, true, &text);
	buf_add(out, text.data, text.len);
}

void
markdown_write_article(
    struct ctx *c, const struct article *a, const struct snapshot *snapshot, struct buf *out)
{
	struct document d;
	char base[TOKEN_TEXT];

	memset(&d, 0, sizeof(d));
	token_base(a, base);
	d.snapshot = *snapshot;
	d.has_slug = true;
	d.id = a->uuid;
	d.base = base;
	d.date = a->created_at;
	d.published_url = a->published_url;
	markdown_write(c, &d, out);
}
