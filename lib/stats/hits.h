#ifndef STATS_HITS_H
#define STATS_HITS_H
/*
 * Counts the hits of segments (hit.h): each line once, whatever is killed. The counts of some
 * thousand lines and how far the segment is counted are one transaction; the file is removed when
 * all of it is counted, and what is known of it after that. This file owns the table segment of
 * stats.db.
 */
#include <stdbool.h>

struct ctx;

/* Returns whether hits wait to be counted, or counts are old. The content is open, and stats.db is
 * there. */
bool hits_are_due(struct ctx *c);

/* Takes what was written, and counts for two seconds at most; waits for the last writers of
 * segments for five. Removes what is too old. The content is open; it is its own transactions.
 * Returns whether there is more to count now. */
bool hits_count(struct ctx *c);

#endif
