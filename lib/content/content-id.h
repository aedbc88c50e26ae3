#ifndef CONTENT_CONTENT_ID_H
#define CONTENT_CONTENT_ID_H
/*
 * The ids inside one content: of sections, subsections, questions and
 * references. All of them become ids of one HTML document ("ab-3f2a9c10-s1"),
 * so no two may be equal, and none may be one that rendering makes itself:
 * takeaways, faq, references, t1 (a caption), s1-step1 (a step).
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;
struct content;
struct ctx;

#define CONTENT_ID_MAX 64 /* bytes */

/* A set of ids; the strings must live as long. */
struct content_ids {
	const char **slots; /* open addressing; NULL is free */
	size_t size; /* a power of two, more than twice the ids */
};

/* The set of the ids that `content` has, with room for those it lacks. */
void content_ids_init(struct content_ids *ids, struct arena *a, const struct content *content);

/* Adds an id. Returns false when the set has it already. */
bool content_ids_add(struct content_ids *ids, const char *id);

bool content_ids_has(const struct content_ids *ids, const char *id);

/* Refuses ids of a wrong form, reserved ones, and one that is given twice. A missing id is no
 * error here. */
MAY_REFUSE struct err *
content_ids_check(struct ctx *c, const char *what, const struct content *content);

/* Gives sections, subsections and questions without id ("" or NULL) the first
 * free one of s1…, s1-1…, q1…. Ids that are there stay (anchors survive). */
void content_ids_number(struct ctx *c, struct content *content);

#endif
