#include "system/near.h"

#include <string.h>

#include "base/arena.h"

#define WORD_MAX 40 /* a longer word is near no other */
#define FAR 2 /* a word is near after at most this many changes */
#define BEGUN 3 /* from this many letters on, the beginning of a word is near it */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Fills one row of the table of distances between the beginnings of both words.
 * `above` is the row before it, `second` the row before `above`. */
static void
next_row(const char *a, size_t i, const char *b, size_t b_len, const size_t *second,
    const size_t *above, size_t *row)
{
	row[0] = i;
	for (size_t j = 1; j <= b_len; j++) {
		row[j] =
		    least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
		if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
			row[j] = least(row[j], second[j - 2] + 1);
	}
}

size_t
near_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1];
	size_t a_len = strlen(a), b_len = strlen(b);

	if (a_len > WORD_MAX || b_len > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++)
		next_row(a, i, b, b_len, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
	return rows[a_len % 3][b_len];
}

struct near
near_to(const char *word)
{
	size_t half = strlen(word) / 2;

	return (struct near) { .word = word, .distance = least(half, FAR) + 1 };
}

void
near_try(struct near *near, const char *candidate)
{
	size_t distance = near_distance(near->word, candidate);
	size_t len = strlen(near->word);

	if (len >= BEGUN && strncmp(near->word, candidate, len) == 0)
		distance = least(distance, 1);
	if (distance >= near->distance)
		return;
	near->distance = distance;
	near->best = candidate;
}

const char *
near_among(const char *word, const char *const *candidates)
{
	struct near near = near_to(word);

	for (; *candidates != NULL; candidates++)
		near_try(&near, *candidates);
	return near.best;
}

const char *
near_question(struct arena *a, const char *best)
{
	return best == NULL ? "." : arena_printf(a, "; did you mean %s?", best);
}
