#ifndef STATS_HIT_COUNT_H
#define STATS_HIT_COUNT_H
/*
 * Counts the hits of segments (hit.h): each line once, whatever is killed. The counts of some
 * thousand lines and how far the segment is counted are one transaction; the file is removed when
 * all of it is counted, and what is known of it after that. This file owns the table segment of
 * stats.db.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct ctx;

/* Returns whether hits wait to be counted, or counts are old. The content is open, and stats.db is
 * there. */
bool hits_are_due(struct ctx *c);

/* Takes what was written, and counts for two seconds at most; waits for the last writers of
 * segments for five. Removes what is too old. The content is open; it is its own transactions.
 * Returns whether there is more to count now. */
bool hits_count(struct ctx *c);

/*
 * Sums in memory: how often each key of a few thousand hits came. Its owner says what the numbers
 * of a key mean. It lives in an arena, and grows with the number of different keys alone.
 */

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
