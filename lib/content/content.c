#include "content/content.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/lang.h"

static const char *const block_names[] = { "paragraph", "heading", "list", "quote", "code", "image",
	"table", "callout", "steps", "rule" };
static const char *const callout_names[] = { "note", "tip", "important", "warning", "caution",
	"todo" };

#define CALLOUT_NAMES (sizeof(callout_names) / sizeof(callout_names[0]))

const char *
content_align_name(char align)
{
	return align == 'l' ? "left" : align == 'c' ? "center" : align == 'r' ? "right" : NULL;
}

const char *
content_block_name(enum block_type type)
{
	return block_names[type];
}

const char *
content_callout_name(enum callout_kind kind)
{
	return callout_names[kind];
}

bool
content_callout_kind(const char *name, enum callout_kind *kind)
{
	for (size_t i = 0; i < CALLOUT_NAMES; i++) {
		if (strcasecmp(callout_names[i], name) == 0) {
			*kind = (enum callout_kind)i;
			return true;
		}
	}
	return false;
}

void
content_init(struct content *content, const char *language)
{
	memset(content, 0, sizeof(*content));
	content->summary = "";
	content->labels.takeaways = lang_label(language, LANG_TAKEAWAYS);
	content->labels.faqs = lang_label(language, LANG_FAQS);
	content->labels.references = lang_label(language, LANG_REFERENCES);
}

/* ---- its JSON */

static void
write_list(struct jwrite *w, const struct list *list)
{
	jwrite_member_array(w, "items");
	for (size_t i = 0; i < list->item_count; i++) {
		const struct list_item *item = &list->items[i];
		jwrite_object(w);
		jwrite_member_text(w, "text", item->text);
		if (item->list.ordered && item->list.item_count > 0)
			jwrite_member_bool(w, "ordered", true);
		write_list(w, &item->list);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
write_address(struct jwrite *w, const char *url, const char *media_base)
{
	struct buf address;

	jwrite_name(w, "url");
	if (media_base == NULL || strncmp(url, "media:", 6) != 0) {
		jwrite_text(w, url);
		return;
	}
	buf_init(&address, w->out->arena, strlen(media_base) + strlen(url));
	buf_add_text(&address, media_base);
	buf_add_text(&address, url + 6);
	jwrite_text(w, address.data);
}

/* Writes a size in pixels, or null for 0: the size is not known. */
static void
write_size(struct jwrite *w, const char *name, int64_t size)
{
	if (size > 0)
		jwrite_member_int(w, name, size);
	else
		jwrite_member_null(w, name);
}

static void
write_image(struct jwrite *w, const struct image *image, const char *media_base)
{
	write_address(w, image->url, media_base);
	jwrite_member_text(w, "alt", image->alt);
	jwrite_member_text(w, "caption", image->caption);
	write_size(w, "width", image->width);
	write_size(w, "height", image->height);
}

static void
write_block(struct jwrite *w, const struct block *block, const char *media_base)
{
	jwrite_object(w);
	jwrite_member_text(w, "type", content_block_name(block->type));
	switch (block->type) {
	case BLOCK_PARAGRAPH:
	case BLOCK_HEADING:
		jwrite_member_text(w, "text", block->text);
		break;
	case BLOCK_LIST:
		jwrite_member_bool(w, "ordered", block->list.ordered);
		write_list(w, &block->list);
		break;
	case BLOCK_QUOTE:
		jwrite_member_text(w, "text", block->text);
		jwrite_member_text(w, "cite", block->cite);
		break;
	case BLOCK_CODE:
		jwrite_member_text(w, "language", block->language);
		jwrite_member_text(w, "text", block->text);
		break;
	case BLOCK_IMAGE:
		write_image(w, &block->image, media_base);
		break;
	case BLOCK_TABLE:
	case BLOCK_CALLOUT:
		jwrite_member_int(w, "index", (int64_t)block->index);
		break;
	case BLOCK_STEPS:
	case BLOCK_RULE:
		break;
	}
	jwrite_object_end(w);
}

static void
write_steps(struct jwrite *w, const struct section *s)
{
	jwrite_member_array(w, "steps");
	for (size_t i = 0; i < s->step_count; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "name", s->steps[i].name);
		jwrite_member_text(w, "text", s->steps[i].text);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
write_texts(struct jwrite *w, const char *const *texts, size_t count)
{
	jwrite_array(w);
	for (size_t i = 0; i < count; i++)
		jwrite_text(w, texts[i]);
	jwrite_array_end(w);
}

static void
write_align(struct jwrite *w, const struct table *table)
{
	jwrite_member_array(w, "align");
	for (size_t i = 0; i < table->column_count; i++) {
		const char *name = content_align_name(table->align[i]);
		if (name != NULL)
			jwrite_text(w, name);
		else
			jwrite_null(w);
	}
	jwrite_array_end(w);
}

static void
write_tables(struct jwrite *w, const struct section *s)
{
	jwrite_member_array(w, "tables");
	for (size_t i = 0; i < s->table_count; i++) {
		const struct table *table = &s->tables[i];
		jwrite_object(w);
		jwrite_member_text(w, "caption", table->caption);
		jwrite_name(w, "columns");
		write_texts(w, table->columns, table->column_count);
		if (table->align != NULL)
			write_align(w, table);
		jwrite_member_bool(w, "rowHeader", table->row_header);
		jwrite_member_array(w, "rows");
		for (size_t r = 0; r < table->row_count; r++)
			write_texts(w, table->rows[r], table->column_count);
		jwrite_array_end(w);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
write_callouts(struct jwrite *w, const struct section *s)
{
	jwrite_member_array(w, "callouts");
	for (size_t i = 0; i < s->callout_count; i++) {
		const struct callout *callout = &s->callouts[i];
		jwrite_object(w);
		jwrite_member_text(w, "kind", content_callout_name(callout->kind));
		jwrite_member_text(w, "title", callout->title);
		jwrite_member_text(w, "text", callout->text);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
write_sections(struct jwrite *w, const char *name, const struct section *sections, size_t count,
    const char *media_base)
{
	bool subsections = strcmp(name, "subsections") == 0;

	jwrite_member_array(w, name);
	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];
		jwrite_object(w);
		jwrite_member_text(w, "id", s->id);
		jwrite_member_text(w, "heading", s->heading);
		jwrite_member_array(w, "body");
		for (size_t j = 0; j < s->body_count; j++)
			write_block(w, &s->body[j], media_base);
		jwrite_array_end(w);
		write_steps(w, s);
		write_tables(w, s);
		write_callouts(w, s);
		if (!subsections)
			write_sections(
			    w, "subsections", s->subsections, s->subsection_count, media_base);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
write_faqs(struct jwrite *w, const struct content *content)
{
	jwrite_member_array(w, "faqs");
	for (size_t i = 0; i < content->faq_count; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "id", content->faqs[i].id);
		jwrite_member_text(w, "question", content->faqs[i].question);
		jwrite_member_text(w, "answer", content->faqs[i].answer);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
write_references(struct jwrite *w, const struct content *content)
{
	jwrite_member_array(w, "references");
	for (size_t i = 0; i < content->reference_count; i++) {
		const struct reference *r = &content->references[i];
		jwrite_object(w);
		jwrite_member_text(w, "id", r->id);
		jwrite_member_text(w, "title", r->title);
		jwrite_member_text(w, "url", r->url);
		jwrite_member_text(w, "publisher", r->publisher);
		jwrite_member_text(w, "published", r->published);
		jwrite_member_text(w, "accessed", r->accessed);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

void
content_to_json(const struct content *content, const char *media_base, struct buf *out)
{
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(&w, "summary", content->summary);
	jwrite_name(&w, "takeaways");
	write_texts(&w, content->takeaways, content->takeaway_count);
	write_sections(&w, "sections", content->sections, content->section_count, media_base);
	write_faqs(&w, content);
	write_references(&w, content);
	jwrite_member_text(&w, "imageAlt", content->image_alt);
	jwrite_member_text(&w, "imageCaption", content->image_caption);
	jwrite_member_object(&w, "labels");
	jwrite_member_text(&w, "takeaways", content->labels.takeaways);
	jwrite_member_text(&w, "faqs", content->labels.faqs);
	jwrite_member_text(&w, "references", content->labels.references);
	jwrite_object_end(&w);
	jwrite_object_end(&w);
}

bool
content_is_same(struct ctx *c, const struct content *x, const struct content *y)
{
	struct buf one, other;

	buf_init(&one, c->arena, 4 * (size_t)CONTENT_BYTES_MAX);
	buf_init(&other, c->arena, 4 * (size_t)CONTENT_BYTES_MAX);
	content_to_json(x, NULL, &one);
	content_to_json(y, NULL, &other);
	return strcmp(one.data, other.data) == 0;
}

/* Counts to-dos in stored JSON. The bytes can be found in a member only: inside a
 * string the quotation marks would be escaped. */
int64_t
content_stored_todos(const char *json, size_t len)
{
	static const char mark[] = "\"kind\":\"todo\"";
	const char *p = json, *end = json + len;
	int64_t count = 0;

	while ((p = memmem(p, (size_t)(end - p), mark, sizeof(mark) - 1)) != NULL) {
		p += sizeof(mark) - 1;
		count++;
	}
	return count;
}

/* ---- its texts, in reading order */

#define PLACE_HEADING_MAX 60 /* code points */
#define PLACE_HEADING_BYTES ((size_t)4 * PLACE_HEADING_MAX)

struct walker {
	content_visit *visit;
	void *arg;
	const char *place;
};

static bool
is_placed(const struct section *s, enum block_type type, size_t index)
{
	for (size_t i = 0; i < s->body_count; i++) {
		if (s->body[i].type == type && s->body[i].index == index)
			return true;
	}
	return false;
}

/* Visits the things of one type that no block of the body places: they follow the
 * body. */
static void
visit_loose(const struct section *s, enum block_type type, size_t count, content_flow_visit *visit,
    void *arg)
{
	for (size_t i = 0; i < count; i++) {
		const struct block block = { .type = type, .index = i };
		if (!is_placed(s, type, i))
			visit(arg, s, &block);
	}
}

void
content_flow(const struct section *s, content_flow_visit *visit, void *arg)
{
	for (size_t i = 0; i < s->body_count; i++)
		visit(arg, s, &s->body[i]);
	visit_loose(s, BLOCK_STEPS, s->step_count > 0, visit, arg);
	visit_loose(s, BLOCK_TABLE, s->table_count, visit, arg);
	visit_loose(s, BLOCK_CALLOUT, s->callout_count, visit, arg);
}

static void
see(const struct walker *w, enum content_text_kind kind, const char *text)
{
	if (text != NULL && text[0] != '\0')
		w->visit(w->arg, kind, text, w->place);
}

static void
walk_list(const struct walker *w, const struct list *list)
{
	for (size_t i = 0; i < list->item_count; i++) {
		see(w, CONTENT_IS_SHORT, list->items[i].text);
		walk_list(w, &list->items[i].list);
	}
}

static void
walk_table(const struct walker *w, const struct table *table)
{
	see(w, CONTENT_IS_SHORT, table->caption);
	for (size_t i = 0; i < table->column_count; i++)
		see(w, CONTENT_IS_SHORT, table->columns[i]);
	for (size_t r = 0; r < table->row_count; r++) {
		for (size_t i = 0; i < table->column_count; i++)
			see(w, CONTENT_IS_SHORT, table->rows[r][i]);
	}
}

static void
walk_callout(const struct walker *w, const struct callout *callout)
{
	see(w, CONTENT_IS_SHORT, callout->title);
	see(w, CONTENT_IS_PARAGRAPH, callout->text);
}

static void
walk_steps(const struct walker *w, const struct section *s)
{
	for (size_t i = 0; i < s->step_count; i++) {
		see(w, CONTENT_IS_SHORT, s->steps[i].name);
		see(w, CONTENT_IS_PARAGRAPH, s->steps[i].text);
	}
}

static void
walk_block(const struct walker *w, const struct section *s, const struct block *block)
{
	switch (block->type) {
	case BLOCK_PARAGRAPH:
		see(w, CONTENT_IS_PARAGRAPH, block->text);
		break;
	case BLOCK_HEADING:
		see(w, CONTENT_IS_HEADING, block->text);
		break;
	case BLOCK_LIST:
		walk_list(w, &block->list);
		break;
	case BLOCK_QUOTE:
		see(w, CONTENT_IS_PARAGRAPH, block->text);
		see(w, CONTENT_IS_SHORT, block->cite);
		break;
	case BLOCK_CODE:
		see(w, CONTENT_IS_CODE, block->text);
		break;
	case BLOCK_IMAGE:
		see(w, CONTENT_IS_SHORT, block->image.caption);
		break;
	case BLOCK_TABLE:
		walk_table(w, &s->tables[block->index]);
		break;
	case BLOCK_CALLOUT:
		walk_callout(w, &s->callouts[block->index]);
		break;
	case BLOCK_STEPS:
		walk_steps(w, s);
		break;
	case BLOCK_RULE:
		break;
	}
}

/* Visits one block for content_flow(). */
static void
walk_placed(void *arg, const struct section *s, const struct block *block)
{
	walk_block(arg, s, block);
}

/* Visits the texts of a section, without those of its subsections. */
static void
walk_flow(struct walker *w, const struct section *s)
{
	see(w, CONTENT_IS_HEADING, s->heading);
	content_flow(s, walk_placed, w);
}

/* Visits a section and its subsections. The place that refusals name is the
 * section's heading, cut to PLACE_HEADING_MAX. */
static void
walk_section(struct walker *w, const struct section *s, const char *kind)
{
	char place[PLACE_HEADING_BYTES + 32];
	size_t len = utf8_prefix(s->heading, PLACE_HEADING_MAX);
	const char *around = w->place;

	if (len > PLACE_HEADING_BYTES)
		BUG("%d code points are %zu bytes", PLACE_HEADING_MAX, len);
	snprintf(place, sizeof(place), "%s \"%.*s%s\"", kind, (int)len, s->heading,
	    s->heading[len] == '\0' ? "" : "…");
	w->place = s->heading[0] == '\0' ? "the beginning" : place;
	walk_flow(w, s);
	for (size_t i = 0; i < s->subsection_count; i++)
		walk_section(w, &s->subsections[i], "subsection");
	w->place = around;
}

void
content_walk(const struct content *content, content_visit *visit, void *arg)
{
	struct walker w = { visit, arg, "summary" };
	char place[40];

	see(&w, CONTENT_IS_SUMMARY, content->summary);
	w.place = "takeaways";
	for (size_t i = 0; i < content->takeaway_count; i++)
		see(&w, CONTENT_IS_TAKEAWAY, content->takeaways[i]);
	for (size_t i = 0; i < content->section_count; i++)
		walk_section(&w, &content->sections[i], "section");
	for (size_t i = 0; i < content->faq_count; i++) {
		snprintf(place, sizeof(place), "question %zu", i + 1);
		w.place = place;
		see(&w, CONTENT_IS_HEADING, content->faqs[i].question);
		see(&w, CONTENT_IS_PARAGRAPH, content->faqs[i].answer);
	}
}

/* ---- where a text is */

struct finder {
	struct walker walker;
	size_t left; /* texts before the one that is looked for */
	bool found;
	size_t at; /* of the blocks of the present section, from 1 */
	struct content_place *out;
};

static void
count_down(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	struct finder *f = arg;

	(void)kind;
	(void)text;
	(void)place;
	f->found = f->found || f->left == 0;
	f->left -= f->left > 0;
}

static void
find_in_block(void *arg, const struct section *s, const struct block *block)
{
	struct finder *f = arg;

	f->at++;
	if (f->found)
		return;
	walk_block(&f->walker, s, block);
	if (f->found)
		*f->out = (struct content_place) { .section = s->id,
			.block = f->at <= s->body_count ? f->at : 0 };
}

static void
find_in_section(struct finder *f, const struct section *s)
{
	see(&f->walker, CONTENT_IS_HEADING, s->heading);
	if (f->found) {
		f->out->section = s->id;
		return;
	}
	f->at = 0;
	content_flow(s, find_in_block, f);
	for (size_t i = 0; i < s->subsection_count && !f->found; i++)
		find_in_section(f, &s->subsections[i]);
}

struct section *
content_section(const struct content *content, const char *id)
{
	for (size_t i = 0; i < content->section_count; i++) {
		struct section *s = &content->sections[i];
		if (strcmp(s->id, id) == 0)
			return s;
		for (size_t j = 0; j < s->subsection_count; j++) {
			if (strcmp(s->subsections[j].id, id) == 0)
				return &s->subsections[j];
		}
	}
	return NULL;
}

void
content_text_place(const struct content *content, size_t n, struct content_place *out)
{
	struct finder f = { .left = n, .out = out };

	f.walker = (struct walker) { count_down, &f, "" };
	*out = (struct content_place) { 0 };
	see(&f.walker, CONTENT_IS_SUMMARY, content->summary);
	for (size_t i = 0; i < content->takeaway_count; i++)
		see(&f.walker, CONTENT_IS_TAKEAWAY, content->takeaways[i]);
	for (size_t i = 0; i < content->section_count && !f.found; i++)
		find_in_section(&f, &content->sections[i]);
	for (size_t i = 0; i < content->faq_count && !f.found; i++) {
		see(&f.walker, CONTENT_IS_HEADING, content->faqs[i].question);
		see(&f.walker, CONTENT_IS_PARAGRAPH, content->faqs[i].answer);
		out->question = f.found ? i + 1 : 0;
	}
}
