#include "provider/openai/section.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/content.h"
#include "provider/openai/text.h"

enum {
	BLOCKS_MAX = 60,
	ITEMS_MAX = 60,
	STEPS_MAX = 40,
	TABLES_MAX = 6,
	ROWS_MAX = 100,
	CALLOUTS_MAX = 6,
	SUBSECTIONS_MAX = 10,
	CELL_MAX = 500 /* code points */
};

static bool
is_type(json_t *block, const char *type)
{
	const char *own = json_string_value(json_object_get(block, "type"));

	return own != NULL && strcmp(own, type) == 0;
}

static bool
is_list(json_t *block)
{
	return is_type(block, "list") || is_type(block, "numbered_list");
}

static void
check_block(struct jread *r, json_t *block)
{
	if (is_list(block))
		openai_check_texts(r, block, "items", 1, ITEMS_MAX, OPENAI_TEXT_MAX);
	else if (is_type(block, "paragraph"))
		openai_check_filled(r, block, "text", OPENAI_TEXT_MAX);
	else if (is_type(block, "code"))
		jread_text(r, block, "text", JREAD_NEEDED, OPENAI_TEXT_MAX);
	else
		jread_refuse(r, "type", "must be paragraph, list, numbered_list or code.");
}

static void
check_step(struct jread *r, json_t *step)
{
	openai_check_filled(r, step, "name", OPENAI_HEADING_MAX);
	openai_check_filled(r, step, "text", OPENAI_TEXT_MAX);
}

static void
check_cells(struct jread *r, json_t *cells, size_t columns)
{
	if (json_array_size(cells) != columns)
		jread_refuse(r, NULL, "must have as many cells as there are columns.");
	for (size_t i = 0; i < json_array_size(cells); i++)
		jread_element_text(r, json_array_get(cells, i), CELL_MAX);
}

/* Checks a table. A first column without a name holds the headings of the rows. */
static void
check_table(struct jread *r, json_t *table)
{
	json_t *columns, *rows;
	size_t count;

	jread_text(r, table, "caption", JREAD_NEEDED, CELL_MAX);
	columns = jread_array(r, table, "columns", JREAD_NEEDED, CONTENT_COLUMNS_MAX);
	count = json_array_size(columns);
	if (columns != NULL && count == 0)
		jread_refuse(r, "columns", "must not be empty.");
	jread_enter(r, "columns");
	check_cells(r, columns, count);
	jread_leave(r);
	rows = jread_array(r, table, "rows", JREAD_NEEDED, ROWS_MAX);
	jread_enter(r, "rows");
	for (size_t i = 0; i < json_array_size(rows); i++) {
		jread_enter_element(r, i);
		check_cells(r, json_array_get(rows, i), count);
		jread_leave(r);
	}
	jread_leave(r);
}

static void
check_callout(struct jread *r, json_t *callout)
{
	const char *name = jread_text(r, callout, "kind", JREAD_NEEDED, 20);
	enum callout_kind kind;

	if (name != NULL && (!content_callout_kind(name, &kind) || kind == CALLOUT_TODO))
		jread_refuse(r, "kind", "must be note, tip, important or warning.");
	jread_text(r, callout, "title", JREAD_NEEDED, OPENAI_HEADING_MAX);
	openai_check_filled(r, callout, "text", OPENAI_TEXT_MAX);
}

static void
check_subsection(struct jread *r, json_t *subsection)
{
	openai_check_filled(r, subsection, "heading", OPENAI_HEADING_MAX);
	openai_check_objects(r, subsection, "blocks", 1, BLOCKS_MAX, check_block);
}

void
openai_section_check(struct jread *r, json_t *answer)
{
	openai_check_objects(r, answer, "blocks", 1, BLOCKS_MAX, check_block);
	openai_check_objects(r, answer, "steps", 0, STEPS_MAX, check_step);
	openai_check_objects(r, answer, "tables", 0, TABLES_MAX, check_table);
	openai_check_objects(r, answer, "callouts", 0, CALLOUTS_MAX, check_callout);
	openai_check_objects(r, answer, "subsections", 0, SUBSECTIONS_MAX, check_subsection);
}

/* The state that the functions for writing share. */
struct writing {
	struct ctx *c;
	struct openai_sources *sources;
	struct jwrite *w;
};

static const char *
marked(struct writing *to, const char *text)
{
	return openai_text_marked(to->c, to->sources, text, CONTENT_TEXT_MAX);
}

static void
write_paragraph(struct writing *to, const char *text)
{
	text = marked(to, text);
	if (text[0] == '\0')
		return;
	jwrite_object(to->w);
	jwrite_member_text(to->w, "type", "paragraph");
	jwrite_member_text(to->w, "text", text);
	jwrite_object_end(to->w);
}

/* Writes a text as paragraphs: an empty line begins a new one. */
static void
write_paragraphs(struct writing *to, const char *text)
{
	const char *end;

	for (; (end = strstr(text, "\n\n")) != NULL; text = end + 2)
		write_paragraph(to, arena_text_n(to->c->arena, text, (size_t)(end - text)));
	write_paragraph(to, text);
}

static void
write_list(struct writing *to, json_t *block)
{
	json_t *items = json_object_get(block, "items"), *item;
	size_t i;

	jwrite_object(to->w);
	jwrite_member_text(to->w, "type", "list");
	jwrite_member_bool(to->w, "ordered", is_type(block, "numbered_list"));
	jwrite_member_array(to->w, "items");
	json_array_foreach(items, i, item) {
		jwrite_object(to->w);
		jwrite_member_text(to->w, "text", marked(to, json_string_value(item)));
		jwrite_member_array(to->w, "items");
		jwrite_array_end(to->w);
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
	jwrite_object_end(to->w);
}

static void
write_code(struct writing *to, json_t *block)
{
	jwrite_object(to->w);
	jwrite_member_text(to->w, "type", "code");
	jwrite_member_null(to->w, "language");
	jwrite_member_text(to->w, "text", openai_text_member(block, "text"));
	jwrite_object_end(to->w);
}

static void
write_body(struct writing *to, json_t *object)
{
	json_t *blocks = json_object_get(object, "blocks"), *block;
	size_t i;

	jwrite_member_array(to->w, "body");
	json_array_foreach(blocks, i, block) {
		if (is_list(block))
			write_list(to, block);
		else if (is_type(block, "code"))
			write_code(to, block);
		else
			write_paragraphs(to, openai_text_member(block, "text"));
	}
	jwrite_array_end(to->w);
}

static void
write_steps(struct writing *to, json_t *answer)
{
	json_t *steps = json_object_get(answer, "steps"), *step;
	size_t i;

	jwrite_member_array(to->w, "steps");
	json_array_foreach(steps, i, step) {
		jwrite_object(to->w);
		jwrite_member_text(to->w, "name",
		    openai_text_escaped(
			to->c, openai_text_member(step, "name"), OPENAI_HEADING_MAX));
		jwrite_member_text(to->w, "text", marked(to, openai_text_member(step, "text")));
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

/* Returns whether the cells of the first column are the headings of the rows: the
 * column has no name. */
static bool
heads_rows(json_t *table)
{
	json_t *columns = json_object_get(table, "columns");
	const char *first = json_string_value(json_array_get(columns, 0));

	return first != NULL && first[strspn(first, " ")] == '\0';
}

static void
write_cells(struct writing *to, json_t *cells)
{
	json_t *cell;
	size_t i;

	jwrite_array(to->w);
	json_array_foreach(cells, i, cell)
		jwrite_text(to->w, marked(to, json_string_value(cell)));
	jwrite_array_end(to->w);
}

static void
write_tables(struct writing *to, json_t *answer)
{
	json_t *tables = json_object_get(answer, "tables"), *table, *row;
	size_t i, k;

	jwrite_member_array(to->w, "tables");
	json_array_foreach(tables, i, table) {
		const char *caption = marked(to, openai_text_member(table, "caption"));
		jwrite_object(to->w);
		jwrite_member_text(to->w, "caption", caption[0] != '\0' ? caption : NULL);
		jwrite_name(to->w, "columns");
		write_cells(to, json_object_get(table, "columns"));
		jwrite_member_bool(to->w, "rowHeader", heads_rows(table));
		jwrite_member_array(to->w, "rows");
		json_array_foreach(json_object_get(table, "rows"), k, row)
			write_cells(to, row);
		jwrite_array_end(to->w);
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

static void
write_callouts(struct writing *to, json_t *answer)
{
	json_t *callouts = json_object_get(answer, "callouts"), *callout;
	size_t i;

	jwrite_member_array(to->w, "callouts");
	json_array_foreach(callouts, i, callout) {
		const char *title = openai_text_escaped(
		    to->c, openai_text_member(callout, "title"), OPENAI_HEADING_MAX);
		enum callout_kind kind = CALLOUT_NOTE;

		content_callout_kind(openai_text_member(callout, "kind"), &kind);
		jwrite_object(to->w);
		jwrite_member_text(to->w, "kind", content_callout_name(kind));
		jwrite_member_text(to->w, "title", title[0] != '\0' ? title : NULL);
		jwrite_member_text(to->w, "text", marked(to, openai_text_member(callout, "text")));
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

static void
write_subsections(struct writing *to, json_t *answer)
{
	json_t *list = json_object_get(answer, "subsections"), *subsection;
	size_t i;

	jwrite_member_array(to->w, "subsections");
	json_array_foreach(list, i, subsection) {
		jwrite_object(to->w);
		jwrite_member_text(to->w, "heading",
		    openai_text_escaped(
			to->c, openai_text_member(subsection, "heading"), OPENAI_HEADING_MAX));
		write_body(to, subsection);
		jwrite_object_end(to->w);
	}
	jwrite_array_end(to->w);
}

void
openai_section_write(struct ctx *c, struct openai_sources *sources, const char *heading,
    json_t *answer, struct jwrite *w)
{
	struct writing to = { c, sources, w };

	jwrite_object(w);
	jwrite_member_text(w, "heading", openai_text_escaped(c, heading, OPENAI_HEADING_MAX));
	write_body(&to, answer);
	write_steps(&to, answer);
	write_tables(&to, answer);
	write_callouts(&to, answer);
	write_subsections(&to, answer);
	jwrite_object_end(w);
}

void
openai_section_excerpt(struct ctx *c, json_t *answer, struct buf *out)
{
	json_t *blocks = json_object_get(answer, "blocks"), *block;
	size_t i;

	json_array_foreach(blocks, i, block) {
		if (!is_type(block, "paragraph"))
			continue;
		buf_add_text(
		    out, openai_text_plain(c, openai_text_member(block, "text"), OPENAI_TEXT_MAX));
		buf_add_char(out, '\n');
	}
}
