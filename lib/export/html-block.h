#ifndef EXPORT_HTML_BLOCK_H
#define EXPORT_HTML_BLOCK_H
/*
 * What stands under the heading of a section or subsection: its body's flow,
 * then the steps, tables and callouts that the flow did not place (docs/export.md
 * §1.9). Subsections are html.c's.
 */
#include "export/html.h"

/* `level` is that of heading blocks: one below the section's own. */
void html_block_flow(struct html *h, const struct section *section, int level);

#endif
