#include "import/markdown/body.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "import/losses.h"
#include "import/markdown/frontmatter.h"
#include "import/markdown/markdown.h"
#include "import/markdown/merge.h"
#include "import/markdown/sections.h"
#include "import/markdown/to-markdown.h"

#define BODY_MAX (8 * (size_t)CONTENT_BYTES_MAX)
#define CARRIED_MAX ((size_t)128 * 1024) /* texts are read ten times for it */

const char *
body_text(struct ctx *c, const struct content *content)
{
	struct buf body;

	buf_init(&body, c->arena, BODY_MAX);
	to_markdown_body(c, content, &body);
	return buf_done(&body);
}

/* Returns the front matter that says what the body does not. */
static const char *
head_of(struct ctx *c, const struct snapshot *base, const char *title, const char *body)
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
		err->message = arena_printf(c->arena, "%.*s%lu%s", (int)(at - err->message),
		    err->message, line - above, at + strlen(number));
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
		notes = (struct notes) { .c = c };
		err = markdown_read(c, text, strlen(text), options, &notes, d);
	}
	return err;
}

/* Reads a text with the front matter that says what it does not. */
static struct err *
read_whole(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *title, const char *text, struct content *out, struct places *places)
{
	const struct document_options options = { .settings = settings, .places = places };
	const char *head = places != NULL ? places->head : NULL;
	struct document d;
	struct err *err;
	unsigned long line;
	unsigned above = 1;

	if (head == NULL)
		head = head_of(c, base, title, body_text(c, &base->content));
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
body_read(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *title, const char *text, struct content *out)
{
	if (strcmp(body_text(c, &base->content), text) != 0)
		return read_whole(c, settings, base, title, text, out, NULL);
	*out = base->content;
	return NULL;
}

struct err *
body_places(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *title, const char *text, struct content *out, struct places *places)
{
	return read_whole(c, settings, base, title, text, out, places);
}

/* ---- what is lost */

/* Reads a text after `head` for its losses alone, with lines of the text. What is said of
 * the head is left out. */
static bool
read_losses(struct ctx *c, const struct settings *settings, const char *head, const char *text,
    struct losses *out)
{
	const struct document_options options = { .settings = settings, .losses = out };
	struct notes notes = { .c = c };
	struct document d;
	unsigned above = 1;
	size_t kept = 0;
	bool placed = true;

	*out = (struct losses) { .c = c };
	for (const char *p = head; *p != '\0'; p++)
		above += *p == '\n';
	text = arena_printf(c->arena, "%s\n%s", head, text);
	if (markdown_read(c, text, strlen(text), &options, &notes, &d) != NULL)
		out->count = 0;
	for (size_t i = 0; i < out->count; i++) {
		struct loss *loss = &out->list[i];
		if (loss->lines[0] > 0 && loss->lines[0] <= above)
			continue;
		placed = placed && loss->lines[0] > 0;
		for (size_t j = 0; j < LOSSES_LINES && loss->lines[j] > 0; j++)
			loss->lines[j] -= above;
		out->list[kept++] = *loss;
	}
	out->count = kept;
	return placed;
}

void
body_losses(struct ctx *c, const struct settings *settings, const struct snapshot *s,
    const char *text, struct losses *out)
{
	struct snapshot plain = { .title = s->title, .language = s->language };

	content_init(&plain.content, s->language);
	/* A loss without a line is a link to a heading. Such a one may lead to an id that the
	 * whole front matter alone knows, and this takes as long as three imports to make. */
	if (!read_losses(c, settings, head_of(c, &plain, s->title, ""), text, out))
		(void)read_losses(
		    c, settings, head_of(c, s, s->title, body_text(c, &s->content)), text, out);
}

/* ---- a text of another content */

/* Where the parts of a content are in two texts of it. */
struct pairs {
	struct pair {
		unsigned a, b; /* the line in each */
	} * list;
	size_t count;
};

static void
add_pairs(struct pairs *p, const unsigned *a, const unsigned *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (a[i] > 0 && b[i] > 0)
			p->list[p->count++] = (struct pair) { a[i], b[i] };
	}
}

static int
by_line(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;

	return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

/* Leaves only the pairs that follow each other in both texts. */
static void
put_in_order(struct pairs *p)
{
	size_t n = 0;

	if (p->count > 1)
		qsort(p->list, p->count, sizeof(*p->list), by_line);
	for (size_t i = 0; i < p->count; i++) {
		if (n == 0 || (p->list[i].a > p->list[n - 1].a && p->list[i].b > p->list[n - 1].b))
			p->list[n++] = p->list[i];
	}
	p->count = n;
}

static size_t
part_count(const struct places *p)
{
	size_t n = p->faq_count + p->reference_count;

	for (size_t i = 0; i < p->count; i++)
		n += 2 + p->sections[i].body_count + p->sections[i].table_count +
		     p->sections[i].callout_count;
	return n;
}

/* Returns false if the texts have not the same parts. */
static bool
pair_parts(struct ctx *c, const struct places *a, const struct places *b, struct pairs *out)
{
	*out = (struct pairs) { .list = arena_array(c->arena, part_count(a), sizeof(*out->list)) };
	if (a->count != b->count || a->faq_count != b->faq_count ||
	    a->reference_count != b->reference_count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct places_section *x = &a->sections[i], *y = &b->sections[i];
		if (x->body_count != y->body_count || x->table_count != y->table_count ||
		    x->callout_count != y->callout_count)
			return false;
		add_pairs(out, &x->line, &y->line, 1);
		add_pairs(out, x->body, y->body, x->body_count);
		add_pairs(out, x->tables, y->tables, x->table_count);
		add_pairs(out, x->callouts, y->callouts, x->callout_count);
		add_pairs(out, &x->steps, &y->steps, 1);
	}
	add_pairs(out, a->faqs, b->faqs, a->faq_count);
	add_pairs(out, a->references, b->references, a->reference_count);
	put_in_order(out);
	return true;
}

/* Takes one line of each pair, and where the part ends in the second text. */
static void
take_cuts(struct ctx *c, const struct pairs *p, const struct places *places, struct merge_cuts *a,
    struct merge_cuts *b)
{
	unsigned *in_a = arena_array(c->arena, p->count, sizeof(*in_a));
	unsigned *in_b = arena_array(c->arena, p->count, sizeof(*in_b));
	unsigned *last = arena_array(c->arena, p->count, sizeof(*last));

	for (size_t i = 0; i < p->count; i++) {
		const struct places_node *node;
		in_a[i] = p->list[i].a;
		in_b[i] = p->list[i].b;
		node = places_node(places, in_b[i], PLACES_OTHER);
		last[i] = i + 1 < p->count ? p->list[i + 1].b - 1 : UINT_MAX - 1;
		if (node != NULL && node->last < last[i])
			last[i] = node->last;
	}
	a->lines = in_a;
	b->lines = in_b;
	a->count = b->count = p->count;
	b->last = last;
}

/* Sets *head to the front matter of `now`. */
static bool
find_cuts(struct ctx *c, const struct settings *settings, const struct snapshot *was,
    const struct snapshot *now, struct merge_cuts *w, struct merge_cuts *s, struct merge_cuts *n,
    const char **head)
{
	struct places in_w = { 0 }, in_s = { 0 }, in_n = { 0 };
	struct content content;
	struct pairs pairs;
	struct err *err = body_places(c, settings, was, was->title, w->text, &content, &in_w);

	if (err == NULL) {
		in_s.head = in_w.head;
		err = body_places(c, settings, was, was->title, s->text, &content, &in_s);
	}
	if (err == NULL)
		err = body_places(c, settings, now, now->title, n->text, &content, &in_n);
	if (err != NULL || !pair_parts(c, &in_w, &in_s, &pairs))
		return false;
	take_cuts(c, &pairs, &in_s, w, s);
	(void)pair_parts(c, &in_n, &in_n, &pairs);
	take_cuts(c, &pairs, &in_n, n, &(struct merge_cuts) { 0 });
	*head = in_n.head;
	return true;
}

const char *
body_carry(struct ctx *c, const struct settings *settings, const struct snapshot *was,
    const char *source, const struct snapshot *now, unsigned except)
{
	struct merge_cuts w = { .text = body_text(c, &was->content) };
	struct merge_cuts s = { .text = source };
	struct merge_cuts n = { .text = body_text(c, &now->content) };
	struct places places = { 0 };
	struct content content;
	const char *text;

	if (except == 0 && content_is_same(c, &was->content, &now->content))
		return source;
	if (strlen(source) > CARRIED_MAX || strlen(n.text) > CARRIED_MAX ||
	    !find_cuts(c, settings, was, now, &w, &s, &n, &places.head))
		return NULL;
	text = merge_carry(c->arena, &w, &s, &n, except);
	if (body_places(c, settings, now, now->title, text, &content, &places) != NULL ||
	    !content_is_same(c, &content, &now->content))
		return NULL;
	return text;
}

/* ---- files */

struct err *
body_of_file(struct ctx *c, const char *bytes, size_t len, const char **out)
{
	struct front_value head;
	unsigned line;
	size_t body = 0;
	char *text, *to;

	if (!utf8_valid(bytes, len))
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Line %u of the file holds bytes that are not text (UTF-8), so the file was not read."),
		    utf8_bad_line(bytes, len));
	text = arena_text_n(c->arena, bytes, len);
	if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
		text += 3;
	to = text;
	for (const char *p = text; *p != '\0'; p++) {
		if (*p != '\r' || p[1] != '\n')
			*to++ = *p == '\r' ? '\n' : *p;
	}
	*to = '\0';
	TRY(frontmatter_read(c, text, strlen(text), &head, &body, &line));
	text += body;
	*out = text + strspn(text, "\n");
	return NULL;
}
