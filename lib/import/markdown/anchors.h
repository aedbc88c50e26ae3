#ifndef IMPORT_ANCHORS_H
#define IMPORT_ANCHORS_H
/*
 * Links inside a document. An author links to a heading's anchor, which GitHub
 * makes of its text, or to the one that "{#anchor}" gives it; content links to
 * the section's id.
 */
#include "import/extra.h"

struct anchors {
	struct ctx *c;
	struct {
		const char *name; /* case folded */
		const char *const *id; /* where the id will be, once it is set */
	} * list;
	size_t count, cap;
};

/* Collects the anchors of all headings, and what each heading became: a section, a question,
 * a part; for a heading block, the section that holds it. */
void anchors_collect(
    struct ctx *c, const struct cuts *cuts, const struct content *content, struct anchors *out);

/*
 * Makes links to ids of all links to anchors in the content's texts; those that
 * lead nowhere become text (a loss). With `ids` the content's own ids are known
 * to the document's author, and come first.
 */
void
anchors_resolve(struct anchors *anchors, struct content *content, bool ids, struct losses *losses);

#endif
