#ifndef IMPORT_NOTES_H
#define IMPORT_NOTES_H
/*
 * What an import tells people of one document: a list of sentences.
 */
#include <stddef.h>

#include "base/hint.h"

struct ctx;

/* What was changed or dropped, one sentence each ("line 12: …"). */
struct notes {
	struct ctx *c;
	const char **lines;
	size_t count;
	size_t missing; /* pictures that are not there; each has its line */
};
void notes_add(struct notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, with the words of a hint as the reader's skin has them. */
void notes_add_hint(struct notes *n, enum hint hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
