#ifndef ARTICLE_CHANGE_H
#define ARTICLE_CHANGE_H
/*
 * The change clock of a workspace (docs/design.md §3): stamps that only grow, in the
 * order of commits, whatever the wall clock does. /sync's checkpoint is this
 * clock and nothing else.
 */
#include "access/workspace.h"

/* Returns a stamp for a change that /sync announces: max(now, clock + 1). Moves the clock
 * of `w` and of its row. In the writing transaction. */
int64_t change_stamp(struct ctx *c, struct workspace *w);

/* Moves a clock that is over six minutes old, and was not moved since the last
 * announced change, to max(clock, now), so that quiet feeds become empty. One
 * short transaction of its own for each such workspace; the runner's
 * housekeeping. Returns how many were moved. */
int64_t change_settle(struct ctx *c);

#endif
