#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/content-read.h"

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
	image->caption = content_text_or_null(r, json, "caption");
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
		block->text = content_text_heading(r, json, "text");
		break;
	case BLOCK_LIST:
		block->list.ordered = jread_bool(r, json, "ordered", JREAD_OPTIONAL, false);
		read_items(r, json, &block->list, JREAD_NEEDED, 1);
		break;
	case BLOCK_QUOTE:
		block->text = content_text(r, json, "text", JREAD_NEEDED);
		block->cite = content_text_or_null(r, json, "cite");
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
		table->rows[i] = content_text_elements(r, row, &cells);
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
		table->caption = content_text_or_null(r, json, "caption");
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

void
content_block_flow(struct jread *r, json_t *object, struct section *s)
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
