#ifndef PEOPLE_WAIT_H
#define PEOPLE_WAIT_H
/*
 * Failures that make a person wait (docs/console.md §3.2, §3.5): after 10 in 10 minutes
 * one minute, and after each further failure twice as long. The ten minutes begin with the
 * first failure. What makes a person wait is forgotten a day after the last wait.
 *
 * A time in the future counts as absent, so that a clock that was set back locks nobody
 * out. Pure functions.
 */
#include <stdint.h>

struct wait {
	int64_t failures;
	int64_t since; /* the first of them */
	int64_t until; /* 0, or when the next try may come */
};

/* Returns the seconds that are left; 0: the next try may come. `longest` is the longest
 * wait, in microseconds. */
int wait_left_s(const struct wait *w, int64_t now, int64_t longest);

/* Counts a failure. */
void wait_count(struct wait *w, int64_t now, int64_t longest);

/* Takes back a failure that was counted at `at`, with the wait that it began. */
void wait_uncount(struct wait *w, int64_t at);

#endif
