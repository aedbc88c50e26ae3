#ifndef IMPORT_EXTRA_SECTION_H
#define IMPORT_EXTRA_SECTION_H
/*
 * What front matter says of one section (extra.h). The cutting of a document into
 * sections reads it, and knows nothing else of that key.
 */
#include <stdbool.h>

#include <jansson.h>

/* A part of an article that a document writes as a section. */
enum part { PART_NONE, PART_TAKEAWAYS, PART_FAQS, PART_REFERENCES };

struct extra_section {
	const char *id; /* or NULL */
	const char *heading; /* "" before the first heading */
	bool sub;
	enum part part;
	json_t *json;
	bool found; /* a heading of the document is it */
};

#endif
