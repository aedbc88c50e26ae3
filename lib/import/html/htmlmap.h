#ifndef IMPORT_HTMLMAP_H
#define IMPORT_HTMLMAP_H
/*
 * A tree of HTML to a flow of blocks (docs/export.md §5): what the model can express
 * is mapped, the rest loses its tags and keeps its text; every loss is noted.
 *
 * htmlmap.c		the tree; which element becomes what
 * htmlmap-node.c	what a node is: tag, line, attributes, text
 * htmlmap-text.c	what stands in a line: marks, links, pictures, citations
 * htmlmap-list.c	lists
 * htmlmap-table.c	tables
 * htmlmap-quote.c	quotes, callouts, figures
 * htmlmap-address.c	links and pictures: addresses, stored files
 */
#include <gumbo.h>

#include "import/markdown/flow.h"
#include "import/losses.h"
#include "import/markdown/markdown.h"
#include "import/html/pieces.h"
#include "import/markdown/weave.h"

/* Maps the whole. `cites[n]` is the reference's id for the footnote n + 1. The
 * flow of footnote n + 1 comes to notes[n] (an array of woven->note_count). */
MAY_REFUSE struct err *htmlmap_flow(struct ctx *c, const struct woven *woven,
    const struct document_options *options, const char *const *cites,
    struct losses *losses, struct notes *notes, struct flow *flow,
    struct flow *footnotes);

/* The address of a front matter's `image`, as for pictures in the body; NULL
 * (a loss) when it cannot be one. */
struct stored_image *htmlmap_cover(struct ctx *c,
    const struct document_options *options, struct losses *losses,
    struct notes *notes, unsigned line, const char *src);

/* The text in a piece of HTML, its tags and character references gone. */
const char *htmlmap_plain(struct ctx *c, const char *html);

/* The inside, shared by the files above. */
struct htmlmap {
	struct ctx *c;
	const struct woven *woven;
	const struct document_options *options;
	const char *const *cites;
	struct losses *losses;
	struct notes *notes;
	struct flow *flow;   /* where blocks go */
	struct flow *footnotes;
	struct pieces pieces; /* the paragraph under way */
	struct flow images;  /* its pictures, which come after it */
	const GumboNode *left_out; /* taken already, or NULL */
	const GumboNode *begun; /* a text whose first `skip` bytes are taken */
	size_t skip;
	unsigned line;       /* of the node under way */
	struct err *err;     /* the first refusal, or NULL */
};

/* Moves the line to that of the node, if it is known. */
void htmlmap_line(struct htmlmap *m, const GumboNode *node);
/* The root of a piece of HTML; the tree lives in the arena. */
const GumboNode *htmlmap_parse(struct ctx *c, const char *html, size_t len);
/* The element's tag; GUMBO_TAG_LAST for what is no element. */
GumboTag htmlmap_tag(const GumboNode *node);
/* The tag's name as a document writes it, for losses. */
const char *htmlmap_name(struct htmlmap *m, const GumboNode *node);
const GumboVector *htmlmap_children(const GumboNode *node);
/* An attribute's value, or NULL. */
const char *htmlmap_attribute(const GumboNode *node, const char *name);
/* All text in the node, as it is. */
const char *htmlmap_text(struct htmlmap *m, const GumboNode *node);
/* Whether it is laid out as a block; whether one is somewhere inside it. */
bool htmlmap_is_block(const GumboNode *node);
bool htmlmap_has_block(const GumboNode *node);
/* Whether what cannot stand in a text is somewhere inside it: code, tables,
 * pictures, quotes. */
bool htmlmap_has_solid(const GumboNode *node);
void htmlmap_refuse(struct htmlmap *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The children from `from` on, as blocks of m->flow. */
void htmlmap_blocks(struct htmlmap *m, const GumboNode *node, unsigned from);
void htmlmap_block(struct htmlmap *m, const GumboNode *node);
/* Ends the paragraph under way: its text, then its pictures. */
void htmlmap_end_paragraph(struct htmlmap *m);
/* The children as blocks of a flow of their own. */
struct flow htmlmap_inner(struct htmlmap *m, const GumboNode *node);
/* Adds pictures, or a whole flow. */
void htmlmap_append(struct htmlmap *m, struct flow *from);
/* A checked text of at most CONTENT_TEXT_MAX characters; NULL stays. */
const char *htmlmap_fits(struct htmlmap *m, const char *text);

/* Text and elements in a line, for m->pieces; blocks among them become lines. */
void htmlmap_inline(struct htmlmap *m, const GumboNode *node);
void htmlmap_inlines(struct htmlmap *m, const GumboNode *node);
/* The text of all that is in the node; NULL when there is none. Pictures stay
 * in m->images. One line: no newlines. */
const char *htmlmap_text_of(struct htmlmap *m, const GumboNode *node);
const char *htmlmap_line_of(struct htmlmap *m, const GumboNode *node);

void htmlmap_list(struct htmlmap *m, const GumboNode *node);
void htmlmap_table(struct htmlmap *m, const GumboNode *node);
void htmlmap_quote(struct htmlmap *m, const GumboNode *node);
void htmlmap_aside(struct htmlmap *m, const GumboNode *node);
void htmlmap_figure(struct htmlmap *m, const GumboNode *node);

/* Turns a flow into one text of paragraphs ("\n\n" between); what is none comes
 * to `rest`, in its order. NULL when there is no text. */
const char *htmlmap_flow_text(struct htmlmap *m, const struct flow *flow,
    struct flow *rest);

/* A link's clean address; NULL, with a loss, when it stays text. */
const char *htmlmap_link(struct htmlmap *m, const char *href);
/* Fills url, width and height of an image; false, with a loss, when its
 * address is none. */
bool htmlmap_image(struct htmlmap *m, const char *src, struct image *out);

#endif
