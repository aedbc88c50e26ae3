#ifndef IMPORT_FLOW_H
#define IMPORT_FLOW_H
/*
 * A document's body as one flow of blocks, before it is cut into sections: what
 * content.h knows as a block, each with its line, tables and callouts in place,
 * headings with their level.
 */
#include "content/content.h"
#include "import/losses.h"

struct flow_block {
	enum block_type type; /* not BLOCK_STEPS */
	unsigned line; /* of the document */
	const char *text; /* as in struct block */
	const char *cite;
	const char *language;
	struct list list;
	struct image image;
	struct table table;
	struct callout callout;
	int level; /* of a heading, 1 to 6 */
	const char *anchor; /* that a heading was given, or NULL */
};

struct flow {
	struct flow_block *blocks;
	size_t count, cap;
};

/* Adds a block that is all zero but its type and line. */
struct flow_block *flow_add(struct ctx *c, struct flow *flow, enum block_type type, unsigned line);

/* Adds an item that is all zero; room is made by doubling. */
struct list_item *flow_item(struct ctx *c, struct list *list);

/*
 * Returns the blocks as one text of paragraphs ("\n\n" between): lists as lines,
 * headings as strong text, each a loss. Blocks without text go to `rest`, in their
 * order. Returns NULL when there is no text.
 */
const char *flow_text(struct ctx *c, struct losses *losses, const struct flow_block *blocks,
    size_t count, struct flow *rest);

#endif
