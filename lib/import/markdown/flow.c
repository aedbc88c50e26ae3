#include "import/markdown/flow.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "content/inline.h"

struct flow_block *
flow_add(struct ctx *c, struct flow *flow, enum block_type type, unsigned line)
{
	struct flow_block *block;

	if (flow->count == flow->cap) {
		size_t cap = flow->cap == 0 ? 16 : flow->cap * 2;
		flow->blocks = arena_grow(
		    c->arena, flow->blocks, flow->cap * sizeof(*block), cap * sizeof(*block));
		flow->cap = cap;
	}
	block = &flow->blocks[flow->count++];
	memset(block, 0, sizeof(*block));
	block->type = type;
	block->line = line;
	return block;
}

struct list_item *
flow_item(struct ctx *c, struct list *list)
{
	size_t n = list->item_count;
	struct list_item *item;

	if ((n & (n - 1)) == 0)
		list->items = arena_grow(
		    c->arena, list->items, n * sizeof(*item), (n > 0 ? 2 * n : 1) * sizeof(*item));
	item = &list->items[list->item_count++];
	memset(item, 0, sizeof(*item));
	item->text = "";
	return item;
}

/* Writes each item on a line behind its number or mark, and then the list in it. */
static void
list_lines(struct buf *out, const struct list *list, const char *mark)
{
	for (size_t i = 0; i < list->item_count; i++) {
		if (out->len > 0)
			buf_add_char(out, '\n');
		if (list->ordered)
			buf_printf(out, "%zu. ", i + 1);
		else
			buf_add_text(out, mark);
		buf_add_text(out, list->items[i].text);
		list_lines(out, &list->items[i].list, "– ");
	}
}

/* Writes a heading as strong text. */
static void
heading_text(struct ctx *c, struct buf *out, const char *heading)
{
	const char *plain = inline_plain(c->arena, heading);

	buf_lit(out, "**");
	inline_escape(out, plain, strlen(plain));
	buf_lit(out, "**");
}

/* Returns the text of a block, or NULL if the block cannot be a text. */
static const char *
block_text(struct ctx *c, struct losses *losses, const struct flow_block *block)
{
	struct buf out;

	buf_init(&out, c->arena, 2 * CONTENT_BYTES_MAX);
	switch (block->type) {
	case BLOCK_PARAGRAPH:
		return block->text;
	case BLOCK_HEADING:
		losses_add(losses, block->line,
		    tr_mark("a heading in a quote, note or answer became strong text"));
		heading_text(c, &out, block->text);
		return out.data;
	case BLOCK_LIST:
		losses_add(losses, block->line,
		    tr_mark("a list in a quote, note or answer became lines of text"));
		list_lines(&out, &block->list, "• ");
		return out.data;
	case BLOCK_QUOTE:
		losses_add(losses, block->line,
		    tr_mark("a quote in a quote, note or answer became a paragraph"));
		buf_add_text(&out, block->text);
		if (block->cite != NULL)
			buf_printf(&out, "\n%s", block->cite);
		return out.data;
	default:
		return NULL;
	}
}

const char *
flow_text(struct ctx *c, struct losses *losses, const struct flow_block *blocks, size_t count,
    struct flow *rest)
{
	struct buf out;

	buf_init(&out, c->arena, 2 * CONTENT_BYTES_MAX);
	for (size_t i = 0; i < count; i++) {
		const char *text = block_text(c, losses, &blocks[i]);
		if (text == NULL) {
			*flow_add(c, rest, blocks[i].type, blocks[i].line) = blocks[i];
			continue;
		}
		if (out.len > 0)
			buf_lit(&out, "\n\n");
		buf_add_text(&out, text);
	}
	return out.len == 0 ? NULL : out.data;
}
