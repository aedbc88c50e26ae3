#include "import/markdown/markdown.h"

#include <string.h>
#include <strings.h>

#include "article/article.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "base/utf8.h"
#include "content/content.h"
#include "content/inline.h"
#include "content/lang.h"
#include "content/slug.h"
#include "import/htmlmap.h"
#include "import/losses.h"
#include "import/markdown/extra.h"
#include "import/markdown/fields.h"
#include "import/markdown/from-markdown.h"
#include "import/markdown/frontmatter.h"
#include "import/markdown/markdown-source.h"
#include "import/markdown/references.h"
#include "import/markdown/sections.h"
#include "import/markdown/to-markdown.h"
#include "import/pieces.h"

/* ---- links to headings become links to sections */

/*
 * Links inside a document. An author links to a heading's anchor, which GitHub
 * makes of its text, or to the one that "{#anchor}" gives it; content links to
 * the section's id.
 */
struct anchors {
	struct ctx *c;
	struct {
		const char *name; /* case folded */
		const char *const *id; /* where the id will be, once it is set */
	} * list;
	size_t count, cap;
};

static const char *const takeaways_id = "takeaways";
static const char *const faqs_id = "faq";
static const char *const references_id = "references";

/* Notes the name of an anchor and the id that it means. */
static void
add(struct anchors *a, const char *name, const char *const *id)
{
	if (a->count == a->cap) {
		size_t cap = a->cap == 0 ? 64 : a->cap * 2;
		a->list = arena_grow(
		    a->c->arena, a->list, a->cap * sizeof(*a->list), cap * sizeof(*a->list));
		a->cap = cap;
	}
	a->list[a->count].name = name;
	a->list[a->count++].id = id;
}

/* Returns the id that an anchor means, or NULL if no heading has the anchor. */
static const char *const *
find(const struct anchors *a, const char *name)
{
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->list[i].name, name) == 0)
			return a->list[i].id;
	}
	return NULL;
}

/* Returns the anchor that GitHub gives a heading: in lower case, with hyphens for
 * spaces, and without all characters but letters, marks, digits, hyphens and
 * underscores. */
static const char *
github(struct ctx *c, const char *heading)
{
	const char *p = lang_fold(c->arena, inline_plain(c->arena, heading));
	struct buf out;

	buf_init(&out, c->arena, 4 * strlen(p) + 16);
	while (*p != '\0') {
		uint32_t cp = utf8_next(&p);
		if (cp == ' ')
			buf_add_char(&out, '-');
		else if (cp == '-' || cp == '_' || lang_is_word(cp))
			buf_add_code_point(&out, cp);
	}
	return out.data;
}

/* Adds the anchors of a heading. The second "notes" is "notes-1". */
static void
add_heading(struct anchors *a, const struct flow_block *heading, const char *const *id)
{
	const char *name = github(a->c, heading->text), *numbered = name;

	if (heading->anchor != NULL)
		add(a, lang_fold(a->c->arena, heading->anchor), id);
	for (unsigned n = 1; find(a, numbered) != NULL && n < 1000; n++)
		numbered = arena_printf(a->c->arena, "%s-%u", name, n);
	add(a, numbered, id);
}

/* Adds the anchors of heading blocks: a link to one leads to the section that
 * contains the block. */
static void
add_blocks(struct anchors *a, const struct cut *cut, const char *const *id)
{
	for (size_t i = 0; i < cut->count; i++) {
		if (cut->blocks[i].type == BLOCK_HEADING)
			add_heading(a, &cut->blocks[i], id);
	}
}

/* Adds the anchors of a part: its heading leads to the part, a question's heading
 * to the question. */
static void
add_part(struct anchors *a, const struct cut *cut, const struct content *content)
{
	const char *const *id = cut->part == PART_TAKEAWAYS ? &takeaways_id
				: cut->part == PART_FAQS    ? &faqs_id
							    : &references_id;

	add_heading(a, cut->heading, id);
	for (size_t i = 0; i < cut->sub_count; i++)
		add_heading(a, cut->subs[i].heading, &content->faqs[i].id);
}

/* Collects the anchors of all headings, and what each heading became: a section, a question,
 * a part; for a heading block, the section that holds it. */
static void
anchors_collect(
    struct ctx *c, const struct cuts *cuts, const struct content *content, struct anchors *out)
{
	*out = (struct anchors) { .c = c };
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut *cut = &cuts->list[i];
		if (cut->part != PART_NONE) {
			add_part(out, cut, content);
			continue;
		}
		if (cut->heading != NULL)
			add_heading(out, cut->heading, &cut->section->id);
		add_blocks(out, cut, &cut->section->id);
		for (size_t j = 0; j < cut->sub_count; j++) {
			const struct cut *sub = &cut->subs[j];
			add_heading(out, sub->heading, &sub->section->id);
			add_blocks(out, sub, &sub->section->id);
		}
	}
}

struct resolver {
	struct anchors *anchors;
	struct content *content;
	bool ids;
	struct losses *losses;
};

static bool
is(const char *id, const char *name)
{
	return id != NULL && strcmp(id, name) == 0;
}

/* Returns whether a section, a subsection, a question or a part has this id. */
static bool
is_id(const struct content *content, const char *name)
{
	for (size_t i = 0; i < content->section_count; i++) {
		const struct section *s = &content->sections[i];
		if (is(s->id, name))
			return true;
		for (size_t j = 0; j < s->subsection_count; j++) {
			if (is(s->subsections[j].id, name))
				return true;
		}
	}
	for (size_t i = 0; i < content->faq_count; i++) {
		if (is(content->faqs[i].id, name))
			return true;
	}
	return is(takeaways_id, name) || is(faqs_id, name) || is(references_id, name);
}

/* Returns the text of the fragment, case folded. */
static const char *
decoded(struct ctx *c, const char *fragment)
{
	const char *text = percent_decode(c->arena, fragment, strlen(fragment));

	return text == NULL ? "" : lang_fold(c->arena, text);
}

/* Returns the id that a fragment means, or NULL. */
static const char *
target(const struct resolver *r, const char *fragment)
{
	const char *const *id;

	if (r->ids && is_id(r->content, fragment))
		return fragment;
	id = find(r->anchors, decoded(r->anchors->c, fragment));
	return id == NULL ? NULL : *id;
}

/* Changes the links to anchors in one text, for anchors_resolve() (texts_visit). */
static void
resolve(void *arg, const char **text, bool marked)
{
	const struct resolver *r = arg;
	struct ctx *c = r->anchors->c;
	struct inline_token *tokens;
	bool dropping = false, changed = false;
	size_t count, kept = 0;

	if (!marked || strstr(*text, "](#") == NULL)
		return;
	tokens = inline_parse(c->arena, *text, &count);
	for (size_t i = 0; i < count; i++) {
		struct inline_token token = tokens[i];
		if (token.event == INLINE_LINK && token.text[0] == '#') {
			const char *id = target(r, token.text + 1);
			if (id == NULL)
				losses_add(r->losses, 0,
				    tr_mark(
					"the link to %s stays as text: no heading has this anchor"),
				    losses_excerpt(c, token.text, 200));
			dropping = id == NULL;
			changed = changed || id == NULL || strcmp(id, token.text + 1) != 0;
			token.text = arena_printf(c->arena, "#%s", id == NULL ? "" : id);
			token.len = strlen(token.text);
			if (dropping)
				continue;
		}
		if (token.event == INLINE_LINK_END && dropping) {
			dropping = false;
			continue;
		}
		tokens[kept++] = token;
	}
	if (changed)
		*text = pieces_write(c, r->losses, 0, tokens, kept);
}

/*
 * Makes links to ids of all links to anchors in the content's texts; those that
 * lead nowhere become text (a loss). With `ids` the content's own ids are known
 * to the document's author, and come first.
 */
static void
anchors_resolve(struct anchors *anchors, struct content *content, bool ids, struct losses *losses)
{
	struct resolver r = { anchors, content, ids, losses };

	texts_each(content, resolve, &r);
}

/* ---- a document is read */

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
	if (len > MARKDOWN_BYTES_MAX)
		return refuse(c, ERR_INVALID, tr_mark("The document is longer than %zu MiB."),
		    MARKDOWN_BYTES_MAX >> 20);
	if (utf8_valid(text, len))
		return NULL;
	return refuse(c, ERR_INVALID,
	    tr_mark(
		"line %u: there are bytes that are not text (the file must be UTF-8, without NUL)."),
	    utf8_bad_line(text, len));
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

	TRY(frontmatter_read(r->c, r->text, r->len, &root, &r->body, &r->body_line));
	TRY(fields_read(
	    r->c, &root, r->options->settings->language, &r->losses, r->out, &r->fields));
	return extra_read(r->c, r->fields.galley, r->fields.galley_line, &r->extra);
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

/* Reads the references that footnotes make. To-dos in footnotes follow after
 * `flow`. */
static void
read_references(struct reading *r, const struct lined_html *html, const char *const *ids,
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
read_html(struct reading *r, const struct lined_html *html, struct flow *flow)
{
	struct flow *footnotes;
	const char **ids;

	if (html->note_count > CONTENT_REFERENCES_MAX)
		return refuse(r->c, ERR_INVALID,
		    tr_mark("There are %zu footnotes; at most %d are allowed."), html->note_count,
		    CONTENT_REFERENCES_MAX);
	ids = references_ids(r->c, html, r->extra.references, r->extra.reference_count);
	footnotes = arena_array(r->c->arena, html->note_count, sizeof(*footnotes));
	TRY(htmlmap_flow(r->c, html, r->options, ids, &r->losses, r->notes, flow, footnotes));
	read_references(r, html, ids, footnotes, flow);
	return NULL;
}

static struct err *
read_flow(struct reading *r, struct flow *flow)
{
	struct source source;
	struct lined_html html;
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

	drop_first_rules(r, flow);
	sections_cut(r->c, flow, r->extra.root != NULL, r->extra.lead, &cuts);
	extra_find(r->c, &r->extra, &cuts, &r->losses);
	TRY(sections_parts(r->c, &r->losses, &cuts, s->language, content));
	TRY(sections_fill(r->c, &cuts, content));
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

	buf_init(&json, r->c->arena, 4 * CONTENT_BYTES_MAX);
	content_to_json(&s->content, NULL, &json);
	if (buf_full(&json))
		return refuse(r->c, ERR_INVALID, tr_mark("The article is longer than %d MiB."),
		    CONTENT_BYTES_MAX >> 20);
	TRY(jread_parse(r->c, "content", json.data, json.len, &root));
	TRY(content_from_json(r->c, "content", root, s->language, &s->content));
	return extra_exact(
	    r->c, &r->extra, r->text + r->body, r->len - r->body, s->language, &s->content);
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

	TRY(read_head(r));
	begin_content(&r->out->snapshot);
	read_cover(r);
	TRY(read_flow(r, &flow));
	TRY(find_title(r, &flow));
	TRY(read_sections(r, &flow));
	return check_content(r);
}

struct err *
markdown_read(struct ctx *c, const char *text, size_t len, const struct document_options *options,
    struct notes *notes, struct document *out)
{
	struct reading r = {
		.c = c, .options = options, .notes = notes, .losses = { .c = c }, .out = out
	};
	struct err *err;

	memset(out, 0, sizeof(*out));
	TRY(check_bytes(c, text, len));
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
	struct lined_html body;
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

/* ---- and written */

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
