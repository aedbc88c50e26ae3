#ifndef STATS_ERASED_H
#define STATS_ERASED_H
/*
 * Counts that a person erased (docs/pages.md §9), and the marks that erase what was taken before,
 * but was not counted yet. This file owns the table erased of stats.db. Every function but
 * erased_run() needs a transaction of DB_STATS.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

struct erased {
	const char *workspace; /* UUID */
	int64_t from_day, to_day; /* both included */
	int64_t erased_at;
};

/* Returns all marks (arena). */
const struct erased *erased_list(struct ctx *c, size_t *count);

/* Removes marks from before this time: nothing older than them is counted any more. */
void erased_clean(struct ctx *c, int64_t before);

/* Erases the counts of a workspace (its UUID) on these days, those that are not counted yet, too.
 * No page of the file holds them any more. Returns how many views they were. It is its own
 * transaction. */
int64_t erased_run(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day);

#endif
