#ifndef IMPORT_UNMARK_H
#define IMPORT_UNMARK_H
/*
 * Writes content as the body of a Markdown document (docs/export.md §5.2). Section headings
 * are ##, those of subsections and questions ###, heading blocks ####. What
 * Markdown has no form for is written by extra.h.
 *
 * unmark.c	sections and blocks
 * unmark-text.c	texts
 */
#include "base/buf.h"
#include "content/content.h"

struct ctx;

enum unmark_place {
	UNMARK_LINE, /* one line: a heading, a footnote */
	UNMARK_PARAGRAPH, /* lines of one paragraph */
	UNMARK_PARAGRAPHS, /* "\n\n" divides paragraphs: quotes, items, answers */
	UNMARK_CELL /* of a table */
};

/* Returns the text as import would store it: one space for many, the usual escapes. NULL
 * when it shows nothing. */
const char *unmark_normal(struct ctx *c, const char *text);

/* Returns the text in Markdown, in the arena; \n divides its lines. "" when it shows
 * nothing. */
const char *unmark_text(struct ctx *c, const char *text, enum unmark_place place);

/* Returns literal text as Markdown on one line, without marks. */
const char *unmark_literal(struct ctx *c, const char *text);

/* Appends an address, a title or a code's language: a backslash before those of
 * its characters that are `special`. */
void unmark_escape(struct buf *out, const char *text, const char *special);

/* Appends the whole body. */
void unmark_body(struct ctx *c, const struct content *content, struct buf *out);

/* Whether an image's caption is written as its title: only a literal one
 * that shows something. */
bool unmark_caption_is_title(struct ctx *c, const char *caption);

/* Returns the dashes below the head of a column of a table that is aligned so (content.h). */
const char *unmark_dashes(const char *align, size_t column);

#endif
