#ifndef IMPORT_SECTIONS_H
#define IMPORT_SECTIONS_H
/*
 * The body of a document between its HTML and its content: a flow of blocks (flow_*), which is
 * cut into sections (sections_*), and the lines where the parts of the content are (places_*).
 */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "content/content.h"
#include "import/losses.h"
#include "import/markdown/markdown-source.h"

/* A part of an article that a document writes as a section. */
enum part { PART_NONE, PART_TAKEAWAYS, PART_FAQS, PART_REFERENCES };

/* What front matter says of one section (extra.h). The cutting of a document into
 * sections reads it, and knows nothing else of that key. */
struct extra_section {
	const char *id; /* or NULL */
	const char *heading; /* "" before the first heading */
	bool sub;
	enum part part;
	json_t *json;
	bool found; /* a heading of the document is it */
};

/*
 * A document's body as one flow of blocks, before it is cut into sections: what
 * content.h knows as a block, each with its line, tables and callouts in place,
 * headings with their level.
 */
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

/*
 * Cuts a flow into sections and subsections at its headings (docs/export.md §5.1).
 *
 * Heading levels are relative: the highest level in use opens sections, the next one
 * subsections, deeper ones are heading blocks. A heading without a section above it opens a
 * section, whatever its level. In a document that Galley wrote the levels are fixed: ## ###
 * ####.
 */
struct cut {
	const struct flow_block *heading; /* NULL: before the first heading */
	const struct flow_block *blocks; /* without those of subsections */
	size_t count;
	struct cut *subs;
	size_t sub_count, cap;
	enum part part; /* only while `section` is NULL */
	const struct extra_section *extra; /* what is known of it, or NULL */
	struct section *section; /* that it became, or NULL */
	/* The lines of the section's body, tables, callouts and steps (0: none). */
	unsigned *lines, *tables, *callouts, *steps;
};

struct cuts {
	struct cut *list;
	size_t count, cap;
};

/* With `fixed` levels; `lead`: a first section without heading is there even
 * when nothing comes before the first heading, and takes subsections. */
void sections_cut(struct ctx *c, const struct flow *flow, bool fixed, bool lead, struct cuts *out);

/*
 * Takes out the sections that are parts, by their headings in `language` or by
 * cut->extra, into the content. A section that would lose something stays one
 * (a loss).
 */
MAY_REFUSE struct err *sections_parts(struct ctx *c, struct losses *losses, struct cuts *cuts,
    const char *language, struct content *content);

/* Makes content's sections of the other cuts. Refuses what is too much. */
MAY_REFUSE struct err *sections_fill(struct ctx *c, struct cuts *cuts, struct content *content);

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

/*
 * Where the parts of a content are in the text that it was read from: lines, from 1 (0: not
 * known). The console leads from a check to its place with it, and changes one table of a text
 * without touching the rest (docs/console.md §5.1).
 *
 * markdown_read() fills it where document_options.places asks for it. What a document says in
 * HTML, or inside of a list or a quote, has a line and no node.
 */
struct places {
	struct places_section *sections; /* subsections after their section */
	size_t count;
	unsigned parts[PART_REFERENCES + 1]; /* the heading of each part; 0: there is none */
	const unsigned *faqs; /* of each question's heading */
	size_t faq_count;
	unsigned *references; /* of each footnote */
	size_t reference_count;
	/* The front matter that body_places() read the text with. A second text over the same
	 * content may begin with it: to make it takes as long as three imports. */
	const char *head;
	struct places_node *nodes; /* in the order of their lines */
	size_t node_count;
};

/* Returns the lines of a node and of all in it, in the source's text; the last one is not empty.
 * False: the parser knows none. */
bool places_lines(const struct source *source, struct cmark_node *node, int *first, int *last);

/* Take what the reader of Markdown knows, in this order. */
void places_take_nodes(struct ctx *c, const struct source *source, struct places *out);

void places_take_sections(
    struct ctx *c, const struct cuts *cuts, const struct content *content, struct places *out);

/* Makes all lines those of a text that begins after `above` lines. */
void places_move(struct places *p, unsigned above);

/* Returns the section with this id, or NULL. */
const struct places_section *places_section(const struct places *p, const char *id);

/* Returns the node that begins in this line and is of this kind (PLACES_OTHER: of any), or
 * NULL. */
const struct places_node *places_node(const struct places *p, unsigned line, enum places_kind kind);

/* A text, the content that was read of it, and where that is in it. */
struct placed_text {
	const char *text;
	struct content content;
	struct places places;
};

enum spot_kind { SPOT_TABLE, SPOT_LIST, SPOT_CALLOUT, SPOT_QUOTE, SPOT_SOURCE, SPOT_KINDS };

/* A block of which a content says what Markdown has no form for. The member of its kind is filled
 * in. */
struct places_spot {
	unsigned line; /* in which it begins */
	enum spot_kind kind;
	struct section *section; /* NULL: a source */
	struct table *table;
	struct callout *callout;
	struct block *block; /* a quote; a list or steps (NULL: the body does not place these) */
	struct reference *reference;
};

struct places_spots {
	struct places_spot *list;
	size_t count;
};

/* Finds all of them in a content whose sections are in the order of their places. */
void places_find_spots(
    struct ctx *c, const struct content *content, const struct places *p, struct places_spots *out);

/* Returns the one of a kind that begins in this line, or NULL. */
struct places_spot *
places_spot(const struct places_spots *spots, unsigned line, enum spot_kind kind);

/* Returns the line of a text with this number, from 1; the end of the text after the last. */
const char *places_text(const char *text, unsigned line);

#endif
