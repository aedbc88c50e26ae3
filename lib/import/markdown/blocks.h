#ifndef IMPORT_BLOCKS_H
#define IMPORT_BLOCKS_H
/*
 * What the blocks of an editor's text are, for the console's visual view, which has no reader of
 * Markdown of its own: each with its lines and, where the view has a form for it, as a node.
 *
 * {"blocks": [{"first": 1, "last": 1, "node": {"type": "heading", "attrs": {"level": 2, …},
 *     "content": [{"type": "text", "text": "Set up"}]}}, {"first": 3, "last": 9, "node": null}]}
 *
 * Lines count from 1. The blocks are in their order and share no line; the empty lines at the end
 * of a block are no part of it. A line of no block is empty, or has an address for links. `node`
 * is null where a block has HTML other than tags in a line, or is inside of an element that holds
 * Markdown, or is a construct that the view does not know, or shares a line with its neighbour.
 * The types of nodes, their attributes and what they hold are those of editor/schema.js; adjacent
 * texts with the same marks are not joined. In an item of a list and a row of a table, lines count
 * from the first line of the block, from 0.
 */
#include "access/settings.h"
#include "base/buf.h"
#include "base/err.h"
#include "content/snapshot.h"

struct ctx;

struct blocks_asked {
	const struct settings *settings;
	/* The article as the text was made of it: what Markdown has no form for is found there by
	 * section and block (body.h). */
	const struct snapshot *base;
	const char *title; /* of the article now */
	/* Returns the address from which the browser shows a picture (arena), or NULL. */
	const char *(*address)(struct ctx *c, void *arg, const char *src);
	void *address_arg;
};

/* Adds the JSON to a buffer, which may reach its ceiling. `text` has \n at the ends of its lines.
 * Refuses what body_read() refuses. */
MAY_REFUSE struct err *
blocks_write(struct ctx *c, const struct blocks_asked *asked, const char *text, struct buf *out);

#endif
