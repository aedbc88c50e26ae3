#ifndef IMPORT_TALLY_H
#define IMPORT_TALLY_H
/*
 * How often each kind of thing happened: notes that differ only in lines,
 * quoted texts, addresses and numbers are of one kind.
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

/* A note's kind, in the arena: "line 3: the link to "/a" stays as text" is
 * "the link to "…" stays as text". */
const char *tally_kind_of(struct arena *a, const char *note);

/* The most frequent first. */
void tally_sort(struct tally *t);

#endif
