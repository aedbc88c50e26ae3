#ifndef IMPORT_FROM_MARKDOWN_H
#define IMPORT_FROM_MARKDOWN_H
/*
 * Turns Markdown and the HTML in it into one text of HTML, so that one tree (htmlmap.h)
 * holds both, however they are nested in each other.
 *
 * from-markdown.c	walks cmark-gfm's tree, writes HTML and keeps account of lines
 * from-markdown-raw.c	the raw HTML in it
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
#include "import/markdown/markdown-source.h"

struct cmark_node;

enum { FROM_MARKDOWN_NESTING_MAX = 100 /* raw HTML elements, one in another */ };

struct lined_note {
	const char *label; /* "[^label]:" in the document; NULL if unknown */
	unsigned line;
};

struct lined_html {
	const char *text; /* NUL-terminated */
	size_t len;
	unsigned *lines; /* of the document, for each line of html */
	size_t line_count;
	struct lined_note *notes; /* footnotes in their order in the document */
	size_t note_count;
};

MAY_REFUSE struct err *from_markdown(
    struct ctx *c, const struct source *source, struct losses *losses, struct lined_html *out);

/* Does the same for a body that is HTML throughout; `line` is that of its first
 * byte. Comments are losses, scripts and styles too. */
MAY_REFUSE struct err *from_markdown_html(
    struct ctx *c, const char *html, unsigned line, struct losses *losses, struct lined_html *out);

/* Returns what a reader sees of a link that the parser made of a bare address (arena); NULL for
 * all other nodes. *href is where it leads, or NULL: not every @ means somebody's mail. */
const char *from_markdown_bare(struct ctx *c, struct cmark_node *node, const char **href);

/* Returns the document's line for the line `at` (from 1) of the html. */
unsigned from_markdown_line(const struct lined_html *html, unsigned at);

/* The inside, shared by the files above. */
struct from_markdown_open {
	const char *name; /* lower case */
	bool text; /* of a text element (b, a, span …) */
	bool optional; /* its closing tag may be left out (p, li …) */
};

struct from_markdown {
	struct ctx *c;
	struct losses *losses;
	const struct source *source;
	struct lined_html *html;
	struct buf out;
	size_t cap; /* of html->lines */
	size_t note_cap; /* of html->notes */
	unsigned line; /* of what is written next, in the document */
	struct from_markdown_open *open; /* raw elements that are open */
	size_t open_count, open_cap;
	/* What the last <script>, the last <style> that nothing closed is in:
	 * nothing closes the next one there. */
	const struct cmark_node *unclosed[2];
	struct err *err;
};

/* Adds text, its newlines counted; `escape` what HTML means by it. */
void from_markdown_add(struct from_markdown *w, const char *text, size_t len, bool escape);

/* Adds raw HTML. In a block what it leaves open of text elements ends with it;
 * else from_markdown_raw_close() ends it. */
void from_markdown_raw(struct from_markdown *w, const char *html, bool block);

/* Closes the raw elements that were opened when `count` were open. */
void from_markdown_raw_close(struct from_markdown *w, size_t count);

#endif
