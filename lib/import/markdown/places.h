#ifndef IMPORT_PLACES_H
#define IMPORT_PLACES_H
/*
 * Where the parts of a content are in the text that it was read from: lines, from 1 (0: not
 * known). The console leads from a check to its place with it, and changes one table of a text
 * without touching the rest (docs/console.md §5.1).
 *
 * markdown_read() fills it where document_options.places asks for it. What a document says in
 * HTML, or inside of a list or a quote, has a line and no node.
 */
#include <stdbool.h>
#include <stddef.h>

#include "content/content.h"
#include "import/markdown/sections.h"
#include "import/markdown/source.h"

enum places_kind {
	PLACES_HEADING,
	PLACES_PARAGRAPH,
	PLACES_LIST,
	PLACES_QUOTE,
	PLACES_TABLE,
	PLACES_NOTE, /* a footnote */
	PLACES_OTHER
};

/* A block of the text that is inside of no other one. */
struct places_node {
	enum places_kind kind;
	unsigned first, last; /* its lines; the last one is not empty */
};

/* A section or a subsection. */
struct places_section {
	const char *id;
	const char *heading; /* "" before the first heading */
	bool sub;
	unsigned line; /* of its heading; 0 without one */
	const unsigned *body; /* of each block */
	size_t body_count;
	const unsigned *tables, *callouts;
	size_t table_count, callout_count;
	unsigned steps; /* 0: it has none */
};

struct places {
	struct places_section *sections; /* subsections behind their section */
	size_t count;
	const unsigned *faqs; /* of each question's heading */
	size_t faq_count;
	unsigned *references; /* of each footnote */
	size_t reference_count;
	/* The front matter that over_places() read the text with. A second text over the same
	 * content may begin with it: to make it takes as long as three imports. */
	const char *head;
	struct places_node *nodes; /* in the order of their lines */
	size_t node_count;
};

/* Take what the reader of Markdown knows, in this order. */
void places_take_nodes(struct ctx *c, const struct source *source, struct places *out);
void places_take_sections(
    struct ctx *c, const struct cuts *cuts, const struct content *content, struct places *out);

/* Makes all lines those of a text that begins behind `above` lines. */
void places_move(struct places *p, unsigned above);

/* Returns the section with this id, or NULL. */
const struct places_section *places_section(const struct places *p, const char *id);

/* Returns the node that begins in this line and is of this kind (PLACES_OTHER: of any), or
 * NULL. */
const struct places_node *places_node(const struct places *p, unsigned line, enum places_kind kind);

#endif
