#ifndef IMPORT_REFERENCES_H
#define IMPORT_REFERENCES_H
/*
 * Sources: footnotes, and lists under a heading "References". One that is a
 * link, with publisher and date after it, becomes all of that; another one's
 * title is its text.
 *
 *	[Compost basics](https://www.example.org/), Example Institute, 2025-03-04
 */
#include <stddef.h>

#include "content/content.h"
#include "import/losses.h"
#include "import/markdown/from-markdown.h"

/*
 * Returns the ids of the footnotes: the label itself where it is of the form r1 or in
 * `known` (count names), else the first free one of r1, r2, … In the order of
 * html->notes.
 */
const char **references_ids(
    struct ctx *c, const struct lined_html *html, const char *const *known, size_t count);

/* Whether the id is of the form r1: "r" and a number. */
bool references_is_plain_id(const char *id);

/* Returns the places of the footnotes in html->notes, in the order of their lines. */
size_t *references_order(struct ctx *c, const struct lined_html *html);

/* Makes a reference (but its id) of a text with marks, in which blocks are
 * divided by "\n\n". False when there is no text: a loss for the caller to
 * tell. */
bool references_parse(
    struct ctx *c, struct losses *losses, unsigned line, const char *text, struct reference *out);

/* Writes the text of which references_parse() makes an equal reference, as far
 * as there is one; with content's marks. */
void references_write(struct buf *out, const struct reference *reference);

#endif
