#ifndef IMPORT_PIECES_H
#define IMPORT_PIECES_H
/*
 * Collects the pieces of one text (a paragraph, an item, a cell) in the order of the HTML,
 * and makes the content's text (inline.h) of them.
 *
 * Spaces in a row become one. Marks lose the spaces at their ends, and a mark with nothing
 * in it is dropped. A citation in a link comes after the link. The tokens of a text that was
 * made here give the same text again.
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

/* Adds text; spaces and newlines in a row become one space. */
void pieces_text(struct pieces *pieces, const char *text);

/* Adds code. A newline with the spaces around it becomes one space; other spaces stay. */
void pieces_code(struct pieces *pieces, const char *code);

/* Adds a citation of the reference `id`. */
void pieces_cite(struct pieces *pieces, const char *id);

/* Add a line's end: always, or between blocks, where it never follows another one. */
void pieces_break(struct pieces *pieces);

void pieces_line(struct pieces *pieces);

/* Adds a paragraph's end: "\n\n" if something comes before and after it. */
void pieces_paragraph(struct pieces *pieces);

/* Open and close INLINE_STRONG, INLINE_EMPHASIS or INLINE_LINK (with a clean address). */
void pieces_open(struct pieces *pieces, enum inline_event event, const char *address);

void pieces_close(struct pieces *pieces, enum inline_event event);

/* Returns the text, NULL when it shows nothing, and empties the pieces. */
const char *pieces_end(struct pieces *pieces);

/* Returns the text of tokens that inline_parse() gave and the caller changed. */
const char *pieces_write(struct ctx *c, struct losses *losses, unsigned line,
    const struct inline_token *tokens, size_t count);

#endif
