#ifndef IMPORT_LOSSES_H
#define IMPORT_LOSSES_H
/*
 * Collects what one document loses while it is read. The same loss on many lines is one
 * sentence, so that the report of a long document stays short. The sentences are in the
 * order of their first lines.
 */
#include <stddef.h>

#include "base/err.h"
#include "import/notes.h"

#define LOSSES_LINES 4 /* the first lines of a loss, which are named */

struct loss {
	const char *text; /* a sentence without full stop */
	unsigned lines[LOSSES_LINES]; /* from 1; 0: the line is not known */
	size_t count; /* of all its lines */
	size_t order; /* among losses of the same line */
};

struct losses {
	struct ctx *c;
	struct loss *list;
	size_t count, cap;
	size_t pictures; /* that were dropped */
};

/* Adds a loss: a sentence without line and full stop, at `line` (0: none). A sentence that was
 * marked with tr_mark() is said in the reader's language. */
void losses_add(struct losses *l, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts the losses in the order of their first lines; those without a line come last. */
void losses_sort(struct losses *l);

/* Adds all losses to `notes`: "lines 3, 7 and 12: the tag <span> …". */
void losses_report(struct losses *l, struct notes *notes);

/* Returns the first `max` code points of a text on one line, for use in sentences. */
const char *losses_excerpt(struct ctx *c, const char *text, size_t max);

#endif
