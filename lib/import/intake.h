#ifndef IMPORT_INTAKE_H
#define IMPORT_INTAKE_H
/*
 * Imports one document for import.c: reads it outside of any transaction (intake.c), then
 * writes it inside one (intake-write.c).
 */
#include <stdbool.h>
#include <stddef.h>

#include "import/item.h"
#include "import/document.h"

struct media;
struct workspace;

struct intake {
	struct ctx *c;
	const struct import_options *options;
	const char *path; /* real, or NULL */
	const char *source; /* by which the article is found again, or NULL */
	const struct beneath *folder; /* its files may be read; or NULL */
	struct document document;
	struct notes notes;
	struct media *images; /* stored files whose rows are to come */
	size_t image_count, image_room;
	bool by_id; /* the article was named by its id */
	bool stale; /* it has changed since `base` */
	bool touched;
};

/* Reads a text, or a file (its real path is kept); pictures that it names by
 * relative paths are stored. Refusals as for import_text(). What was read lives
 * in the arena. */
MAY_REFUSE struct err *
intake_text(struct intake *in, const struct settings *settings, const char *text, size_t len);
MAY_REFUSE struct err *
intake_file(struct intake *in, const struct settings *settings, const struct import_item *item);

/* Writes what was read, in a writing transaction of its workspace. A refusal
 * may come after something was written: the caller must undo that. */
MAY_REFUSE struct err *
intake_write(struct intake *in, struct workspace *w, struct import_result *out);

#endif
