#ifndef IMPORT_EXTRA_H
#define IMPORT_EXTRA_H
/*
 * The front matter key `galley`: one JSON object with all that an article has
 * and Markdown has no form for (docs/export.md §5). It is written by
 * extra-write.c, and put back where the places still exist:
 *
 * sections	in the document's order, subsections ("sub"), questions and parts
 *		("part": takeaways, faqs, references) among them: id, heading,
 *		and by number among their kind: steps (which list), tables
 *		(caption, rowHeader), callouts (title), quotes (cite), images
 *		(caption, width, height); "at": the index in content's array,
 *		"loose": no block of the body places it
 * references	id and what the footnote's text does not say
 * texts	[number, digest, text]: the n-th text (texts_each()) as it is in the
 *		article, where Markdown only gives one that means the same; the
 *		digest is that of what Markdown gives
 * exact	the whole content, where all this is not enough; "body" is the
 *		digest of the body for which it holds
 * summary, imageAlt, labels, metaTitle, image	of the article
 *
 * A section is found again by its heading, in order. One whose heading was edited is found by
 * its place between its neighbours.
 *
 * extra.c	reads it, finds sections again, puts back what it holds
 * extra-write.c	writes it
 */
#include <jansson.h>

#include "base/err.h"
#include "base/jwrite.h"
#include "content/content.h"
#include "content/snapshot.h"
#include "import/losses.h"
#include "import/markdown/sections.h"

struct extra {
	json_t *root; /* NULL: the document has none */
	unsigned line;
	struct extra_section *sections;
	size_t count;
	bool lead; /* the first section has no heading */
	const char **references; /* ids */
	size_t reference_count;
};

/* Reads the key's text; NULL gives one without root. Refuses what is not a
 * JSON object. */
MAY_REFUSE struct err *
extra_read(struct ctx *c, const char *text, unsigned line, struct extra *out);

/* Sets cut->extra of every section and subsection that is found again, and
 * reports those that are not. */
void extra_find(struct ctx *c, struct extra *x, struct cuts *cuts, struct losses *losses);

/* Gives ids to sections and questions, and what tables, quotes … had. */
void extra_sections(struct ctx *c, const struct extra *x, const struct cuts *cuts,
    struct content *content, struct losses *losses);

/* Makes the section's steps of a block of its body: a numbered list without lists in it.
 * False: it is none. */
bool extra_make_steps(struct ctx *c, struct section *s, struct block *block);

/* Gives the article's own fields, and what references had. */
void
extra_rest(struct ctx *c, const struct extra *x, struct snapshot *snapshot, struct losses *losses);

/* Puts back texts, or, for the body that it holds for, the whole content. */
void extra_texts(struct ctx *c, const struct extra *x, struct content *content);

MAY_REFUSE struct err *extra_exact(struct ctx *c, const struct extra *x, const char *body,
    size_t len, const char *language, struct content *content);

/* Return the digest of a text, and of a body without the spaces and newlines at its ends: 16
 * hex digits in the arena. */
const char *extra_digest(struct ctx *c, const char *text, size_t len);

const char *extra_body_digest(struct ctx *c, const char *body, size_t len);

/*
 * Writes the object for a snapshot. `plain` is what its document gives on
 * import without texts and exact, or NULL when that is not known yet; `exact`:
 * the whole content goes in, for a body of these bytes.
 */
void extra_write(struct ctx *c, const struct snapshot *snapshot, const struct content *plain,
    const char *exact_body, struct buf *out);

/*
 * Every text of a content but code, to be changed in place: summary, takeaways,
 * sections (heading, body, steps, tables, callouts, subsections), questions and
 * answers, the cover's caption. The order depends on the shape of the content
 * alone, so the n-th text of two contents of one shape is the same place.
 *
 * *text is not NULL; `marked`: it may hold marks (an image's alternative text
 * does not).
 */
typedef void texts_visit(void *arg, const char **text, bool marked);

void texts_each(struct content *content, texts_visit *visit, void *arg);

#endif
