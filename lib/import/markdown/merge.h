#ifndef IMPORT_MERGE_H
#define IMPORT_MERGE_H
/*
 * Merges two texts in Markdown that were made from one (docs/console.md §5.3), block by
 * block: blocks are divided by empty lines; one of code between fences is whole. Where
 * one side only changed, that side wins; where both made different changes, a clash is
 * left, for a person. Pure: needs no database.
 */
#include <stdbool.h>
#include <stddef.h>

struct arena;

enum merge_choice {
	MERGE_NONE, /* not chosen yet */
	MERGE_THEIRS,
	MERGE_MINE,
	MERGE_BOTH  /* theirs, then mine */
};

/* A run of blocks: what both agree on, or a clash. Blocks are divided by an empty line;
 * a side that removed them has "". */
struct merge_piece {
	bool clash;
	const char *text;   /* not of a clash */
	const char *theirs; /* of a clash */
	const char *mine;
};

struct merge {
	struct merge_piece *pieces;
	size_t count;
	size_t clashes;
};

/* Merges; everything is in the arena. */
void merge_make(struct arena *a, const char *base, const char *theirs,
    const char *mine, struct merge *out);

/* Returns the merged text (arena); `choices` has one for each clash. NULL if one of them
 * is MERGE_NONE. */
const char *merge_text(struct arena *a, const struct merge *m,
    const enum merge_choice *choices);

#endif
