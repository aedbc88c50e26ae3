#ifndef EXPORT_HTML_H
#define EXPORT_HTML_H
/*
 * Renders the body fragment of an article (docs/export.md §1): one article element with
 * everything in it. Only html.c writes markup; every text goes through html-text.c.
 *
 * Nothing empty is written: a text that shows nothing (spaces, a link without
 * text) takes its element with it. A section whose heading shows nothing is
 * written without a section element, and what is below it moves up one level,
 * so that no level is skipped.
 *
 * Rendering also counts what only it can know: which references are cited, in
 * which order, and the words that were shown.
 */
#include <stdint.h>

#include "export/html-text.h"

/* Renders into h->out, of at most EXPORT_BYTES_MAX bytes; the caller must check buf_full(). */
void html_render(struct html *h, const struct facts *f);

/* Returns the minutes of reading (docs/export.md §5): at least 1. */
int64_t html_reading_minutes(const struct html *h);

#endif
