#include "import/html/htmlmap.h"

#include "base/ctx.h"

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
 * text. Text behind the list joins the text before it (a loss). */
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
			    tr_mark("the text behind a list in an item stands before it now"));
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
