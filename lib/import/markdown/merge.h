#ifndef IMPORT_MERGE_H
#define IMPORT_MERGE_H
/*
 * Merges two texts in Markdown that were made from one (docs/console.md §5.3), block by
 * block: blocks are divided by empty lines; one of code between fences is whole. Where
 * one side only changed, that side wins; where both made different changes, a clash is
 * left, for a person. What neither side changed keeps its bytes, empty lines too. Changes of
 * neighbours do not clash. Pure: needs no database, and does not read Markdown.
 */
#include <stdbool.h>
#include <stddef.h>

struct arena;

enum merge_choice {
	MERGE_NONE, /* not chosen yet */
	MERGE_THEIRS,
	MERGE_MINE,
	MERGE_BOTH /* theirs, then mine */
};

/* A run of blocks: what both agree on, or a clash. A side that removed them has "". */
struct merge_piece {
	bool clash;
	const char *text; /* not of a clash */
	const char *theirs; /* of a clash */
	const char *mine;
	const char *behind; /* the empty lines between it and the next piece */
};

struct merge {
	const char *head, *tail; /* before the first piece, and after the last one */
	struct merge_piece *pieces;
	size_t count;
	size_t clashes;
};

/* Merges; everything is in the arena. */
void merge_make(
    struct arena *a, const char *base, const char *theirs, const char *mine, struct merge *out);

/* Returns the merged text (arena); `choices` has one for each clash. NULL if one of them
 * is MERGE_NONE. */
const char *merge_text(struct arena *a, const struct merge *m, const enum merge_choice *choices);

/* A text and its parts: the lines, from 1, in which each begins, after the one before. */
struct merge_cuts {
	const char *text;
	const unsigned *lines;
	const unsigned *last; /* of each part, its last line; of `source` only */
	size_t count;
};

/*
 * Carries the bytes of a text over a change that was made of its content. `was` and `now` are
 * the texts of two contents, written in one way; `source` is another text of the content of
 * `was`, and has the same parts. Returns `now` (arena), where each part that `was` has, too, is
 * written as in `source`, with what follows it there and is no part; but not the one that begins
 * in the line `except` of `now` (0: none).
 */
const char *merge_carry(struct arena *a, const struct merge_cuts *was,
    const struct merge_cuts *source, const struct merge_cuts *now, unsigned except);

#endif
