#ifndef SITES_H
#define SITES_H
/* What the screens of Sites have in common with others that name sites. */
#include "action/sites/sites.h"
#include "console/console.h"

/* Writes a moment as YYYY-MM-DD HH:MM; "–" for 0. */
void sites_write_moment(struct hwrite *w, int64_t at);

/* Writes how a site is, in one or some words. */
void sites_write_state(struct hwrite *w, const struct site *s);

#endif
