#ifndef PROVIDER_OPENAI_SOURCE_H
#define PROVIDER_OPENAI_SOURCE_H
/*
 * The sources of an article: those of its brief and the workspace's own
 * related articles, and no others. The model knows them by number (1 …) and
 * cites the number; which become references, and in which order, is decided by
 * what was cited.
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
	const char *summary; /* of an own article; "" for others */
};

struct openai_sources {
	struct openai_source list[OPENAI_SOURCES_MAX]; /* [number - 1] */
	size_t count;
	size_t reference[OPENAI_SOURCES_MAX]; /* [number - 1]: 0 = not cited */
	size_t cited; /* references so far */
};

/* Collects them: the brief's, then its related articles that have an address;
 * each address once. */
void openai_source_collect(struct ctx *c, const struct task *task,
    const struct brief *brief, struct openai_sources *out);

/* The reference of source `number`, a new one when it is cited for the first
 * time; 0 when there is no such source. */
size_t openai_source_cite(struct openai_sources *sources, size_t number);

/* Whether a clean address is that of a source. */
bool openai_source_has_url(
    const struct openai_sources *sources, const char *url, size_t len);

/* Appends the list for a prompt: a line for each, without addresses. */
void openai_source_list(const struct openai_sources *sources, struct buf *out);

/* Writes what was cited as the content's array of references (docs/export.md §5). */
void openai_source_references(
    const struct openai_sources *sources, struct jwrite *w);

#endif
