#ifndef IMPORT_PIECES_H
#define IMPORT_PIECES_H
/*
 * A text under way: pieces of a paragraph, an item, a cell, in the order in
 * which HTML gives them, and the content's text (inline.h) that they make.
 *
 * Blanks are run together, marks lose the blanks at their ends and vanish when
 * nothing is in them, a citation in a link comes after it. A text that was made
 * here is made again from its own tokens.
 *
 * pieces.c	collects the pieces and puts them in order
 * pieces-write.c	writes marks, and looks whether they are read back
 */
#include <stdbool.h>
#include <stddef.h>

#include "content/inline.h"
#include "import/losses.h"

struct pieces {
	struct ctx *c;
	struct losses *losses;
	unsigned line; /* for losses */
	struct inline_token *tokens;
	size_t count, cap;
	int strong, emphasis; /* how many are open: only the first counts */
	bool link;
};

void pieces_init(struct pieces *pieces, struct ctx *c, struct losses *losses);

/* Text, its blanks and newlines meaning one blank. */
void pieces_text(struct pieces *pieces, const char *text);
/* Code: newlines and what is around them are one blank, others stay. */
void pieces_code(struct pieces *pieces, const char *code);
/* A citation of the reference `id`. */
void pieces_cite(struct pieces *pieces, const char *id);
/* A line's end; one between blocks, which follows no other. */
void pieces_break(struct pieces *pieces);
void pieces_line(struct pieces *pieces);
/* A paragraph's end: "\n\n" if something comes before and after it. */
void pieces_paragraph(struct pieces *pieces);

/* INLINE_STRONG, INLINE_EMPHASIS and INLINE_LINK (with a clean address), and
 * what ends them. */
void pieces_open(struct pieces *pieces, enum inline_event event, const char *address);
void pieces_close(struct pieces *pieces, enum inline_event event);

/* The text; NULL when there is nothing to be seen in it. Empties the pieces. */
const char *pieces_end(struct pieces *pieces);

/* The text of tokens that inline_parse() gave and the caller changed. */
const char *pieces_write(struct ctx *c, struct losses *losses, unsigned line,
    const struct inline_token *tokens, size_t count);

#endif
