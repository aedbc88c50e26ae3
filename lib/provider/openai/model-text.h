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

#include "base/jwrite.h"
#include "provider/assignment.h"

struct ctx;

/*
 * The sources of an article: those of its brief and the workspace's own related
 * articles, and no others. The model knows them by number (1 …) and cites the number.
 * The cited ones become references, in the order in which they were cited.
 */
#define OPENAI_SOURCES_MAX 100 /* CONTENT_REFERENCES_MAX */

struct openai_source {
	const char *title; /* never "" */
	const char *url; /* clean, or NULL */
	const char *publisher; /* or NULL */
	const char *published; /* or NULL */
	const char *summary; /* of an article of the workspace; "" for others */
};

struct openai_sources {
	struct openai_source list[OPENAI_SOURCES_MAX]; /* [number - 1] */
	size_t count;
	size_t reference[OPENAI_SOURCES_MAX]; /* [number - 1]: 0 = not cited */
	size_t cited; /* references so far */
};

/* Collects the sources: those of the brief, then its related articles that have an
 * address, each address once. */
void openai_source_collect(struct ctx *c, const struct assignment *assignment,
    const struct brief *brief, struct openai_sources *out);

/* Appends the list for a prompt: one line for each source, without addresses. */
void openai_source_list(const struct openai_sources *sources, struct buf *out);

/* Writes the cited sources as the content's array of references (docs/export.md §5). */
void openai_source_references(const struct openai_sources *sources, struct jwrite *w);

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
