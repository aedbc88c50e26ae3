#include "import/markdown/over.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "import/markdown/frontmatter.h"
#include "import/markdown/markdown.h"
#include "import/markdown/places.h"
#include "import/markdown/unmark.h"

#define BODY_MAX (8 * (size_t)CONTENT_BYTES_MAX)

const char *
over_body(struct ctx *c, const struct content *content)
{
	struct buf body;

	buf_init(&body, c->arena, BODY_MAX);
	unmark_body(c, content, &body);
	return buf_done(&body);
}

/* Returns the front matter that says what the body does not. */
static const char *
head_of(struct ctx *c, const struct snapshot *base, const char *title,
    const char *body)
{
	struct document d = { .snapshot = *base, .has_slug = true };
	size_t behind = strlen(body) + (body[0] != '\0' ? 1 : 0);
	struct buf whole;

	d.snapshot.title = title;
	buf_init(&whole, c->arena, 2 * BODY_MAX);
	markdown_write(c, &d, &whole);
	return arena_text_n(c->arena, buf_done(&whole), whole.len - behind);
}

/* Returns the line that an English sentence names, or 0. */
static unsigned long
line_in(const char *message)
{
	const char *at = strstr(message, "line ");

	return at != NULL ? strtoul(at + 5, NULL, 10) : 0;
}

/* Makes the line that a sentence names one of the body. */
static void
move_line(struct ctx *c, struct err *err, unsigned long line, unsigned above)
{
	const char *number = arena_printf(c->arena, "%lu", line);
	const char *at = strstr(err->message, number);

	if (at != NULL && line > above)
		err->message = arena_printf(c->arena, "%.*s%lu%s",
		    (int)(at - err->message), err->message, line - above,
		    at + strlen(number));
}

/* Reads a document. *line is the line that a refusal names, or 0. The place of the number
 * in a sentence is known in English alone, so what is refused is read again for the reader's
 * language. */
static struct err *
read_document(struct ctx *c, const char *text, const struct document_options *options,
    struct document *d, unsigned long *line)
{
	const char *(*say)(const char *, const char *, int64_t) = c->say;
	struct notes notes = { .c = c };
	struct err *err;

	c->say = NULL;
	err = markdown_read(c, text, strlen(text), options, &notes, d);
	c->say = say;
	*line = err != NULL ? line_in(err->message) : 0;
	if (err != NULL && say != NULL) {
		notes = (struct notes){ .c = c };
		err = markdown_read(c, text, strlen(text), options, &notes, d);
	}
	return err;
}

/* Reads a text with the front matter that says what it does not. */
static struct err *
read_whole(struct ctx *c, const struct settings *settings,
    const struct snapshot *base, const char *title, const char *text,
    struct content *out, struct places *places)
{
	const struct document_options options = { .settings = settings,
		.places = places };
	const char *head = places != NULL ? places->head : NULL;
	struct document d;
	struct err *err;
	unsigned long line;
	unsigned above = 1;

	if (head == NULL)
		head = head_of(c, base, title, over_body(c, &base->content));
	for (const char *p = head; *p != '\0'; p++)
		above += *p == '\n';
	text = arena_printf(c->arena, "%s\n%s", head, text);
	err = read_document(c, text, &options, &d, &line);
	if (err != NULL) {
		move_line(c, err, line, above);
		return err;
	}
	if (places != NULL) {
		places_move(places, above);
		places->head = head;
	}
	*out = d.snapshot.content;
	/* The reader has no store, so it may not know the cover. */
	out->image_alt = base->content.image_alt;
	out->image_caption = base->content.image_caption;
	return NULL;
}

struct err *
over_read(struct ctx *c, const struct settings *settings,
    const struct snapshot *base, const char *title, const char *text,
    struct content *out)
{
	if (strcmp(over_body(c, &base->content), text) != 0)
		return read_whole(c, settings, base, title, text, out, NULL);
	*out = base->content;
	return NULL;
}

struct err *
over_places(struct ctx *c, const struct settings *settings,
    const struct snapshot *base, const char *title, const char *text,
    struct content *out, struct places *places)
{
	return read_whole(c, settings, base, title, text, out, places);
}

/* Returns the number of the first line with a byte that is no text. */
static unsigned
bad_line(const char *bytes, size_t len)
{
	unsigned line = 1;
	size_t at = 0;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != '\n')
			continue;
		if (!utf8_valid(bytes + at, i - at))
			break;
		at = i + 1;
		line++;
	}
	return line;
}

struct err *
over_file(struct ctx *c, const char *bytes, size_t len, const char **out)
{
	struct front_value head;
	unsigned line;
	size_t body = 0;
	char *text, *to;
	struct err *err;

	if (!utf8_valid(bytes, len))
		return refuse(c, ERR_INVALID, tr_mark("Line %u of the file holds bytes that"
		    " are no text (UTF-8), so the file was not read."),
		    bad_line(bytes, len));
	text = arena_text_n(c->arena, bytes, len);
	if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
		text += 3;
	to = text;
	for (const char *p = text; *p != '\0'; p++) {
		if (*p != '\r' || p[1] != '\n')
			*to++ = *p == '\r' ? '\n' : *p;
	}
	*to = '\0';
	err = frontmatter_read(c, text, strlen(text), &head, &body, &line);
	if (err != NULL)
		return err;
	text += body;
	*out = text + strspn(text, "\n");
	return NULL;
}
