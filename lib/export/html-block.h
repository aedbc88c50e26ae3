#ifndef EXPORT_HTML_BLOCK_H
#define EXPORT_HTML_BLOCK_H
/*
 * Writes what follows the heading of a section or subsection: the flow of its body, then the
 * steps, tables and callouts that the flow did not place (docs/export.md §1.9). html.c writes
 * the subsections.
 */
#include "export/html-state.h"

/* Heading blocks get `level`, one below that of the section's heading. */
void html_block_flow(struct html *h, const struct section *section, int level);

#endif
