#ifndef IMPORT_SECTIONS_H
#define IMPORT_SECTIONS_H
/*
 * Cuts a flow into sections and subsections at its headings (docs/export.md §5.1).
 *
 * Heading levels are relative: the highest level in use opens sections, the next one
 * subsections, deeper ones are heading blocks. A heading without a section above it opens a
 * section, whatever its level. In a document that Galley wrote the levels are fixed: ## ###
 * ####.
 */
#include "import/galley/extra-section.h"
#include "import/losses.h"
#include "import/markdown/flow.h"

struct cut {
	const struct flow_block *heading; /* NULL: before the first heading */
	const struct flow_block *blocks; /* without those of subsections */
	size_t count;
	struct cut *subs;
	size_t sub_count, cap;
	enum part part; /* only while `section` is NULL */
	const struct extra_section *extra; /* what is known of it, or NULL */
	struct section *section; /* that it became, or NULL */
	/* The lines of the section's body, tables, callouts and steps (0: none). */
	unsigned *lines, *tables, *callouts, *steps;
};

struct cuts {
	struct cut *list;
	size_t count, cap;
};

/* With `fixed` levels; `lead`: a first section without heading is there even
 * when nothing comes before the first heading, and takes subsections. */
void sections_cut(struct ctx *c, const struct flow *flow, bool fixed, bool lead, struct cuts *out);

/*
 * Takes out the sections that are parts, by their headings in `language` or by
 * cut->extra, into the content. A section that would lose something stays one
 * (a loss).
 */
MAY_REFUSE struct err *sections_parts(struct ctx *c, struct losses *losses, struct cuts *cuts,
    const char *language, struct content *content);

/* Makes content's sections of the other cuts. Refuses what is too much. */
MAY_REFUSE struct err *sections_fill(struct ctx *c, struct cuts *cuts, struct content *content);

#endif
