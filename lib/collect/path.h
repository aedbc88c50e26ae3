#ifndef COLLECT_PATH_H
#define COLLECT_PATH_H
/*
 * Brings what a browser sends of an address into one form (docs/pages.md §8), so that one page
 * has one label, and no label harms who reads it. Pure functions.
 */
#include <stdbool.h>

#include "stats/hit.h"

struct arena;

/*
 * Returns a path that begins with a slash, in one form: no query and no fragment; no dot segments;
 * an escape only for what would mean something else without it, for a space, and for what is not
 * UTF-8; characters that are obeyed instead of shown are left out; personal parts are hidden
 * (stats/label.h). Of a path that is longer than HIT_PATH_MAX the last whole parts are cut off.
 * Letters stay as they are, and so does a slash at the end.
 */
const char *path_clean(struct arena *a, const char *raw);

/* Returns the host of a referrer in lower case; "" for what is no name of a host, for a number
 * (an address), and for `own`, the origin of the page itself. Of a long name the first labels are
 * cut off. */
const char *path_referrer(struct arena *a, const char *raw, const char *own);

/* Returns "source / medium / campaign" without what nobody can read; "-" is between two that are
 * there. "" where all three are NULL or empty. */
const char *
path_campaign(struct arena *a, const char *source, const char *medium, const char *campaign);

#endif
