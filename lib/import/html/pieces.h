#ifndef IMPORT_RUN_H
#define IMPORT_RUN_H
/*
 * A text under way: pieces of a paragraph, an item, a cell, in the order in
 * which HTML gives them, and the content's text (inline.h) that they make.
 *
 * Blanks are run together, marks lose the blanks at their ends and vanish when
 * nothing is in them, a citation in a link comes after it. A text that was made
 * here is made again from its own tokens.
 *
 * run.c	collects the pieces and puts them in order
 * run-write.c	writes marks, and looks whether they are read back
 */
#include <stdbool.h>
#include <stddef.h>

#include "content/inline.h"
#include "import/losses.h"

struct run {
	struct ctx *c;
	struct losses *losses;
	unsigned line; /* for losses */
	struct inline_token *tokens;
	size_t count, cap;
	int strong, emphasis; /* how many are open: only the first counts */
	bool link;
};

void run_init(struct run *run, struct ctx *c, struct losses *losses);

/* Text, its blanks and newlines meaning one blank. */
void run_text(struct run *run, const char *text);
/* Code: newlines and what is around them are one blank, others stay. */
void run_code(struct run *run, const char *code);
/* A citation of the reference `id`. */
void run_cite(struct run *run, const char *id);
/* A line's end; one between blocks, which follows no other. */
void run_break(struct run *run);
void run_line(struct run *run);
/* A paragraph's end: "\n\n" if something comes before and after it. */
void run_paragraph(struct run *run);

/* INLINE_STRONG, INLINE_EMPHASIS and INLINE_LINK (with a clean address), and
 * what ends them. */
void run_open(struct run *run, enum inline_event event, const char *address);
void run_close(struct run *run, enum inline_event event);

/* The text; NULL when there is nothing to be seen in it. Empties the run. */
const char *run_end(struct run *run);

/* The text of tokens that inline_parse() gave and the caller changed. */
const char *run_write(struct ctx *c, struct losses *losses, unsigned line,
    const struct inline_token *tokens, size_t count);

#endif
