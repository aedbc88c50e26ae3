#include "content/content-read.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "content/content.h"
#include "content/inline.h"
#include "content/lang.h"
#include "content/url.h"

/* ---- texts */

bool
content_text_is_blank(const char *text)
{
	return text == NULL || text[strspn(text, " \t\n")] == '\0';
}

static const char *
stored(struct jread *r, const char *text)
{
	return text == NULL ? "" : lang_nfc(r->c->arena, text);
}

const char *
content_text(struct jread *r, json_t *object, const char *name, enum jread_need need)
{
	return stored(r, jread_text(r, object, name, need, CONTENT_TEXT_MAX));
}

/* Returns `text` with spaces in place of U+2028 and U+2029. */
static const char *
without_separators(struct arena *a, const char *text)
{
	const char *from = text, *p;
	struct buf out;

	if (strstr(text, "\xE2\x80\xA8") == NULL && strstr(text, "\xE2\x80\xA9") == NULL)
		return text;
	buf_init(&out, a, strlen(text));
	while ((p = strstr(from, "\xE2\x80")) != NULL) {
		bool separator = p[2] == '\xA8' || p[2] == '\xA9';
		buf_add(&out, from, (size_t)(p - from));
		buf_add(&out, separator ? " " : p, separator ? 1 : 3);
		from = p + 3;
	}
	buf_add_text(&out, from);
	return buf_done(&out);
}

const char *
content_text_line(
    struct jread *r, json_t *object, const char *name, enum jread_need need, size_t max)
{
	const char *text = jread_line(r, object, name, need, max);

	return without_separators(r->c->arena, stored(r, text));
}

/* Return the same texts, but NULL when they are absent, null or empty. */
static const char *
text_or_null(struct jread *r, json_t *object, const char *name)
{
	const char *text = content_text(r, object, name, JREAD_ANY);

	return content_text_is_blank(text) ? NULL : text;
}

const char *
content_text_line_or_null(struct jread *r, json_t *object, const char *name, size_t max)
{
	const char *text = content_text_line(r, object, name, JREAD_ANY, max);

	return content_text_is_blank(text) ? NULL : text;
}

/* Returns one line. It must show something without its marks. */
static const char *
text_heading(struct jread *r, json_t *object, const char *name)
{
	const char *text = content_text_line(r, object, name, JREAD_NEEDED, CONTENT_HEADING_MAX);

	if (content_text_is_blank(inline_plain(r->c->arena, text)))
		jread_refuse(r, name, "must not be empty.");
	return text;
}

/* Returns the texts that are the elements of the present place. */
static const char **
text_elements(struct jread *r, json_t *array, size_t *count)
{
	const char **texts;

	*count = json_array_size(array);
	texts = arena_array(r->c->arena, *count, sizeof(*texts));
	for (size_t i = 0; i < *count; i++) {
		jread_enter_element(r, i);
		texts[i] =
		    stored(r, jread_element_text(r, json_array_get(array, i), CONTENT_TEXT_MAX));
		jread_leave(r);
	}
	return texts;
}

const char **
content_text_array(struct jread *r, json_t *object, const char *name, enum jread_need need,
    size_t max, size_t *count)
{
	json_t *array = jread_array(r, object, name, need, max);
	const char **texts;

	jread_enter(r, name);
	texts = text_elements(r, array, count);
	jread_leave(r);
	return texts;
}

/* Returns whether the address is "media:", 64 hexadecimal digits, "." and an
 * extension. */
static bool
is_media(const char *url)
{
	static const char *const extensions[] = { ".png", ".jpg", ".webp", ".gif" };

	if (strncmp(url, "media:", 6) != 0 || strspn(url + 6, "0123456789abcdef") != 64)
		return false;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
		if (strcmp(url + 6 + 64, extensions[i]) == 0)
			return true;
	}
	return false;
}

const char *
content_text_address(
    struct jread *r, json_t *object, const char *name, enum jread_need need, bool media)
{
	const char *text = jread_line(r, object, name, need, CONTENT_URL_MAX);
	const char *url;

	if (text == NULL || (media && is_media(text)))
		return text;
	url = url_clean_web(r->c->arena, text);
	if (url == NULL)
		jread_refuse(r, name, "must be an https or http address%s.",
		    media ? " or the name of a stored picture" : "");
	return url;
}

/* ---- the blocks of a section */

#define LANGUAGE_MAX 60 /* of a code block's language: "typescript", "c++" */
#define SIDE_MAX 100000 /* pixels */

/* Makes room for the elements of an array of the object. */
static void *
room(struct jread *r, json_t *array, size_t size, size_t *count)
{
	*count = json_array_size(array);
	return *count == 0 ? NULL : arena_array(r->c->arena, *count, size);
}

/* Enters element `i` of `array`; NULL after a refusal. */
static json_t *
element(struct jread *r, json_t *array, size_t i)
{
	jread_enter_element(r, i);
	return jread_element_object(r, json_array_get(array, i));
}

/* Reads the items of a list, and the lists in them. An item without a nested list
 * never counts as ordered. */
static void
read_items(struct jread *r, json_t *object, struct list *list, enum jread_need need, int depth)
{
	json_t *items = jread_array(r, object, "items", need, CONTENT_ITEMS_MAX);

	if (depth > CONTENT_LIST_DEPTH_MAX && json_array_size(items) > 0) {
		jread_refuse(r, "items", "is nested more than %d deep.", CONTENT_LIST_DEPTH_MAX);
		return;
	}
	list->items = room(r, items, sizeof(*list->items), &list->item_count);
	jread_enter(r, "items");
	for (size_t i = 0; i < list->item_count; i++) {
		struct list_item *item = &list->items[i];
		json_t *json = element(r, items, i);
		jread_only(r, json, "text ordered items");
		item->text = content_text(r, json, "text", JREAD_NEEDED);
		item->list.ordered = jread_bool(r, json, "ordered", JREAD_OPTIONAL, false);
		read_items(r, json, &item->list, JREAD_OPTIONAL, depth + 1);
		if (item->list.item_count == 0)
			item->list.ordered = false;
		jread_leave(r);
	}
	jread_leave(r);
}

static void
read_code(struct jread *r, json_t *json, struct block *block)
{
	/* The text stays as it is: normalisation could change what a program
	 * does. */
	block->text = jread_text(r, json, "text", JREAD_NEEDED, CONTENT_TEXT_MAX);
	if (block->text == NULL)
		block->text = "";
	block->language = content_text_line_or_null(r, json, "language", LANGUAGE_MAX);
	if (block->language != NULL && strchr(block->language, ' ') != NULL)
		jread_refuse(r, "language", "must be one word.");
}

/* Reads a picture. Its width and height are given together, or not at all. */
static void
read_image(struct jread *r, json_t *json, struct image *image)
{
	image->url = content_text_address(r, json, "url", JREAD_NEEDED, true);
	image->alt = content_text_line(r, json, "alt", JREAD_ANY, CONTENT_TEXT_MAX);
	image->caption = text_or_null(r, json, "caption");
	image->width = jread_int(r, json, "width", JREAD_ANY, 1, SIDE_MAX, 0);
	image->height = jread_int(r, json, "height", JREAD_ANY, 1, SIDE_MAX, 0);
	if ((image->width > 0) != (image->height > 0))
		jread_refuse(r, NULL, "must have width and height, or neither.");
}

/* Reads the index of a table or callout that a block places. It must be below
 * `count`, and no earlier block of the section may place the same one. */
static void
read_index(struct jread *r, json_t *json, const struct section *s, size_t at, size_t count)
{
	struct block *block = &s->body[at];

	block->index = (size_t)jread_int(r, json, "index", JREAD_NEEDED, 0, CONTENT_TABLES_MAX, 0);
	if (block->index >= count)
		jread_refuse(r, "index", "must be below %zu: there are no more.", count);
	for (size_t i = 0; i < at; i++) {
		if (s->body[i].type == block->type && s->body[i].index == block->index)
			jread_refuse(r, NULL, "is placed by body[%zu] already.", i);
	}
}

/* Refuses a block that places steps if the section has none, or if an earlier
 * block places them. */
static void
read_steps_block(struct jread *r, const struct section *s, size_t at)
{
	if (s->step_count == 0)
		jread_refuse(r, NULL, "places steps, but there are none.");
	for (size_t i = 0; i < at; i++) {
		if (s->body[i].type == BLOCK_STEPS)
			jread_refuse(r, NULL, "is placed by body[%zu] already.", i);
	}
}

/* For each enum block_type, the members beside "type". */
static const char *const members[] = { "type text", "type text", "type ordered items",
	"type text cite", "type language text", "type url alt caption width height", "type index",
	"type index", "type", "type" };

static bool
read_type(struct jread *r, json_t *json, enum block_type *type)
{
	const char *name = content_text_line(r, json, "type", JREAD_NEEDED, 40);

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (strcmp(content_block_name((enum block_type)i), name) == 0) {
			*type = (enum block_type)i;
			jread_only(r, json, members[i]);
			return true;
		}
	}
	jread_refuse(r, "type",
	    "must be paragraph, heading, list, quote, code, image, table, callout, steps or rule.");
	return false;
}

static void
read_block(struct jread *r, json_t *json, const struct section *s, size_t at)
{
	struct block *block = &s->body[at];

	if (!read_type(r, json, &block->type))
		return;
	switch (block->type) {
	case BLOCK_PARAGRAPH:
		block->text = content_text(r, json, "text", JREAD_NEEDED);
		break;
	case BLOCK_HEADING:
		block->text = text_heading(r, json, "text");
		break;
	case BLOCK_LIST:
		block->list.ordered = jread_bool(r, json, "ordered", JREAD_OPTIONAL, false);
		read_items(r, json, &block->list, JREAD_NEEDED, 1);
		break;
	case BLOCK_QUOTE:
		block->text = content_text(r, json, "text", JREAD_NEEDED);
		block->cite = text_or_null(r, json, "cite");
		break;
	case BLOCK_CODE:
		read_code(r, json, block);
		break;
	case BLOCK_IMAGE:
		read_image(r, json, &block->image);
		break;
	case BLOCK_TABLE:
		read_index(r, json, s, at, s->table_count);
		break;
	case BLOCK_CALLOUT:
		read_index(r, json, s, at, s->callout_count);
		break;
	case BLOCK_STEPS:
		read_steps_block(r, s, at);
		break;
	case BLOCK_RULE:
		break;
	}
}

static void
read_steps(struct jread *r, json_t *object, struct section *s)
{
	json_t *array = jread_array(r, object, "steps", JREAD_OPTIONAL, CONTENT_ITEMS_MAX);

	s->steps = room(r, array, sizeof(*s->steps), &s->step_count);
	jread_enter(r, "steps");
	for (size_t i = 0; i < s->step_count; i++) {
		json_t *json = element(r, array, i);
		jread_only(r, json, "name text");
		s->steps[i].name =
		    content_text_line(r, json, "name", JREAD_NEEDED, CONTENT_HEADING_MAX);
		s->steps[i].text = content_text(r, json, "text", JREAD_NEEDED);
		jread_leave(r);
	}
	jread_leave(r);
}

/* Reads the rows of a table. Each row must have one cell for each column. */
static void
read_rows(struct jread *r, json_t *object, struct table *table)
{
	json_t *array = jread_array(r, object, "rows", JREAD_NEEDED, CONTENT_ROWS_MAX);
	size_t cells;

	table->rows = room(r, array, sizeof(*table->rows), &table->row_count);
	jread_enter(r, "rows");
	for (size_t i = 0; i < table->row_count; i++) {
		json_t *row = json_array_get(array, i);
		jread_enter_element(r, i);
		table->rows[i] = text_elements(r, row, &cells);
		if (cells != table->column_count)
			jread_refuse(
			    r, NULL, "must be an array of %zu cells.", table->column_count);
		jread_leave(r);
	}
	jread_leave(r);
}

/* Reads the alignment of the columns. That of none is as if it were absent, as in a table that
 * was stored before there was any. */
static void
read_align(struct jread *r, json_t *object, struct table *table)
{
	json_t *array = jread_array(r, object, "align", JREAD_OPTIONAL, CONTENT_COLUMNS_MAX);
	size_t count = json_array_size(array), aligned = 0;
	char *align;

	if (count == 0)
		return;
	align = arena_alloc(r->c->arena, count + 1);
	for (size_t i = 0; i < count; i++) {
		json_t *one = json_array_get(array, i);
		const char *name = json_string_value(one), *known = CONTENT_ALIGN;
		align[i] = '-';
		while (
		    name != NULL && *known != '-' && strcmp(content_align_name(*known), name) != 0)
			known++;
		if (name != NULL)
			align[i] = *known;
		if (align[i] == '-' && !json_is_null(one))
			jread_refuse(r, "align", "must hold left, center, right or null.");
		aligned += align[i] != '-';
	}
	align[count] = '\0';
	if (count != table->column_count)
		jread_refuse(r, "align", "must be an array of %zu elements.", table->column_count);
	else if (aligned > 0)
		table->align = align;
}

static void
read_tables(struct jread *r, json_t *object, struct section *s)
{
	json_t *array = jread_array(r, object, "tables", JREAD_OPTIONAL, CONTENT_TABLES_MAX);

	s->tables = room(r, array, sizeof(*s->tables), &s->table_count);
	jread_enter(r, "tables");
	for (size_t i = 0; i < s->table_count; i++) {
		struct table *table = &s->tables[i];
		json_t *json = element(r, array, i);
		jread_only(r, json, "caption columns align rowHeader rows");
		table->caption = text_or_null(r, json, "caption");
		table->columns = content_text_array(
		    r, json, "columns", JREAD_NEEDED, CONTENT_COLUMNS_MAX, &table->column_count);
		if (table->column_count == 0)
			jread_refuse(r, "columns", "must not be empty.");
		read_align(r, json, table);
		table->row_header = jread_bool(r, json, "rowHeader", JREAD_OPTIONAL, false);
		read_rows(r, json, table);
		jread_leave(r);
	}
	jread_leave(r);
}

static void
read_callouts(struct jread *r, json_t *object, struct section *s)
{
	json_t *array = jread_array(r, object, "callouts", JREAD_OPTIONAL, CONTENT_TABLES_MAX);

	s->callouts = room(r, array, sizeof(*s->callouts), &s->callout_count);
	jread_enter(r, "callouts");
	for (size_t i = 0; i < s->callout_count; i++) {
		struct callout *callout = &s->callouts[i];
		json_t *json = element(r, array, i);
		const char *kind;
		jread_only(r, json, "kind title text");
		kind = content_text_line(r, json, "kind", JREAD_NEEDED, 40);
		if (!content_callout_kind(kind, &callout->kind))
			jread_refuse(
			    r, "kind", "must be note, tip, important, warning, caution or todo.");
		callout->title = content_text_line_or_null(r, json, "title", CONTENT_HEADING_MAX);
		callout->text = content_text(r, json, "text", JREAD_NEEDED);
		jread_leave(r);
	}
	jread_leave(r);
}

/* Reads steps, tables and callouts, then the body that places them. */
static void
read_flow(struct jread *r, json_t *object, struct section *s)
{
	json_t *body = jread_array(r, object, "body", JREAD_NEEDED, CONTENT_BLOCKS_MAX);

	read_steps(r, object, s);
	read_tables(r, object, s);
	read_callouts(r, object, s);
	s->body = room(r, body, sizeof(*s->body), &s->body_count);
	jread_enter(r, "body");
	for (size_t i = 0; i < s->body_count; i++) {
		read_block(r, element(r, body, i), s, i);
		jread_leave(r);
	}
	jread_leave(r);
}

/* ---- sections, questions, references */

/* A date has at most so many characters; a text in its place is kept as given. */
#define DATE_MAX 60

static const char *
read_id(struct jread *r, json_t *json, enum jread_need need)
{
	return content_text_line(r, json, "id", need, CONTENT_ID_MAX);
}

static struct section *
read_sections(struct jread *r, json_t *object, const char *name, bool nested, size_t *count);

/* Reads a section, or a subsection if it is nested. If `headed`, its heading must
 * not be empty. */
static void
read_section(struct jread *r, json_t *json, bool nested, bool headed, struct section *s)
{
	jread_only(r, json,
	    nested ? "id heading body steps tables callouts"
		   : "id heading body steps tables callouts subsections");
	s->id = read_id(r, json, JREAD_ANY);
	s->heading = headed
			 ? text_heading(r, json, "heading")
			 : content_text_line(r, json, "heading", JREAD_NEEDED, CONTENT_HEADING_MAX);
	read_flow(r, json, s);
	if (!nested)
		s->subsections = read_sections(r, json, "subsections", true, &s->subsection_count);
}

/* Reads sections or subsections. Only the first section may have an empty
 * heading: it is the beginning of the article. */
static struct section *
read_sections(struct jread *r, json_t *object, const char *name, bool nested, size_t *count)
{
	json_t *array = jread_array(r, object, name, nested ? JREAD_OPTIONAL : JREAD_NEEDED,
	    nested ? CONTENT_SUBSECTIONS_MAX : CONTENT_SECTIONS_MAX);
	struct section *sections;

	*count = json_array_size(array);
	sections = arena_array(r->c->arena, *count, sizeof(*sections));
	jread_enter(r, name);
	for (size_t i = 0; i < *count; i++) {
		jread_enter_element(r, i);
		read_section(r, jread_element_object(r, json_array_get(array, i)), nested,
		    nested || i > 0, &sections[i]);
		jread_leave(r);
	}
	jread_leave(r);
	return sections;
}

static void
read_faqs(struct jread *r, json_t *object, struct content *out)
{
	json_t *array = jread_array(r, object, "faqs", JREAD_OPTIONAL, CONTENT_FAQS_MAX);

	out->faq_count = json_array_size(array);
	out->faqs = arena_array(r->c->arena, out->faq_count, sizeof(*out->faqs));
	jread_enter(r, "faqs");
	for (size_t i = 0; i < out->faq_count; i++) {
		struct faq *faq = &out->faqs[i];
		json_t *json;
		jread_enter_element(r, i);
		json = jread_element_object(r, json_array_get(array, i));
		jread_only(r, json, "id question answer");
		faq->id = read_id(r, json, JREAD_ANY);
		faq->question = text_heading(r, json, "question");
		faq->answer = content_text(r, json, "answer", JREAD_NEEDED);
		jread_leave(r);
	}
	jread_leave(r);
}

static void
read_reference(struct jread *r, json_t *json, struct reference *reference)
{
	jread_only(r, json, "id title url publisher published accessed");
	reference->id = read_id(r, json, JREAD_NEEDED);
	if (reference->id[0] == '\0')
		jread_refuse(r, "id", "must not be empty.");
	reference->title = content_text_line(r, json, "title", JREAD_NEEDED, CONTENT_TEXT_MAX);
	if (content_text_is_blank(reference->title))
		jread_refuse(r, "title", "must not be empty.");
	reference->url = content_text_address(r, json, "url", JREAD_ANY, false);
	reference->publisher = content_text_line_or_null(r, json, "publisher", CONTENT_HEADING_MAX);
	reference->published = content_text_line_or_null(r, json, "published", DATE_MAX);
	reference->accessed = content_text_line_or_null(r, json, "accessed", DATE_MAX);
}

static void
read_references(struct jread *r, json_t *object, struct content *out)
{
	json_t *array =
	    jread_array(r, object, "references", JREAD_OPTIONAL, CONTENT_REFERENCES_MAX);

	out->reference_count = json_array_size(array);
	out->references = arena_array(r->c->arena, out->reference_count, sizeof(*out->references));
	jread_enter(r, "references");
	for (size_t i = 0; i < out->reference_count; i++) {
		jread_enter_element(r, i);
		read_reference(
		    r, jread_element_object(r, json_array_get(array, i)), &out->references[i]);
		jread_leave(r);
	}
	jread_leave(r);
}

/* Reads a label. An empty one leaves the label of the article's language. */
static void
read_label(struct jread *r, json_t *labels, const char *name, const char **label)
{
	const char *text = content_text_line_or_null(r, labels, name, CONTENT_HEADING_MAX);

	if (text != NULL)
		*label = text;
}

static void
read_labels(struct jread *r, json_t *object, struct content *out)
{
	json_t *labels = jread_object(r, object, "labels", JREAD_OPTIONAL);

	if (labels == NULL)
		return;
	jread_enter(r, "labels");
	jread_only(r, labels, "takeaways faqs references");
	read_label(r, labels, "takeaways", &out->labels.takeaways);
	read_label(r, labels, "faqs", &out->labels.faqs);
	read_label(r, labels, "references", &out->labels.references);
	jread_leave(r);
}

static struct err *
read_content(
    struct ctx *c, const char *what, json_t *json, const char *language, struct content *out)
{
	struct jread r;

	content_init(out, language);
	jread_begin(&r, c, what);
	json = jread_element_object(&r, json);
	jread_only(
	    &r, json, "summary takeaways sections faqs references imageAlt imageCaption labels");
	out->summary = content_text(&r, json, "summary", JREAD_OPTIONAL);
	out->takeaways = content_text_array(
	    &r, json, "takeaways", JREAD_OPTIONAL, CONTENT_ITEMS_MAX, &out->takeaway_count);
	out->sections = read_sections(&r, json, "sections", false, &out->section_count);
	read_faqs(&r, json, out);
	read_references(&r, json, out);
	out->image_alt = content_text_line_or_null(&r, json, "imageAlt", CONTENT_TEXT_MAX);
	out->image_caption = text_or_null(&r, json, "imageCaption");
	read_labels(&r, json, out);
	return jread_end(&r);
}

/* ---- ids */

/* A set of ids; the strings must live as long. */
struct content_ids {
	const char **slots; /* open addressing; NULL is free */
	size_t size; /* a power of two, more than twice the ids */
};

typedef void id_visit(void *arg, const char *id);

static void
visit(id_visit *f, void *arg, const char *id)
{
	if (id != NULL && id[0] != '\0')
		f(arg, id);
}

/* Calls `f` with every id that is set. */
static void
each_id(const struct content *content, id_visit *f, void *arg)
{
	for (size_t i = 0; i < content->section_count; i++) {
		const struct section *s = &content->sections[i];
		visit(f, arg, s->id);
		for (size_t j = 0; j < s->subsection_count; j++)
			visit(f, arg, s->subsections[j].id);
	}
	for (size_t i = 0; i < content->faq_count; i++)
		visit(f, arg, content->faqs[i].id);
	for (size_t i = 0; i < content->reference_count; i++)
		visit(f, arg, content->references[i].id);
}

static void
empty_set(struct content_ids *ids, struct arena *a, const struct content *content)
{
	size_t count = content->section_count + content->faq_count + content->reference_count;

	for (size_t i = 0; i < content->section_count; i++)
		count += content->sections[i].subsection_count;
	ids->size = 16;
	while (ids->size < 4 * count)
		ids->size *= 2;
	ids->slots = arena_array(a, ids->size, sizeof(*ids->slots));
}

/* Returns the slot that holds `id`, or the free slot where `id` belongs. */
static const char **
slot(const struct content_ids *ids, const char *id)
{
	size_t hash = 5381;

	for (const char *p = id; *p != '\0'; p++)
		hash = hash * 33 + (unsigned char)*p;
	for (hash &= ids->size - 1;; hash = (hash + 1) & (ids->size - 1)) {
		if (ids->slots[hash] == NULL || strcmp(ids->slots[hash], id) == 0)
			return &ids->slots[hash];
	}
}

/* Adds an id. Returns false when the set has it already. */
static bool
ids_add(struct content_ids *ids, const char *id)
{
	const char **at = slot(ids, id);

	if (*at != NULL)
		return false;
	*at = id;
	return true;
}

static bool
ids_have(const struct content_ids *ids, const char *id)
{
	return *slot(ids, id) != NULL;
}

static void
add(void *arg, const char *id)
{
	ids_add(arg, id);
}

/* The set of the ids that `content` has, with room for those it lacks. */
static void
ids_init(struct content_ids *ids, struct arena *a, const struct content *content)
{
	empty_set(ids, a, content);
	each_id(content, add, ids);
}

/* Returns whether the id has at most CONTENT_ID_MAX letters, digits and hyphens. */
static bool
has_form(const char *id)
{
	size_t len = strlen(id);

	return len <= CONTENT_ID_MAX &&
	       strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == len;
}

static bool
is_number(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Returns whether rendering makes this id itself: "takeaways", "faq",
 * "references", "t" with a number, and any id that ends with "-step" and a
 * number. */
static bool
is_reserved(const char *id)
{
	const char *last = strrchr(id, '-');

	if (strcmp(id, "takeaways") == 0 || strcmp(id, "faq") == 0 || strcmp(id, "references") == 0)
		return true;
	if (id[0] == 't' && is_number(id + 1))
		return true;
	return last != NULL && strncmp(last, "-step", 5) == 0 && is_number(last + 5);
}

struct check {
	struct ctx *c;
	const char *what;
	struct content_ids seen;
	struct err *err;
};

/* Refuses an id of a wrong form, one that rendering makes, and one that another
 * part has. Keeps the first refusal. */
static void
check_id(void *arg, const char *id)
{
	struct check *check = arg;

	if (check->err != NULL)
		return;
	if (!has_form(id))
		check->err = err_param(check->c, check->what,
		    tr_mark("The id \"%s\" must be 1 to %d letters, digits and hyphens."), id,
		    CONTENT_ID_MAX);
	else if (is_reserved(id))
		check->err = err_param(check->c, check->what,
		    tr_mark("The id \"%s\" is one that rendering makes itself: give another."), id);
	else if (!ids_add(&check->seen, id))
		check->err = err_param(check->c, check->what,
		    tr_mark(
			"The id \"%s\" stands twice: sections, questions and references share one set."),
		    id);
}

/* Refuses ids of a wrong form, reserved ones, and one that is given twice. A missing id is no
 * error here. */
static struct err *
check_ids(struct ctx *c, const char *what, const struct content *content)
{
	struct check check = { .c = c, .what = what };

	empty_set(&check.seen, c->arena, content);
	each_id(content, check_id, &check);
	return check.err;
}

/* Gives an empty `*id` the first free name <stem><number>, with numbers from
 * *next on. Moves *next past that number. */
static void
number(struct ctx *c, struct content_ids *ids, const char **id, const char *stem, size_t *next)
{
	const char *name;

	if (*id != NULL && (*id)[0] != '\0')
		return;
	do
		name = arena_printf(c->arena, "%s%zu", stem, (*next)++);
	while (!ids_add(ids, name));
	*id = name;
}

void
content_ids_number(struct ctx *c, struct content *content)
{
	struct content_ids ids;
	size_t section = 1, question = 1;

	ids_init(&ids, c->arena, content);
	for (size_t i = 0; i < content->section_count; i++) {
		struct section *s = &content->sections[i];
		size_t subsection = 1;
		const char *stem;
		number(c, &ids, &s->id, "s", &section);
		stem = arena_printf(c->arena, "%s-", s->id);
		for (size_t j = 0; j < s->subsection_count; j++)
			number(c, &ids, &s->subsections[j].id, stem, &subsection);
	}
	for (size_t i = 0; i < content->faq_count; i++)
		number(c, &ids, &content->faqs[i].id, "q", &question);
}

/* ---- the whole */

struct cites {
	struct ctx *c;
	const char *what;
	struct content_ids references;
	struct err *err;
};

/* Refuses a citation, in any text but code, of an id that no reference has. */
static void
check_cites(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	struct cites *cites = arg;
	struct inline_token *tokens;
	size_t count;

	if (kind == CONTENT_IS_CODE || strstr(text, "[^") == NULL)
		return;
	tokens = inline_parse(cites->c->arena, text, &count);
	for (size_t i = 0; i < count && cites->err == NULL; i++) {
		const char *id = arena_text_n(cites->c->arena, tokens[i].text, tokens[i].len);
		if (tokens[i].event == INLINE_CITE && !ids_have(&cites->references, id))
			cites->err = err_param(cites->c, cites->what,
			    tr_mark(
				"%s: [^%s] in %s cites a reference that is not among the references."),
			    cites->what, id, place);
	}
}

static struct err *
check_references(struct ctx *c, const char *what, const struct content *content)
{
	struct content only = { .references = content->references,
		.reference_count = content->reference_count };
	struct cites cites = { .c = c, .what = what };

	ids_init(&cites.references, c->arena, &only);
	content_walk(content, check_cites, &cites);
	if (content->image_caption != NULL)
		check_cites(&cites, CONTENT_IS_SHORT, content->image_caption, "imageCaption");
	return cites.err;
}

/* Refuses content whose JSON is longer than CONTENT_BYTES_MAX. */
static struct err *
check_size(struct ctx *c, const char *what, const struct content *content)
{
	struct buf json;

	buf_init(&json, c->arena, CONTENT_BYTES_MAX);
	content_to_json(content, NULL, &json);
	if (buf_full(&json))
		return err_param(
		    c, what, tr_mark("%s is longer than %d bytes."), what, CONTENT_BYTES_MAX);
	return NULL;
}

struct err *
content_from_json(
    struct ctx *c, const char *what, json_t *json, const char *language, struct content *out)
{
	struct err *err = read_content(c, what, json, language, out);

	if (err == NULL) {
		content_ids_number(c, out);
		err = check_ids(c, what, out);
	}
	if (err == NULL)
		err = check_references(c, what, out);
	return err != NULL ? err : check_size(c, what, out);
}

void
content_from_stored(struct ctx *c, const char *json, const char *language, struct content *out)
{
	json_t *root;
	struct err *err = jread_parse(c, "content", json, strlen(json), &root);

	if (err == NULL)
		err = read_content(c, "content", root, language, out);
	if (err != NULL)
		die("stored content: %s", err->message);
}
