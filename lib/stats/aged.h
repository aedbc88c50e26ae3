#ifndef STATS_AGED_H
#define STATS_AGED_H
/*
 * Counts that are too old: days before the last `stats_months` months (galley.conf), referrers of
 * articles after 30 days, visitors of days that are over everywhere, and all of workspaces that are
 * not there any more.
 */
#include <stdint.h>

struct ctx;

/* Returns the first day that is kept (days since 1970) of so many months before `now`. */
int64_t aged_first_day(int64_t now, int64_t months);

/* Removes what is too old, of a few workspaces at a time. The content is open; it is its own
 * transaction. */
void aged_run(struct ctx *c);

#endif
