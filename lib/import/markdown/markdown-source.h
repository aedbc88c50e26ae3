#ifndef IMPORT_MARKDOWN_SOURCE_H
#define IMPORT_MARKDOWN_SOURCE_H
/*
 * Prepares the body of a document for the Markdown parser (cmark-gfm), and parses it.
 *
 * CommonMark does not know elements that hold Markdown (markdown="1", as
 * kramdown and others read them). Their tags are set apart by empty lines here,
 * and what is in them loses its common indentation; a line in them that begins
 * with the tag of a text element gets SOURCE_MARK before it, so that CommonMark
 * takes it as text and not as a block of HTML.
 *
 * Also refuses what would keep the parsers busy for hours: no honest document
 * nests a hundred quotes, or has a table of a hundred columns.
 */
#include <stddef.h>

#include "base/err.h"

struct cmark_node;
struct ctx;

/* U+FDD0, a noncharacter: no text holds it (markdown.c drops it). */
#define SOURCE_MARK "\xEF\xB7\x90"

enum {
	SOURCE_NESTING_MAX = 100,
	SOURCE_CELLS_MAX = 100000, /* of one table, the missing ones too */
	SOURCE_IMAGES_MAX = 5000 /* without an empty line between them */
};

struct source {
	const char *text; /* NUL-terminated */
	size_t len;
	unsigned *lines; /* of the document, for each line of text */
	size_t *starts; /* where each line of text begins */
	size_t line_count;
};

/* `text` is the body, `line` that of its first byte. */
MAY_REFUSE struct err *
source_open(struct ctx *c, const char *text, size_t len, unsigned line, struct source *out);

/* The document's line for the line `at` (from 1) of the text. */
unsigned source_line(const struct source *source, int at);

/* The text from that line on; "" when there is none. */
const char *source_text(const struct source *source, int at);

/* Returns the tree of the whole body; the caller must free it. Footnotes that nothing cites are
 * in it, too. */
struct cmark_node *source_parse(struct ctx *c, const struct source *source);

/* Returns the label of the footnote that the line `at` (from 1) defines, or NULL. */
const char *source_note(struct ctx *c, const struct source *source, int at);

#endif
