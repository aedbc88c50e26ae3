#ifndef IMPORT_WEAVE_H
#define IMPORT_WEAVE_H
/*
 * Turns Markdown and the HTML in it into one text of HTML, so that one tree (htmlmap.h)
 * holds both, however they are nested in each other.
 *
 * weave.c	walks cmark-gfm's tree, writes HTML and keeps account of lines
 * weave-node.c	headings, code, leaves of the tree
 * weave-parse.c	Markdown to cmark-gfm's tree; footnotes
 * weave-raw.c	the raw HTML in it
 *
 * The result is well-formed as far as it matters: elements opened in an
 * item, a quote or a cell end there, comments are gone (an empty one, which only
 * keeps things apart, is <wbr>), scripts and styles with their content too, and
 * nothing can swallow what follows. Besides HTML's own
 * there are these elements, whose names no document can write (tags that begin
 * with x- are dropped):
 *
 * <x-cite data-id="2">		cites the footnote with that number
 * <x-note data-id="2">		a footnote, after everything else
 *
 * Headings have the id that "{#id}" at their end gives them.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "import/losses.h"
#include "import/markdown-source.h"

enum { WEAVE_NESTING_MAX = 100 /* raw HTML elements, one in another */ };

struct weave_note {
	const char *label; /* "[^label]:" in the document; NULL if unknown */
	unsigned line;
};

struct woven {
	const char *html; /* NUL-terminated */
	size_t len;
	unsigned *lines; /* of the document, for each line of html */
	size_t line_count;
	struct weave_note *notes; /* footnotes in their order in the document */
	size_t note_count;
};

MAY_REFUSE struct err *weave_markdown(
    struct ctx *c, const struct source *source, struct losses *losses, struct woven *out);

/* Does the same for a body that is HTML throughout; `line` is that of its first
 * byte. Comments are losses, scripts and styles too. */
MAY_REFUSE struct err *weave_html(
    struct ctx *c, const char *html, unsigned line, struct losses *losses, struct woven *out);

/* Returns the document's line for the line `at` (from 1) of the html. */
unsigned weave_line(const struct woven *woven, unsigned at);

/* The inside, shared by the files above. */
struct weave_open {
	const char *name; /* lower case */
	bool text; /* of a text element (b, a, span …) */
	bool optional; /* its closing tag may be left out (p, li …) */
};

struct weave {
	struct ctx *c;
	struct losses *losses;
	const struct source *source;
	struct woven *woven;
	struct buf out;
	size_t cap; /* of woven->lines */
	size_t note_cap; /* of woven->notes */
	unsigned line; /* of what is written next, in the document */
	struct weave_open *open; /* raw elements that are open */
	size_t open_count, open_cap;
	/* What the last <script>, the last <style> that nothing closed is in:
	 * nothing closes the next one there. */
	const struct cmark_node *unclosed[2];
	struct err *err;
};

struct cmark_node;

/* Begins a new line of the html, for the line where the node begins. */
void weave_begin(struct weave *w, struct cmark_node *node);
/* Opens a heading, with its anchor. */
void weave_heading(struct weave *w, struct cmark_node *node);
/* Adds what has no opening and closing tag. */
void weave_leaf(struct weave *w, struct cmark_node *node);
/* Looks at a table's row for cells that the parser has dropped. */
void weave_row(struct weave *w, struct cmark_node *row);

void weave_end_line(struct weave *w);
/* Adds text, its newlines counted; `escape` what HTML means by it. */
void weave_add(struct weave *w, const char *text, size_t len, bool escape);
void weave_attribute(struct weave *w, const char *name, const char *value);

/* Adds raw HTML. In a block what it leaves open of text elements ends with it;
 * else weave_raw_close() ends it. */
void weave_raw(struct weave *w, const char *html, bool block);

/* Closes the raw elements that were opened when `count` were open. */
void weave_raw_close(struct weave *w, size_t count);

#endif
