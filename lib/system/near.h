#ifndef SYSTEM_NEAR_H
#define SYSTEM_NEAR_H
/*
 * The nearest of several words to one that was mistyped: "did you mean …?".
 *
 *	struct near near = near_to("artcle");
 *	near_try(&near, "article");
 *	if (near.best != NULL)
 *		…
 *
 * Near is what two letters put in, left out or changed make equal; of a short
 * word at most half of its letters. Where two letters changed places, that is
 * one change. A word that was begun (three letters or more) is near as well.
 */
#include <stddef.h>

struct arena;

struct near {
	const char *word;
	const char *best; /* NULL while none is near */
	size_t distance;  /* of `best`; else one more than is near */
};

struct near near_to(const char *word);

/* Keeps `candidate` when it is nearer than those before. It is not copied. */
void near_try(struct near *near, const char *candidate);

/* The nearest of an array that ends with NULL, or NULL. */
const char *near_among(const char *word, const char *const *candidates);

/* The end of a sentence: "; did you mean BEST?", or "." when `best` is NULL. */
const char *near_question(struct arena *a, const char *best);

/* How many letters must be put in, left out, changed or exchanged with their
 * neighbour to make `b` of `a`; a large number for words over 40 bytes. */
size_t near_distance(const char *a, const char *b);

#endif
