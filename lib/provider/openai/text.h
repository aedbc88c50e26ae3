#ifndef PROVIDER_OPENAI_TEXT_H
#define PROVIDER_OPENAI_TEXT_H
/*
 * What a model wrote, as text of ours.
 *
 * Models write HTML where plain text was asked for, links nobody knows, and
 * citations in whatever form they learnt. Here tags go (a script with what is
 * in it), the usual entities become characters, links to addresses that are no
 * source's lose the address and keep their text, and [2], [^2], [1, 3] and
 * [2](https://…) become citations of those sources, or go.
 * Of the five marks of inline.h strong, emphasis and code stay.
 */
#include <stddef.h>

#include <jansson.h>

#include "provider/openai/source.h"

struct ctx;

/* The text of a member; "" when it is absent or no text. */
const char *openai_text_member(json_t *object, const char *name);

/* The text without characters that no stored text may hold (utf8_forbidden());
 * line ends are \n. Blanks stay as they are, for code. */
const char *openai_text_scrub(struct ctx *c, const char *text);

/* One line with marks, for a text of the content; at most `max` code points.
 * What it cites is noted in `sources`. */
const char *openai_text_marked(struct ctx *c, struct openai_sources *sources,
    const char *text, size_t max);

/* One line of plain text without marks and citations, at most `max` code
 * points: titles, descriptions, tags. */
const char *openai_text_plain(struct ctx *c, const char *text, size_t max);

/* The same, escaped for a place that reads marks: headings. */
const char *openai_text_escaped(struct ctx *c, const char *text, size_t max);

#endif
