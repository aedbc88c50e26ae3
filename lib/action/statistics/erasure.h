#ifndef ACTION_STATISTICS_ERASURE_H
#define ACTION_STATISTICS_ERASURE_H
/*
 * Erases what was counted of the readers of a workspace's websites (docs/pages.md §9), and what is
 * not counted yet. It does not come back: counts are in no backup but one that was made with
 * --with-stats.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;
struct workspace;

struct erasure {
	/* Days since 1970 in the workspace's time zone, both included. */
	bool from_given, to_given; /* else all days before or after */
	int64_t from, to;

	int64_t views; /* that were erased: filled by erasure_run() */
};

/* Erases them. Refuses a period that ends before it begins (param "from"), and an instance whose
 * counts cannot be reached (ERR_UNAVAILABLE). */
MAY_REFUSE struct err *erasure_run(struct ctx *c, const struct workspace *w, struct erasure *e);

#endif
