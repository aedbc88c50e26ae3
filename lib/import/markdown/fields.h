#ifndef IMPORT_FIELDS_H
#define IMPORT_FIELDS_H
/*
 * What the keys of front matter mean (docs/export.md §5). Unknown keys are losses,
 * known ones with a value that does not fit are refusals that name the line.
 */
#include <stdbool.h>

#include "base/err.h"
#include "import/document.h"
#include "import/losses.h"
#include "import/markdown/frontmatter.h"

/* What front matter says and struct document does not hold as it is. */
struct fields {
	const char *image; /* as written, or NULL */
	unsigned image_line;
	const char *galley; /* the JSON object as text, or NULL */
	unsigned galley_line;
};

/*
 * Fills the snapshot's fields, imageAlt and imageCaption of its content
 * included, and the document's own. The title stays NULL when there is none;
 * `language` is the one for documents that name none.
 */
MAY_REFUSE struct err *fields_read(struct ctx *c, const struct front_value *root,
    const char *language, struct losses *losses, struct document *out, struct fields *fields);

/*
 * Returns a text as one line that may be stored: in NFC, line ends and tabs as spaces, no
 * spaces at its ends, without characters that may not be stored (a loss). NULL when nothing
 * is left.
 */
const char *fields_line(struct ctx *c, struct losses *losses, unsigned line, const char *text);

/* Reads the time of a date, or of a date and time with or without a zone (UTC). */
bool fields_date(struct ctx *c, const char *text, int64_t *at);

#endif
