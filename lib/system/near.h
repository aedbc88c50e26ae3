#ifndef SYSTEM_NEAR_H
#define SYSTEM_NEAR_H
/*
 * Finds the word that is nearest to a mistyped one: "did you mean …?".
 *
 *	struct near near = near_to("artcle");
 *	near_try(&near, "article");
 *	if (near.best != NULL)
 *		…
 *
 * Two words are near if at most two edits turn one into the other; for a short word at
 * most half of its letters. An edit inserts, removes or changes a letter, or exchanges
 * two neighbours. The beginning of a word (three letters or more) is near it, too.
 */
#include <stddef.h>

struct arena;

struct near {
	const char *word;
	const char *best; /* NULL while no word is near */
	size_t distance; /* of `best`; without one, one more than is near */
};

__attribute__((cold)) struct near near_to(const char *word);

/* Keeps `candidate` if it is nearer than those before. It is not copied. */
__attribute__((cold)) void near_try(struct near *near, const char *candidate);

/* Returns the nearest word of an array that ends with NULL, or NULL. */
__attribute__((cold)) const char *near_among(const char *word, const char *const *candidates);

/* Returns the end of a sentence: "; did you mean BEST?", or "." if `best` is NULL. */
__attribute__((cold)) const char *near_question(struct arena *a, const char *best);

/* Returns the number of edits that turn `a` into `b`; a large number for words of more
 * than 40 bytes. */
__attribute__((cold)) size_t near_distance(const char *a, const char *b);

#endif
