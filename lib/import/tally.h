#ifndef IMPORT_TALLY_H
#define IMPORT_TALLY_H
/*
 * Counts notes by their kind: notes that differ only in lines, quoted texts, addresses and
 * numbers are of one kind.
 */
#include <stddef.h>

struct arena;

struct tally_kind {
	const char *text;
	size_t count;
};

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
