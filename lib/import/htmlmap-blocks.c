#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "import/htmlmap.h"

/* ---- lists */

/* Returns whether the element is a list: ul, ol, and the old menu and dir. */
static bool
is_list(const GumboNode *node)
{
	switch (htmlmap_tag(node)) {
	case GUMBO_TAG_UL:
	case GUMBO_TAG_OL:
	case GUMBO_TAG_MENU:
	case GUMBO_TAG_DIR:
		return true;
	default:
		return false;
	}
}

/* Returns whether the list is ordered: only ol is. */
static bool
is_ordered(const GumboNode *node)
{
	return htmlmap_tag(node) == GUMBO_TAG_OL;
}

/* Ends the item's text and adds the item, unless it has neither text nor list. */
static void
end_item(struct htmlmap *m, struct list *list, struct list_item *item)
{
	const char *text = htmlmap_fits(m, pieces_end(&m->pieces));

	item->text = text == NULL ? "" : text;
	if (text != NULL || item->list.item_count > 0)
		*flow_item(m->c, list) = *item;
	if (list->item_count > CONTENT_ITEMS_MAX)
		htmlmap_refuse(m, "a list has more than %d items", CONTENT_ITEMS_MAX);
}

/* Adds the list to the flow, unless it is empty, and begins an empty one. */
static void
end_list(struct htmlmap *m, struct list *list, unsigned line)
{
	if (list->item_count > 0)
		flow_add(m->c, m->flow, BLOCK_LIST, line)->list = *list;
	list->items = NULL;
	list->item_count = 0;
}

static void items(struct htmlmap *m, const GumboNode *node, struct list *list, int depth);

/* Adds a list to an item that holds only text and lists. */
static void
nested(struct htmlmap *m, const GumboNode *node, struct list_item *item, int depth)
{
	struct pieces outer = m->pieces;

	if (item->list.item_count > 0 && item->list.ordered != is_ordered(node))
		losses_add(m->losses, m->line,
		    tr_mark("two lists of different kinds in one item became one"));
	else
		item->list.ordered = is_ordered(node);
	if (depth >= CONTENT_LIST_DEPTH_MAX)
		htmlmap_refuse(m, "lists are nested more than %d deep", CONTENT_LIST_DEPTH_MAX);
	pieces_init(&m->pieces, m->c, m->losses);
	items(m, node, &item->list, depth + 1);
	m->pieces = outer;
}

/* Adds a paragraph, or another block that only brings text, to an item. */
static void
item_block(struct htmlmap *m, const GumboNode *node)
{
	GumboTag tag = htmlmap_tag(node);
	bool heading = tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6;

	if (heading)
		losses_add(m->losses, m->line, tr_mark("a heading in a list became strong text"));
	else if (tag != GUMBO_TAG_P)
		losses_add(m->losses, m->line, tr_mark("the tag <%s> was dropped, its text kept"),
		    htmlmap_name(m, node));
	pieces_paragraph(&m->pieces);
	if (heading)
		pieces_open(&m->pieces, INLINE_STRONG, NULL);
	htmlmap_inlines(m, node);
	if (heading)
		pieces_close(&m->pieces, INLINE_STRONG_END);
	pieces_paragraph(&m->pieces);
}

/* Adds one child of an item. A list becomes the item's list; all else becomes its
 * text. Text after the list joins the text before it (a loss). */
static void
item_child(struct htmlmap *m, const GumboNode *node, struct list_item *item, int depth)
{
	htmlmap_line(m, node);
	if (is_list(node)) {
		nested(m, node, item, depth);
		pieces_line(&m->pieces);
	} else {
		if (item->list.item_count > 0 && node->type != GUMBO_NODE_WHITESPACE)
			losses_add(m->losses, m->line,
			    tr_mark("the text after a list in an item is before it now"));
		if (htmlmap_is_block(node))
			item_block(m, node);
		else
			htmlmap_inline(m, node);
	}
}

/* Adds an item to a list that holds only text and lists. */
static void
plain_item(struct htmlmap *m, const GumboNode *node, struct list *list, int depth)
{
	const GumboVector *children = htmlmap_children(node);
	struct list_item item = { 0 };

	for (unsigned i = 0; i < children->length && m->err == NULL; i++)
		item_child(m, children->data[i], &item, depth);
	end_item(m, list, &item);
}

/* Fills a list that holds only text and lists. A list directly in a list belongs
 * to the item before it. Another child that is not an item becomes an item. */
static void
items(struct htmlmap *m, const GumboNode *node, struct list *list, int depth)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length && m->err == NULL; i++) {
		const GumboNode *child = children->data[i];
		htmlmap_line(m, child);
		if (htmlmap_tag(child) == GUMBO_TAG_LI) {
			plain_item(m, child, list, depth);
		} else if (is_list(child) && list->item_count > 0) {
			nested(m, child, &list->items[list->item_count - 1], depth);
		} else if (child->type != GUMBO_NODE_WHITESPACE) {
			struct list_item item = { 0 };
			item_child(m, child, &item, depth);
			end_item(m, list, &item);
		}
	}
}

/* Returns whether an item cannot hold the child. An item can hold a paragraph
 * with pictures: the pictures follow it. */
static bool
is_solid(const GumboNode *node)
{
	GumboTag tag = htmlmap_tag(node);

	if (tag == GUMBO_TAG_IMG || (tag == GUMBO_TAG_P && !htmlmap_has_block(node)))
		return false;
	return htmlmap_has_solid(node) && (htmlmap_is_block(node) || htmlmap_has_block(node));
}

/* Adds an item of a list of the flow. Code, a table, a picture or a quote, which
 * no item can hold, ends the list; the rest of the item follows, before the next
 * list. */
static void
item(struct htmlmap *m, const GumboNode *node, struct list *list, unsigned line)
{
	const GumboVector *children = htmlmap_children(node);
	struct list_item item = { 0 };
	unsigned i = 0;

	while (i < children->length && m->err == NULL && !is_solid(children->data[i])) {
		item_child(m, children->data[i], &item, 1);
		i++;
		if (m->images.count > 0)
			break;
	}
	end_item(m, list, &item);
	if (i == children->length && m->images.count == 0)
		return;
	if (list->ordered)
		losses_add(m->losses, m->line,
		    tr_mark(
			"code, a picture, a table or a quote ended a list; the numbers of the next one begin at 1"));
	else
		losses_add(m->losses, m->line,
		    tr_mark("code, a picture, a table or a quote ended a list"));
	end_list(m, list, line);
	htmlmap_append(m, &m->images);
	htmlmap_blocks(m, node, i);
}

void
htmlmap_list(struct htmlmap *m, const GumboNode *node)
{
	const GumboVector *children = htmlmap_children(node);
	const char *start = node_attribute(node, "start");
	struct list list = { .ordered = is_ordered(node) };
	unsigned line;

	htmlmap_end_paragraph(m);
	line = m->line;
	if (list.ordered && start != NULL)
		losses_add(m->losses, m->line, tr_mark("a list that began at %s begins at 1"),
		    losses_excerpt(m->c, start, 10));
	for (unsigned i = 0; i < children->length && m->err == NULL; i++) {
		const GumboNode *child = children->data[i];
		htmlmap_line(m, child);
		if (list.item_count == 0)
			line = m->line;
		if (htmlmap_tag(child) == GUMBO_TAG_LI) {
			item(m, child, &list, line);
		} else if (is_list(child) && list.item_count > 0 && !htmlmap_has_solid(child)) {
			nested(m, child, &list.items[list.item_count - 1], 1);
		} else if (child->type != GUMBO_NODE_WHITESPACE) {
			end_list(m, &list, line);
			htmlmap_block(m, child);
			htmlmap_end_paragraph(m);
		}
	}
	end_list(m, &list, line);
}

/* ---- tables */

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

/* ---- quotes, callouts */

const char *
htmlmap_flow_text(struct htmlmap *m, const struct flow *flow, struct flow *rest)
{
	return htmlmap_fits(m, flow_text(m->c, m->losses, flow->blocks, flow->count, rest));
}

/* Returns the text with which the quote's first paragraph begins, or NULL. */
static const GumboNode *
first_text(const GumboNode *node)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length; i++) {
		const GumboNode *child = children->data[i];
		if (child->type == GUMBO_NODE_WHITESPACE)
			continue;
		if (child->type == GUMBO_NODE_TEXT)
			return child;
		return htmlmap_tag(child) == GUMBO_TAG_P ? first_text(child) : NULL;
	}
	return NULL;
}

/* Returns the text after the mark up to the end of the line, as the title.
 * Returns NULL if the line continues with marks; then all of it is the text. */
static const char *
alert_title(struct htmlmap *m, const GumboNode *first, const char *p)
{
	size_t len = strcspn(p, "\n");
	struct pieces pieces;

	if (p[len] == '\0' && first->parent != NULL &&
	    first->index_within_parent + 1 < htmlmap_children(first->parent)->length)
		return NULL;
	pieces_init(&pieces, m->c, m->losses);
	pieces.line = m->line;
	pieces_text(&pieces, arena_text_n(m->c->arena, p, len));
	return pieces_end(&pieces);
}

/* A quote is a callout if it begins with "[!TIP]" or another kind, alone on its
 * line or with a title after it (as Obsidian writes it). Sets m->skip, so that
 * the mark and the title are not read again as text. */
static bool
alert(struct htmlmap *m, const GumboNode *node, struct callout *out)
{
	const GumboNode *first = first_text(node);
	const char *text = first == NULL ? "" : first->v.text.text, *p, *close;

	p = text + strspn(text, " \n");
	close = strchr(p, ']');
	if (p[0] != '[' || p[1] != '!' || close == NULL ||
	    !content_callout_kind(
		arena_text_n(m->c->arena, p + 2, (size_t)(close - p) - 2), &out->kind))
		return false;
	p = close + 1;
	/* "[!TIP]-" and "[!TIP]+" can be folded in other programs. Here they are
	 * always open. */
	if (*p == '-' || *p == '+')
		p++;
	out->title = alert_title(m, first, p);
	if (out->title != NULL)
		p += strcspn(p, "\n");
	m->begun = first;
	m->skip = (size_t)(p - text);
	return true;
}

/* Adds a callout with the text of a flow; what no text can hold comes after it (a loss). */
static void
add_callout(struct htmlmap *m, struct callout *callout, unsigned line, const char *says_moved,
    const struct flow *inner)
{
	struct flow rest = { 0 };
	const char *text = htmlmap_flow_text(m, inner, &rest);
	bool moved = false;

	for (size_t i = 0; i < rest.count; i++)
		moved = moved || rest.blocks[i].type != BLOCK_IMAGE;
	if (moved)
		losses_add(m->losses, line, "%s", tr_for(m->c, says_moved));
	if (callout->title != NULL && utf8_length(callout->title) > CONTENT_HEADING_MAX)
		htmlmap_refuse(
		    m, "the title of a note has more than %d characters", CONTENT_HEADING_MAX);
	callout->text = text == NULL ? "" : text;
	flow_add(m->c, m->flow, BLOCK_CALLOUT, line)->callout = *callout;
	htmlmap_append(m, &rest);
}

/* Returns the first child with this tag, or NULL. A quote's footer names its
 * source. */
static const GumboNode *
find_child(const GumboNode *node, GumboTag tag)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length; i++) {
		if (htmlmap_tag(children->data[i]) == tag)
			return children->data[i];
	}
	return NULL;
}

void
htmlmap_quote(struct htmlmap *m, const GumboNode *node)
{
	const GumboNode *outer = m->left_out;
	struct callout callout = { 0 };
	struct flow inner, rest = { 0 };
	const char *text, *cite = NULL;
	unsigned line;

	htmlmap_end_paragraph(m);
	line = m->line;
	if (alert(m, node, &callout)) {
		inner = htmlmap_inner(m, node);
		add_callout(m, &callout, line,
		    tr_mark("code, tables and notes in a note stand after it now"), &inner);
		return;
	}
	m->left_out = find_child(node, GUMBO_TAG_FOOTER);
	if (m->left_out != NULL)
		cite = htmlmap_text_of(m, m->left_out);
	inner = htmlmap_inner(m, node);
	m->left_out = outer;
	text = htmlmap_flow_text(m, &inner, &rest);
	if (text == NULL && cite != NULL) {
		flow_add(m->c, m->flow, BLOCK_PARAGRAPH, line)->text = cite;
	} else if (text != NULL) {
		struct flow_block *block = flow_add(m->c, m->flow, BLOCK_QUOTE, line);
		block->text = text;
		block->cite = cite;
	}
	if (rest.count > 0)
		losses_add(m->losses, line,
		    tr_mark("pictures, code, tables and notes in a quote stand after it now"));
	htmlmap_append(m, &rest);
}

void
htmlmap_aside(struct htmlmap *m, const GumboNode *node)
{
	struct callout callout = { .kind = CALLOUT_NOTE };
	struct flow inner;
	unsigned line;

	htmlmap_end_paragraph(m);
	line = m->line;
	inner = htmlmap_inner(m, node);
	if (inner.count == 0)
		return;
	if (inner.blocks[0].type == BLOCK_HEADING) {
		callout.title = inner.blocks[0].text;
		inner.blocks++;
		inner.count--;
	}
	if (callout.title == NULL)
		losses_add(m->losses, line, tr_mark("<aside> became a note"));
	else
		losses_add(m->losses, line,
		    tr_mark("<aside> became a note, its heading the note's title"));
	add_callout(m, &callout, line,
	    tr_mark("code, tables and notes in an aside stand after it now"), &inner);
}

/* ---- figures */

/* Returns the block of a figure that gets its caption: the last image, else the
 * last table, else the last quote. Returns NULL if there is none. */
static struct flow_block *
captioned(struct flow *flow)
{
	static const enum block_type order[] = { BLOCK_IMAGE, BLOCK_TABLE, BLOCK_QUOTE };

	for (size_t k = 0; k < 3; k++) {
		for (size_t i = flow->count; i > 0; i--) {
			if (flow->blocks[i - 1].type == order[k])
				return &flow->blocks[i - 1];
		}
	}
	return NULL;
}

/* Returns the first element in the node that has the class, or the tag; NULL if
 * there is none. */
static const GumboNode *
find_inside(const GumboNode *node, const char *class, GumboTag tag)
{
	const GumboVector *children = htmlmap_children(node);
	const GumboNode *found = NULL;

	for (unsigned i = 0; i < children->length && found == NULL; i++) {
		const GumboNode *child = children->data[i];
		const char *has = node_attribute(child, "class");
		if (class != NULL ? has != NULL && strstr(has, class) != NULL
				  : htmlmap_tag(child) == tag)
			return child;
		found = find_inside(child, class, tag);
	}
	return found;
}

/* Turns Ghost's card for a link into a link with the other page's title. */
static bool
bookmark(struct htmlmap *m, const GumboNode *node)
{
	const char *class = node_attribute(node, "class"), *href, *address;
	const GumboNode *link, *title;

	if (!m->options->posts || class == NULL || strstr(class, "kg-bookmark-card") == NULL)
		return false;
	link = find_inside(node, NULL, GUMBO_TAG_A);
	href = link == NULL ? NULL : node_attribute(link, "href");
	address = href == NULL ? NULL : htmlmap_link(m, href);
	if (address == NULL)
		return false;
	title = find_inside(link, "kg-bookmark-title", GUMBO_TAG_LAST);
	losses_add(m->losses, m->line, "a bookmark card became a link");
	pieces_open(&m->pieces, INLINE_LINK, address);
	pieces_text(&m->pieces, title == NULL ? address : htmlmap_text(m, title));
	pieces_close(&m->pieces, INLINE_LINK_END);
	htmlmap_end_paragraph(m);
	return true;
}

void
htmlmap_figure(struct htmlmap *m, const GumboNode *node)
{
	const GumboNode *outer = m->left_out;
	const GumboNode *caption = find_child(node, GUMBO_TAG_FIGCAPTION);
	const char *text = NULL, **place;
	struct flow_block *block;
	struct flow inner;

	htmlmap_end_paragraph(m);
	if (bookmark(m, node))
		return;
	m->left_out = caption;
	inner = htmlmap_inner(m, node);
	m->left_out = outer;
	if (caption != NULL)
		text = htmlmap_text_of(m, caption);
	block = captioned(&inner);
	if (text != NULL && block != NULL) {
		place = block->type == BLOCK_IMAGE   ? &block->image.caption
			: block->type == BLOCK_TABLE ? &block->table.caption
						     : &block->cite;
		if (*place != NULL)
			losses_add(m->losses, m->line,
			    tr_mark("a caption was dropped in favour of the figure's: \"%s\""),
			    losses_excerpt(m->c, *place, 60));
		*place = text;
	} else if (text != NULL) {
		flow_add(m->c, &inner, BLOCK_PARAGRAPH, m->line)->text = text;
	}
	htmlmap_append(m, &inner);
	htmlmap_append(m, &m->images);
}
