#include "import/html/htmlmap.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"

enum { ROWS_SEEN_MAX = 10000, SPAN_MAX = 100 };

/* The rows and the caption of a table. The caption may be anywhere in it. */
struct rows {
	const GumboNode **list;
	size_t count, cap;
	const GumboNode *caption;
};

static bool
is_cell(const GumboNode *node)
{
	return htmlmap_tag(node) == GUMBO_TAG_TD || htmlmap_tag(node) == GUMBO_TAG_TH;
}

static const GumboNode *
first_cell(const GumboNode *row)
{
	const GumboVector *children = htmlmap_children(row);

	for (unsigned i = 0; i < children->length; i++) {
		if (is_cell(children->data[i]))
			return children->data[i];
	}
	return NULL;
}

/* Adds a row. A row without cells shows nothing and is left out. */
static void
add_row(struct htmlmap *m, struct rows *rows, const GumboNode *node)
{
	if (first_cell(node) == NULL)
		return;
	if (rows->count == rows->cap) {
		size_t cap = rows->cap == 0 ? 16 : rows->cap * 2;
		rows->list = arena_grow(m->c->arena, rows->list, rows->cap * sizeof(*rows->list),
		    cap * sizeof(*rows->list));
		rows->cap = cap;
	}
	rows->list[rows->count++] = node;
}

/* Collects the rows of a table, in their order in the source, and the caption. */
static void
find_rows(struct htmlmap *m, const GumboNode *node, struct rows *rows)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length; i++) {
		const GumboNode *child = children->data[i];
		switch (htmlmap_tag(child)) {
		case GUMBO_TAG_TR:
			add_row(m, rows, child);
			break;
		case GUMBO_TAG_THEAD:
		case GUMBO_TAG_TBODY:
		case GUMBO_TAG_TFOOT:
			find_rows(m, child, rows);
			break;
		case GUMBO_TAG_CAPTION:
			rows->caption = child;
			break;
		default:
			break;
		}
	}
}

/* Returns how many columns a cell takes. */
static size_t
span(const GumboNode *cell)
{
	const char *value = node_attribute(cell, "colspan");
	long n = value == NULL ? 1 : strtol(value, NULL, 10);

	return n < 1 ? 1 : n > SPAN_MAX ? SPAN_MAX : (size_t)n;
}

/* Returns how many columns the cells of a row take. */
static size_t
width(const GumboNode *row)
{
	const GumboVector *children = htmlmap_children(row);
	size_t n = 0;

	for (unsigned i = 0; i < children->length; i++)
		n += is_cell(children->data[i]) ? span(children->data[i]) : 0;
	return n;
}

/* Returns the cells of a row as texts. A cell that spans columns takes one, and
 * the others are "" (a loss), as are missing cells. */
static const char **
cells(struct htmlmap *m, const GumboNode *row, size_t columns)
{
	const GumboVector *children = htmlmap_children(row);
	const char **texts = arena_array(m->c->arena, columns, sizeof(*texts));
	size_t n = 0;

	for (unsigned i = 0; i < children->length && m->err == NULL; i++) {
		const GumboNode *cell = children->data[i];
		const char *text;
		if (!is_cell(cell) || n >= columns)
			continue;
		htmlmap_line(m, cell);
		if (span(cell) > 1 || node_attribute(cell, "rowspan"))
			losses_add(m->losses, m->line,
			    tr_mark(
				"a cell that spans columns or rows takes one; the others are empty"));
		text = htmlmap_text_of(m, cell);
		texts[n] = text == NULL ? "" : text;
		n += span(cell);
	}
	for (n = 0; n < columns; n++)
		texts[n] = texts[n] == NULL ? "" : texts[n];
	return texts;
}

/* Returns how a cell is aligned: one of CONTENT_ALIGN. */
static char
cell_align(const GumboNode *cell)
{
	static const char *const names[] = { "align", "data-align" };
	const char *style = node_attribute(cell, "style"), *value;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		value = node_attribute(cell, names[i]);
		for (const char *p = CONTENT_ALIGN; value != NULL && *p != '-'; p++) {
			if (strcasecmp(value, content_align_name(*p)) == 0)
				return *p;
		}
	}
	value = style == NULL ? NULL : strstr(style, "text-align:");
	if (value != NULL) {
		value += strlen("text-align:");
		value += strspn(value, " ");
	}
	for (const char *p = CONTENT_ALIGN; value != NULL && *p != '-'; p++) {
		const char *name = content_align_name(*p);
		if (strncasecmp(value, name, strlen(name)) == 0)
			return *p;
	}
	return '-';
}

/* Returns how the columns are aligned, by the cells of the first row; NULL: not at all. */
static const char *
alignment(struct htmlmap *m, const GumboNode *row, size_t columns)
{
	const GumboVector *children = htmlmap_children(row);
	char *align = arena_alloc(m->c->arena, columns + 1);
	size_t n = 0;

	memset(align, '-', columns);
	align[columns] = '\0';
	for (unsigned i = 0; i < children->length && n < columns; i++) {
		if (!is_cell(children->data[i]))
			continue;
		align[n] = cell_align(children->data[i]);
		n += span(children->data[i]);
	}
	return align[strspn(align, "-")] == '\0' ? NULL : align;
}

/* Returns whether the row's first cell is a heading cell. */
static bool
has_head(const GumboNode *row)
{
	return htmlmap_tag(first_cell(row)) == GUMBO_TAG_TH;
}

/* Fills a table. Its first row becomes the names of the columns, even if it is
 * not a heading (a loss). It has a row header if every other row begins with a
 * heading cell. */
static void
fill(struct htmlmap *m, const struct rows *rows, struct table *table)
{
	htmlmap_line(m, rows->list[0]);
	if (!has_head(rows->list[0]))
		losses_add(m->losses, m->line,
		    tr_mark("the first row of a table without headings became its headings"));
	table->columns = cells(m, rows->list[0], table->column_count);
	table->align = alignment(m, rows->list[0], table->column_count);
	table->row_count = rows->count - 1;
	table->rows = arena_array(m->c->arena, table->row_count, sizeof(*table->rows));
	table->row_header = table->row_count > 0;
	for (size_t i = 1; i < rows->count && m->err == NULL; i++) {
		table->rows[i - 1] = cells(m, rows->list[i], table->column_count);
		table->row_header = table->row_header && has_head(rows->list[i]);
	}
}

/* Sets the number of columns, which is that of the widest row. Refuses a table
 * with too many columns or rows. Returns false if the table is refused or empty. */
static bool
limits(struct htmlmap *m, const struct rows *rows, struct table *table)
{
	for (size_t i = 0; i < rows->count; i++) {
		size_t n = width(rows->list[i]);
		if (n > table->column_count)
			table->column_count = n;
	}
	if (table->column_count > CONTENT_COLUMNS_MAX)
		htmlmap_refuse(m, "a table has %zu columns; at most %d are allowed",
		    table->column_count, CONTENT_COLUMNS_MAX);
	if (rows->count > CONTENT_ROWS_MAX + 1)
		htmlmap_refuse(m, "a table has %zu rows; at most %d are allowed", rows->count - 1,
		    CONTENT_ROWS_MAX);
	return m->err == NULL && table->column_count > 0;
}

void
htmlmap_table(struct htmlmap *m, const GumboNode *node)
{
	struct rows rows = { 0 };
	struct table table = { 0 };
	unsigned line;

	htmlmap_end_paragraph(m);
	line = m->line;
	find_rows(m, node, &rows);
	if (rows.caption != NULL)
		table.caption = htmlmap_text_of(m, rows.caption);
	if (limits(m, &rows, &table)) {
		fill(m, &rows, &table);
		flow_add(m->c, m->flow, BLOCK_TABLE, line)->table = table;
	} else if (table.caption != NULL) {
		flow_add(m->c, m->flow, BLOCK_PARAGRAPH, line)->text = table.caption;
	}
	if (m->images.count > 0)
		losses_add(m->losses, line, tr_mark("a picture in a table stands after it now"));
	htmlmap_append(m, &m->images);
}
