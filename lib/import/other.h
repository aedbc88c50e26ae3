#ifndef IMPORT_OTHER_H
#define IMPORT_OTHER_H
/*
 * Imports the exports of other programs: WordPress's files and Ghost's (docs/export.md §5).
 *
 *	struct other o = { .program = OTHER_GHOST, .paths = paths, .count = 1,
 *		.options = { .publish = true }, .each = tell, .arg = &counts };
 *	struct err *err = other_import(c, &work, &workspace, &o);
 */
#include <stddef.h>

#include "base/err.h"
#include "import/post.h"

struct ctx;
struct work;

enum other_program { OTHER_WORDPRESS, OTHER_GHOST };

/* What became of one item. The texts live until the function that is told returns. */
struct other_item {
	const char *path; /* of the file that holds it */
	const char *title; /* as HTML; or NULL */
	const char *skipped; /* why it is no article, "of type page"; NULL: it is one */
	bool page; /* a page that could be taken, or was */
	/* of an article only */
	const struct post *post;
	const struct import_result *result;
	const struct notes *notes; /* what was lost, changed or not done */
	const struct err *err; /* why it was refused, or NULL */
};

/* Is told of each item once, after its transaction. c->arena is the item's own. */
typedef void other_each(void *arg, const struct other_item *item);

struct other {
	enum other_program program;
	const char *const *paths;
	size_t count;
	struct post_options options; /* .site NULL: as the export says; .media and
					.picture are set by the work */
	struct pictures pictures; /* .site is set by the work */
	size_t skip; /* so many items at the beginning are passed over: they were told of
			before, by a work that had to stop */
	other_each *each;
	void *arg;
};

/*
 * A work (system/work.h). All files are read once before anything is written. Each post is
 * imported whole or refused alone; the same work again does the rest and leaves what is
 * stored unchanged. Refuses a file that is not such an export, which is before the first
 * write unless the file changes meanwhile.
 */
MAY_REFUSE struct err *other_import(
    struct ctx *c, const struct work *work, const struct workspace *workspace, struct other *o);

#endif
