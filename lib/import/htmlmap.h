#ifndef IMPORT_HTMLMAP_H
#define IMPORT_HTMLMAP_H
/*
 * Maps a tree of HTML to a flow of blocks (docs/export.md §5.1): what content can express
 * becomes a block or a mark, the rest loses its tags and keeps its text. Every loss is noted.
 *
 * htmlmap.c		the tree, its nodes; which element becomes what
 * htmlmap-blocks.c	lists, tables, quotes, callouts, figures
 * htmlmap-text.c	parts of a line: marks, links, pictures, citations; addresses, stored files
 */
#include <gumbo.h>

#include "import/document.h"
#include "import/losses.h"
#include "import/markdown/from-markdown.h"
#include "import/markdown/sections.h"
#include "import/pieces.h"
#include "import/tagsoup.h"

/* Maps the whole document. `cites[n]` must be the id of the reference that footnote n + 1
 * became. The flow of footnote n + 1 goes to footnotes[n] (an array of html->note_count). */
MAY_REFUSE struct err *htmlmap_flow(struct ctx *c, const struct lined_html *html,
    const struct document_options *options, const char *const *cites, struct losses *losses,
    struct notes *notes, struct flow *flow, struct flow *footnotes);

/* Returns the picture that front matter's `image` names, found as pictures in the body are;
 * NULL (a loss or a note) when there is none. */
struct stored_image *htmlmap_cover(struct ctx *c, const struct document_options *options,
    struct losses *losses, struct notes *notes, unsigned line, const char *src);

/* Returns the text of a piece of HTML without tags and character references. */
const char *htmlmap_plain(struct ctx *c, const char *html);

/* The inside, shared by the files above. */
struct htmlmap {
	struct ctx *c;
	const struct lined_html *html;
	const struct document_options *options;
	const char *const *cites;
	struct losses *losses;
	struct notes *notes;
	struct flow *flow; /* where blocks go */
	struct flow *top; /* that of the whole text: here a rule can be */
	struct flow *footnotes;
	struct pieces pieces; /* the paragraph under way */
	struct flow images; /* its pictures, which come after it */
	const GumboNode *left_out; /* taken already, or NULL */
	const GumboNode *begun; /* a text whose first `skip` bytes are taken */
	size_t skip;
	unsigned line; /* of the node under way */
	struct err *err; /* the first refusal, or NULL */
};

/* Sets m->line to the line of the node, if it is known. */
void htmlmap_line(struct htmlmap *m, const GumboNode *node);

/* Returns the element's tag; GUMBO_TAG_LAST for a node that is no element. */
GumboTag htmlmap_tag(const GumboNode *node);

/* Returns the tag's name as the document writes it, for losses. */
const char *htmlmap_name(struct htmlmap *m, const GumboNode *node);

const GumboVector *htmlmap_children(const GumboNode *node);

/* Returns all text in the node, unchanged. */
const char *htmlmap_text(struct htmlmap *m, const GumboNode *node);

/* Whether browsers lay the node out as a block; whether it holds such a node. */
bool htmlmap_is_block(const GumboNode *node);

bool htmlmap_has_block(const GumboNode *node);

/* Whether the node holds something that no text can hold: code, a table, a picture, a
 * quote. */
bool htmlmap_has_solid(const GumboNode *node);

void
htmlmap_refuse(struct htmlmap *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the children from `from` on, or the node, to m->flow. */
void htmlmap_blocks(struct htmlmap *m, const GumboNode *node, unsigned from);

void htmlmap_block(struct htmlmap *m, const GumboNode *node);

/* Ends the paragraph under way: its text, then its pictures. */
void htmlmap_end_paragraph(struct htmlmap *m);

/* Returns the children as blocks of a flow of their own. */
struct flow htmlmap_inner(struct htmlmap *m, const GumboNode *node);

/* Adds pictures, or a whole flow. */
void htmlmap_append(struct htmlmap *m, struct flow *from);

/* Returns the text; refuses one of more than CONTENT_TEXT_MAX characters. NULL stays. */
const char *htmlmap_fits(struct htmlmap *m, const char *text);

/* Adds a node, or the children of one, to m->pieces; blocks among them become lines. */
void htmlmap_inline(struct htmlmap *m, const GumboNode *node);

void htmlmap_inlines(struct htmlmap *m, const GumboNode *node);

/* Return the text of the node, on one line in the second case; NULL when it shows nothing.
 * Pictures in it go to m->images. */
const char *htmlmap_text_of(struct htmlmap *m, const GumboNode *node);

const char *htmlmap_line_of(struct htmlmap *m, const GumboNode *node);

void htmlmap_list(struct htmlmap *m, const GumboNode *node);

void htmlmap_table(struct htmlmap *m, const GumboNode *node);

void htmlmap_quote(struct htmlmap *m, const GumboNode *node);

void htmlmap_aside(struct htmlmap *m, const GumboNode *node);

void htmlmap_figure(struct htmlmap *m, const GumboNode *node);

/* Turns a flow into one text of paragraphs ("\n\n" between them). Blocks without text go to
 * `rest`, in their order. Returns NULL when there is no text. */
const char *htmlmap_flow_text(struct htmlmap *m, const struct flow *flow, struct flow *rest);

/* Returns the clean address of a link; NULL, with a loss, when the link stays text. */
const char *htmlmap_link(struct htmlmap *m, const char *href);

/* Fills url, width and height of an image. Returns false, with a loss or a note, when `src`
 * names no picture. */
bool htmlmap_image(struct htmlmap *m, const char *src, struct image *out);

#endif
