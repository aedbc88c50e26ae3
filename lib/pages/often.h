#ifndef PAGES_OFTEN_H
#define PAGES_OFTEN_H
/* The limit of pages for an address, pages_per_minute (docs/pages.md §3). */
#include "base/err.h"
#include "web/req.h"

struct ctx;

/* Counts a request that no cached answer answers. Refuses (429) an address that asks too often.
 * Needs no database. */
MAY_REFUSE struct err *often_check(struct ctx *c, const struct req *r);

#endif
