#ifndef STATS_SUMS_H
#define STATS_SUMS_H
/*
 * Sums in memory: how often each key of a few thousand hits came. Its owner says what the numbers
 * of a key mean. It lives in an arena, and grows with the number of different keys alone.
 */
#include <stddef.h>
#include <stdint.h>

struct arena;

struct sums_key {
	size_t place; /* a number of the caller's */
	int kind;
	int64_t day;
	const char *article; /* or "" */
	const char *label; /* or "" */
};

struct sums_row {
	struct sums_key key;
	int64_t count;
	uint64_t hash;
};

struct sums {
	struct arena *arena;
	struct sums_row *rows; /* places of a table; a count of 0 is a free one */
	size_t size; /* of the table: a power of two, or 0 */
	size_t count; /* of rows */
};

/* Begins an empty one. */
void sums_init(struct sums *t, struct arena *a);

/* Adds one to the count of a key. The texts must live as long as the arena. */
void sums_add(struct sums *t, const struct sums_key *key);

/* Returns the rows, `t->count` of them, sorted by place, kind, day, article and label. Nothing may
 * be added any more. */
struct sums_row *sums_sorted(struct sums *t);

#endif
