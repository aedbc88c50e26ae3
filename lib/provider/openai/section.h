#ifndef PROVIDER_OPENAI_SECTION_H
#define PROVIDER_OPENAI_SECTION_H
/* Makes one section of the content from the model's answer. */
#include "base/jwrite.h"
#include "provider/openai/check.h"
#include "provider/openai/source.h"

/* The longest heading, in code points: escaped it still fits a heading. */
#define OPENAI_HEADING_MAX 150
/* The longest text: with its marks it still fits a text. */
#define OPENAI_TEXT_MAX 3000

/* Whether an answer to the schema "section" can be used. */
void openai_section_check(struct jread *r, json_t *answer);

/* Writes the section as an element of the content's sections (docs/export.md §5). The
 * answer must have passed the check. */
void openai_section_write(struct ctx *c, struct openai_sources *sources, const char *heading,
    json_t *answer, struct jwrite *w);

/* Appends the paragraphs of the section as plain text, for the prompt that asks for a
 * summary. */
void openai_section_excerpt(struct ctx *c, json_t *answer, struct buf *out);

#endif
