#include "import/markdown/markdown.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "content/content-id.h"
#include "content/inline.h"
#include "content/lang.h"
#include "content/slug.h"
#include "import/extra.h"
#include "import/fields.h"
#include "import/from-markdown.h"
#include "import/frontmatter.h"
#include "import/htmlmap.h"
#include "import/losses.h"
#include "import/markdown-source.h"
#include "import/markdown/anchors.h"
#include "import/markdown/references.h"
#include "import/sections.h"

/* A document that is being read. */
struct reading {
	struct ctx *c;
	const struct document_options *options;
	struct notes *notes;
	struct losses losses;
	struct document *out;
	struct fields fields;
	struct extra extra;
	const char *text; /* without a byte order mark, carriage returns and
	                   * characters that cannot be stored */
	size_t len;
	size_t body; /* where the body begins */
	unsigned body_line;
};

/* Refuses bytes that are not text. The refusal names the line. */
static struct err *
check_bytes(struct ctx *c, const char *text, size_t len)
{
	unsigned line = 1;
	size_t at = 0;

	if (len > MARKDOWN_BYTES_MAX)
		return refuse(c, ERR_INVALID, tr_mark("The document is longer than %zu MiB."),
		    MARKDOWN_BYTES_MAX >> 20);
	if (utf8_valid(text, len))
		return NULL;
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\n')
			continue;
		if (!utf8_valid(text + at, i - at))
			break;
		at = i + 1;
		line++;
	}
	return refuse(c, ERR_INVALID,
	    tr_mark(
		"line %u: there are bytes that are no text (the file must be UTF-8, without NUL)."),
	    line);
}

/* Copies the text with \n as end of lines, without a byte order mark and without
 * characters that no text may contain. */
static void
clean(struct reading *r, const char *text, size_t len, unsigned line)
{
	char *copy = arena_text_n(r->c->arena, text, len), *to = copy, *bad;

	if (strncmp(copy, "\xEF\xBB\xBF", 3) == 0)
		memmove(copy, copy + 3, strlen(copy + 3) + 1);
	for (const char *p = copy; *p != '\0'; p++) {
		if (*p == '\r' && p[1] == '\n')
			continue;
		*to++ = *p == '\r' ? '\n' : *p;
	}
	*to = '\0';
	r->text = to = copy;
	for (const char *p = copy;; p = bad + utf8_sequence(bad)) {
		bad = (char *)utf8_forbidden(p, false);
		if (bad == NULL) {
			memmove(to, p, strlen(p) + 1);
			break;
		}
		for (const char *q = p; q < bad; q++)
			line += *q == '\n';
		memmove(to, p, (size_t)(bad - p));
		to += bad - p;
		losses_add(&r->losses, line,
		    tr_mark(
			"characters that cannot be stored were dropped (controls, bidi overrides)"));
	}
	r->len = strlen(copy);
}

static struct err *
read_head(struct reading *r)
{
	struct front_value root;
	struct err *err = frontmatter_read(r->c, r->text, r->len, &root, &r->body, &r->body_line);

	if (err == NULL)
		err = fields_read(
		    r->c, &root, r->options->settings->language, &r->losses, r->out, &r->fields);
	if (err == NULL)
		err = extra_read(r->c, r->fields.galley, r->fields.galley_line, &r->extra);
	return err;
}

/* Returns whether a heading is the title: they are compared without case and
 * without marks. */
static bool
same_title(struct ctx *c, const char *title, const char *heading)
{
	return strcmp(lang_fold(c->arena, title),
		   lang_fold(c->arena, inline_plain(c->arena, heading))) == 0;
}

/* Returns the file's name as a title: "getting-paid.md" becomes "Getting paid". */
static const char *
title_of_file(struct reading *r)
{
	char *title;

	if (r->options->path == NULL)
		return NULL;
	title = arena_text(r->c->arena, slug_of_file(r->c->arena, r->options->path));
	for (char *p = title; *p != '\0'; p++) {
		if (*p == '-')
			*p = ' ';
	}
	if (title[0] >= 'a' && title[0] <= 'z')
		title[0] = (char)(title[0] - 'a' + 'A');
	losses_add(&r->losses, 0, "there is no title; it was made of the file's name");
	return title;
}

/* Finds the title. The first H1 is the title, and leaves the flow, if the front
 * matter has no title or the same. Without both, the file's name is the title. */
static struct err *
find_title(struct reading *r, struct flow *flow)
{
	struct snapshot *s = &r->out->snapshot;
	size_t i = 0;

	while (i < flow->count && flow->blocks[i].level != 1)
		i++;
	if (i < flow->count &&
	    (s->title == NULL || same_title(r->c, s->title, flow->blocks[i].text))) {
		if (s->title == NULL)
			s->title = fields_line(r->c, &r->losses, flow->blocks[i].line,
			    inline_plain(r->c->arena, flow->blocks[i].text));
		flow->count--;
		memmove(flow->blocks + i, flow->blocks + i + 1,
		    (flow->count - i) * sizeof(*flow->blocks));
	}
	if (s->title == NULL)
		s->title = title_of_file(r);
	if (s->title == NULL)
		return err_param(r->c, "title",
		    tr_mark(
			"There is no title: write \"title: …\" into the front matter, or a first line \"# …\"."));
	return NULL;
}

/* Finds the cover that the front matter names. A cover that is missing or cannot
 * be stored is left out. */
static void
read_cover(struct reading *r)
{
	struct snapshot *s = &r->out->snapshot;
	struct stored_image *image;

	if (r->fields.image == NULL)
		return;
	image = htmlmap_cover(
	    r->c, r->options, &r->losses, r->notes, r->fields.image_line, r->fields.image);
	if (image == NULL)
		return;
	s->image = image->url;
	s->image_type = image->type;
	s->image_width = image->width;
	s->image_height = image->height;
}

/* Keeps the to-dos of footnotes, wherever they were written: an article with a
 * to-do is not finished. All else that is not text is a loss. */
static void
keep_rest(struct reading *r, const struct flow *rest, struct flow *flow)
{
	unsigned dropped = 0;

	for (size_t i = 0; i < rest->count; i++) {
		const struct flow_block *b = &rest->blocks[i];
		if (b->type == BLOCK_CALLOUT && b->callout.kind == CALLOUT_TODO)
			*flow_add(r->c, flow, b->type, b->line) = *b;
		else if (dropped == 0)
			dropped = b->line;
	}
	if (dropped != 0)
		losses_add(&r->losses, dropped,
		    tr_mark("code, tables and pictures in footnotes were dropped"));
}

/* Reads the references that footnotes make. To-dos in footnotes follow behind
 * `flow`. */
static void
read_references(struct reading *r, const struct markdown_html *html, const char *const *ids,
    const struct flow *footnotes, struct flow *flow)
{
	struct content *content = &r->out->snapshot.content;
	size_t *order = references_order(r->c, html);
	struct places *places = r->options->places;
	struct flow rest = { 0 };

	content->references =
	    arena_array(r->c->arena, html->note_count, sizeof(*content->references));
	if (places != NULL)
		places->references =
		    arena_array(r->c->arena, html->note_count, sizeof(*places->references));
	for (size_t i = 0; i < html->note_count; i++) {
		struct reference *one = &content->references[i];
		size_t n = order[i];
		const char *text =
		    flow_text(r->c, &r->losses, footnotes[n].blocks, footnotes[n].count, &rest);
		if (!references_parse(r->c, &r->losses, html->notes[n].line, text, one)) {
			losses_add(&r->losses, html->notes[n].line,
			    tr_mark("a footnote without text got its id as its text"));
			one->title = ids[n];
		}
		one->id = ids[n];
		content->reference_count++;
		if (places != NULL)
			places->references[places->reference_count++] = html->notes[n].line;
	}
	keep_rest(r, &rest, flow);
}

/* Reads the HTML of the body as a flow of blocks, and the references. */
static struct err *
read_html(struct reading *r, const struct markdown_html *html, struct flow *flow)
{
	struct flow *footnotes;
	const char **ids;
	struct err *err;

	if (html->note_count > CONTENT_REFERENCES_MAX)
		return refuse(r->c, ERR_INVALID,
		    tr_mark("There are %zu footnotes; at most %d are allowed."), html->note_count,
		    CONTENT_REFERENCES_MAX);
	ids = references_ids(r->c, html, r->extra.references, r->extra.reference_count);
	footnotes = arena_array(r->c->arena, html->note_count, sizeof(*footnotes));
	err = htmlmap_flow(r->c, html, r->options, ids, &r->losses, r->notes, flow, footnotes);
	if (err == NULL)
		read_references(r, html, ids, footnotes, flow);
	return err;
}

static struct err *
read_flow(struct reading *r, struct flow *flow)
{
	struct source source;
	struct markdown_html html;
	struct err *err;

	err = source_open(r->c, r->text + r->body, r->len - r->body, r->body_line, &source);
	if (err == NULL && r->options->places != NULL)
		places_take_nodes(r->c, &source, r->options->places);
	if (err == NULL)
		err = from_markdown(r->c, &source, &r->losses, &html);
	return err != NULL ? err : read_html(r, &html, flow);
}

/* Drops rules that only set the title off from the first heading: a section of nothing but a
 * rule would come of it. */
static void
drop_first_rules(struct reading *r, struct flow *flow)
{
	size_t n = 0;

	while (n < flow->count && flow->blocks[n].type == BLOCK_RULE)
		n++;
	if (n == 0 || (n < flow->count && flow->blocks[n].type != BLOCK_HEADING))
		return;
	losses_add(&r->losses, flow->blocks[0].line, tr_mark("a horizontal rule was dropped"));
	flow->blocks += n;
	flow->count -= n;
}

/* Makes sections of the flow. First it cuts the flow at headings and takes out
 * the parts; then it applies the object galley. Links to anchors come late,
 * because they need the ids of the sections. */
static struct err *
read_sections(struct reading *r, struct flow *flow)
{
	struct snapshot *s = &r->out->snapshot;
	struct content *content = &s->content;
	struct anchors anchors;
	struct cuts cuts;
	struct err *err;

	drop_first_rules(r, flow);
	sections_cut(r->c, flow, r->extra.root != NULL, r->extra.lead, &cuts);
	extra_find(r->c, &r->extra, &cuts, &r->losses);
	err = sections_parts(r->c, &r->losses, &cuts, s->language, content);
	if (err == NULL)
		err = sections_fill(r->c, &cuts, content);
	if (err != NULL)
		return err;
	extra_sections(r->c, &r->extra, &cuts, content, &r->losses);
	extra_rest(r->c, &r->extra, s, &r->losses);
	anchors_collect(r->c, &cuts, content, &anchors);
	content_ids_number(r->c, content);
	anchors_resolve(&anchors, content, r->extra.root != NULL, &r->losses);
	extra_texts(r->c, &r->extra, content);
	if (r->options->places != NULL)
		places_take_sections(r->c, &cuts, content, r->options->places);
	return NULL;
}

/* Checks everything that content.h promises, by the reader for stored content.
 * This also brings texts into their stored form. */
static struct err *
check_content(struct reading *r)
{
	struct snapshot *s = &r->out->snapshot;
	struct buf json;
	json_t *root;
	struct err *err;

	buf_init(&json, r->c->arena, 4 * CONTENT_BYTES_MAX);
	content_to_json(&s->content, NULL, &json);
	if (buf_full(&json))
		return refuse(r->c, ERR_INVALID, tr_mark("The article is longer than %d MiB."),
		    CONTENT_BYTES_MAX >> 20);
	err = jread_parse(r->c, "content", json.data, json.len, &root);
	if (err == NULL)
		err = content_from_json(r->c, "content", root, s->language, &s->content);
	if (err == NULL)
		err = extra_exact(
		    r->c, &r->extra, r->text + r->body, r->len - r->body, s->language, &s->content);
	return err;
}

/* Empties the content, but keeps what is known of the cover. */
static void
begin_content(struct snapshot *s)
{
	const char *alt = s->content.image_alt;
	const char *caption = s->content.image_caption;

	content_init(&s->content, s->language);
	s->content.image_alt = alt;
	s->content.image_caption = caption;
}

static struct err *
read_document(struct reading *r)
{
	struct flow flow = { 0 };
	struct err *err;

	err = read_head(r);
	if (err != NULL)
		return err;
	begin_content(&r->out->snapshot);
	read_cover(r);
	err = read_flow(r, &flow);
	if (err == NULL)
		err = find_title(r, &flow);
	if (err == NULL)
		err = read_sections(r, &flow);
	if (err == NULL)
		err = check_content(r);
	return err;
}

struct err *
markdown_read(struct ctx *c, const char *text, size_t len, const struct document_options *options,
    struct notes *notes, struct document *out)
{
	struct reading r = {
		.c = c, .options = options, .notes = notes, .losses = { .c = c }, .out = out
	};
	struct err *err = check_bytes(c, text, len);

	memset(out, 0, sizeof(*out));
	if (err != NULL)
		return err;
	clean(&r, text, len, 1);
	err = read_document(&r);
	losses_report(&r.losses, notes);
	if (options->losses != NULL)
		*options->losses = r.losses;
	return err;
}

struct err *
markdown_html(struct ctx *c, const char *html, unsigned line,
    const struct document_options *options, struct losses *losses, struct notes *notes,
    struct document *out)
{
	struct reading r = {
		.c = c, .options = options, .notes = notes, .losses = *losses, .out = out
	};
	struct flow flow = { 0 };
	struct markdown_html body;
	struct err *err;

	clean(&r, html, strlen(html), line);
	begin_content(&out->snapshot);
	err = from_markdown_html(c, r.text, line, &r.losses, &body);
	if (err == NULL)
		err = read_html(&r, &body, &flow);
	if (err == NULL)
		err = find_title(&r, &flow);
	if (err == NULL)
		err = read_sections(&r, &flow);
	if (err == NULL)
		err = check_content(&r);
	*losses = r.losses;
	return err;
}
