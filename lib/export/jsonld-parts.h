#ifndef EXPORT_JSONLD_PARTS_H
#define EXPORT_JSONLD_PARTS_H
/*
 * Writes the parts of the structured data that come from content (questions, how-tos,
 * citations), and names nodes.
 */
#include <stddef.h>

#include "base/jwrite.h"
#include "export/facts.h"
#include "export/html.h"

struct jsonld_question {
	const char *id; /* of the question in content: "q1" */
	const char *name;
	const char *answer;
};

struct jsonld {
	struct jwrite w;
	const struct facts *facts;
	const struct html *html;
	/* Those with both a question and an answer, as plain text. */
	struct jsonld_question *questions;
	size_t question_count;
};

void
jsonld_parts_init(struct jsonld *j, const struct facts *f, const struct html *h, struct buf *out);

/* "@id": base + fragment */
void jsonld_parts_id(struct jsonld *j, const char *base, const char *fragment);

/* `name`: {"@id": base + fragment}; without a name, as an element. */
void jsonld_parts_ref(struct jsonld *j, const char *name, const char *base, const char *fragment);

/* Returns a text without marks; NULL for NULL and for a text that shows nothing. */
const char *jsonld_parts_plain(struct jsonld *j, const char *text);

/* Write the page's mainEntity, the article's citation, the Question and the HowTo nodes;
 * nothing where there are none. */
void jsonld_parts_main_entity(struct jsonld *j);
void jsonld_parts_citations(struct jsonld *j);
void jsonld_parts_questions(struct jsonld *j);
void jsonld_parts_how_tos(struct jsonld *j);

#endif
