#ifndef PROVIDER_MODEL_TEXT_H
#define PROVIDER_MODEL_TEXT_H
/*
 * Makes text of Galley's from what a model wrote.
 *
 * Models write HTML instead of plain text, links that no source has, and citations in
 * many forms. Here tags are removed (a script with its content), the usual entities
 * become characters, links to addresses that no source has lose the address and keep
 * their text, and [2], [^2], [1, 3] and [2](https://…) become citations of those
 * sources or are removed. Of the five marks of inline.h strong, emphasis and code stay.
 */
#include <jansson.h>
#include <stddef.h>

#include "provider/openai/openai-source.h"

struct ctx;

/* Returns the text of a member; "" if it is absent or no text. */
const char *openai_text_member(json_t *object, const char *name);

/* Returns the text without characters that no stored text may hold (utf8_forbidden()).
 * Line ends become \n. Spaces stay as they are, for code. */
const char *openai_text_scrub(struct ctx *c, const char *text);

/* Returns one line with marks, for a text of the content, of at most `max` code points.
 * Notes in `sources` what the text cites. */
const char *
openai_text_marked(struct ctx *c, struct openai_sources *sources, const char *text, size_t max);

/* Returns one line of plain text without marks and citations, of at most `max` code
 * points: for titles, descriptions and tags. */
const char *openai_text_plain(struct ctx *c, const char *text, size_t max);

/* Returns the same, escaped for a place that reads marks: for headings. */
const char *openai_text_escaped(struct ctx *c, const char *text, size_t max);

#endif
