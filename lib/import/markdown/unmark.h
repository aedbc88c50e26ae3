#ifndef IMPORT_UNMARK_H
#define IMPORT_UNMARK_H
/*
 * Content as the body of a Markdown document (docs/export.md §5). Section headings
 * are ##, those of subsections and questions ###, heading blocks ####. What
 * Markdown has no form for is extra.h's.
 *
 * unmark.c	sections and blocks
 * unmark-text.c	texts
 */
#include "base/buf.h"
#include "content/content.h"

struct ctx;

enum unmark_place {
	UNMARK_LINE,       /* one line: a heading, a footnote */
	UNMARK_PARAGRAPH,  /* lines of one paragraph */
	UNMARK_PARAGRAPHS, /* "\n\n" divides paragraphs: quotes, items, answers */
	UNMARK_CELL        /* of a table */
};

/* The text as import would store it: blanks run together, the usual escapes.
 * NULL when nothing is in it. */
const char *unmark_normal(struct ctx *c, const char *text);

/* The text in Markdown, in the arena; several lines are divided by \n. "" when
 * nothing is in it. */
const char *unmark_text(struct ctx *c, const char *text,
    enum unmark_place place);

/* Literal text, without marks, on one line. */
const char *unmark_literal(struct ctx *c, const char *text);

/* Appends an address, a title or a code's language: a backslash before those of
 * its characters that are `special`. */
void unmark_escape(struct buf *out, const char *text, const char *special);

/* Appends the whole body. */
void unmark_body(struct ctx *c, const struct content *content,
    struct buf *out);

/* Whether an image's caption is written as its title: only a literal one
 * that shows something. */
bool unmark_caption_is_title(struct ctx *c, const char *caption);

#endif
