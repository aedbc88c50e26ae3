#ifndef EXPORT_HTML_H
#define EXPORT_HTML_H
/*
 * Renders the body fragment of an article (docs/export.md §1): one article element with
 * everything in it. Only html.c and html-block.c write markup; every text goes through
 * html-text.c.
 *
 * Nothing empty is written: a text that shows nothing (spaces, a link without
 * text) takes its element with it. A section whose heading shows nothing is
 * written without a section element, and what is below it moves up one level,
 * so that no level is skipped.
 *
 * Rendering also counts what only it can know: which references are cited, in
 * which order, and the words that were shown.
 */
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "export/facts.h"

/* A caption that names a region, as screen readers say it: one space for many, no
 * difference of case. */
struct html_name {
	const char *text;
	const struct html_name *next;
};
#define HTML_NAMES 256

struct html {
	const struct facts *facts;
	struct buf out;
	const struct reference **cited; /* in order of first use */
	size_t cited_count;
	size_t words; /* docs/export.md §5, "Words" */
	size_t cjk;
	size_t *numbers; /* of each reference; 0: not cited so far */
	size_t tables; /* regions so far: tables with a caption */
	const struct html_name *names[HTML_NAMES]; /* theirs, hashed */
	struct arena scratch; /* of one text at a time; see html-text.h */
};

/* Renders into h->out, of at most EXPORT_BYTES_MAX bytes; the caller must check buf_full(). */
void html_render(struct html *h, const struct facts *f);

/* Returns the minutes of reading (docs/export.md §5): at least 1. */
int64_t html_reading_minutes(const struct html *h);

#endif
