#ifndef IMPORT_LOSSES_H
#define IMPORT_LOSSES_H
/*
 * What an import tells people: notes of one document, a list of sentences (notes_*); what it
 * loses, which becomes notes (losses_*); and how many notes of each kind there were (tally_*).
 */
#include <stddef.h>

#include "base/err.h"
#include "base/hint.h"

struct arena;
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

#define LOSSES_LINES 4 /* the first lines of a loss, which are named */

struct loss {
	const char *text; /* a sentence without full stop */
	unsigned lines[LOSSES_LINES]; /* from 1; 0: the line is not known */
	size_t count; /* of all its lines */
	size_t order; /* among losses of the same line */
};

/*
 * Collects what one document loses while it is read. The same loss on many lines is one
 * sentence, so that the report of a long document stays short. The sentences are in the
 * order of their first lines.
 */
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

/* Adds all losses to `notes`: "lines 3, 7 and 12: the tag <span> …". */
void losses_report(struct losses *l, struct notes *notes);

/* Returns the first `max` code points of a text on one line, for use in sentences. */
const char *losses_excerpt(struct ctx *c, const char *text, size_t max);

struct tally_kind {
	const char *text;
	size_t count;
};

/* Counts notes by their kind: notes that differ only in lines, quoted texts, addresses and
 * numbers are of one kind. */
struct tally {
	struct arena *arena; /* in which kinds live */
	struct tally_kind *kinds;
	size_t count, cap;
};

/* Counts the text as it is. */
void tally_add(struct tally *t, const char *text);

/* Counts a note by its kind. */
void tally_note(struct tally *t, const char *note);

/* Returns the kind of a note, in the arena: "line 3: the link to "/a" stays as text" is
 * "the link to "…" stays as text". */
const char *tally_kind_of(struct arena *a, const char *note);

/* Sorts the kinds: the most frequent first. */
void tally_sort(struct tally *t);

#endif
