#ifndef PROVIDER_OPENAI_SOURCE_H
#define PROVIDER_OPENAI_SOURCE_H
/*
 * The sources of an article: those of its brief and the workspace's own related
 * articles, and no others. The model knows them by number (1 …) and cites the number.
 * The cited ones become references, in the order in which they were cited.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/jwrite.h"
#include "provider/task.h"

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
void openai_source_collect(
    struct ctx *c, const struct task *task, const struct brief *brief, struct openai_sources *out);

/* Returns the number of the reference of source `number`, a new one if it is cited for
 * the first time; 0 if there is no such source. */
size_t openai_source_cite(struct openai_sources *sources, size_t number);

/* Whether a clean address is the address of a source. */
bool openai_source_has_url(const struct openai_sources *sources, const char *url, size_t len);

/* Appends the list for a prompt: one line for each source, without addresses. */
void openai_source_list(const struct openai_sources *sources, struct buf *out);

/* Writes the cited sources as the content's array of references (docs/export.md §5). */
void openai_source_references(const struct openai_sources *sources, struct jwrite *w);

#endif
