#include <string.h>

#include "base/ctx.h"
#include "base/jwrite.h"
#include "content/content.h"

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
