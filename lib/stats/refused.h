#ifndef STATS_REFUSED_H
#define STATS_REFUSED_H
/*
 * What collectors refused that belongs to no workspace, by days of UTC (docs/pages.md §8):
 * run/hits/refused holds the counts of the last days. They are whole counts, which only grow
 * until the file is lost: the counter of statistics takes the greater one of what it has and
 * what is here, so that a count is never added twice. A flood costs no space.
 */
#include <stdint.h>

struct ctx;

#define REFUSED_DAYS 4

struct refused {
	int64_t day; /* days since 1970, UTC; 0: this place is empty */
	int64_t limited; /* beyond collect_per_minute */
	int64_t unknown; /* no such site */
	int64_t bad_form; /* no hit at all: 400 and 413 */
};

enum refused_kind { REFUSED_LIMITED, REFUSED_UNKNOWN, REFUSED_BAD_FORM };

/* Counts one. A fault is a line of the log. */
void refused_count(struct ctx *c, enum refused_kind kind);

/* Reads the days, in no order. All are empty if there is no such file. */
void refused_read(struct ctx *c, struct refused out[REFUSED_DAYS]);

#endif
