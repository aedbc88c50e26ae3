#ifndef IMPORT_TO_MARKDOWN_H
#define IMPORT_TO_MARKDOWN_H
/*
 * Writes content as the body of a Markdown document (docs/export.md §5.2). Section headings
 * are ##, those of subsections and questions ###, heading blocks ####. What
 * Markdown has no form for is written by extra.h.
 */
#include "base/buf.h"
#include "content/content.h"

struct ctx;

enum to_markdown_place {
	TO_MARKDOWN_LINE, /* one line: a heading, a footnote */
	TO_MARKDOWN_PARAGRAPH, /* lines of one paragraph */
	TO_MARKDOWN_PARAGRAPHS, /* "\n\n" divides paragraphs: quotes, items, answers */
	TO_MARKDOWN_CELL /* of a table */
};

/* Returns the text as import would store it: one space for many, the usual escapes. NULL
 * when it shows nothing. */
const char *to_markdown_normal(struct ctx *c, const char *text);

/* Returns the text in Markdown, in the arena; \n divides its lines. "" when it shows
 * nothing. */
const char *to_markdown_text(struct ctx *c, const char *text, enum to_markdown_place place);

/* Returns literal text as Markdown on one line, without marks. */
const char *to_markdown_literal(struct ctx *c, const char *text);

/* Appends the whole body. */
void to_markdown_body(struct ctx *c, const struct content *content, struct buf *out);

/* Whether an image's caption is written as its title: only a literal one
 * that shows something. */
bool to_markdown_caption_is_title(struct ctx *c, const char *caption);

/* Returns the dashes below the head of a column of a table that is aligned so (content.h). */
const char *to_markdown_dashes(const char *align, size_t column);

#endif
