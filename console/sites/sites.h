#ifndef SITES_H
#define SITES_H
/* What the screens of Sites have in common with others that name sites. */
#include "action/site-actions.h"
#include "console/answer.h"

/* Writes how a site is, in one or some words. */
void sites_write_state(struct hwrite *w, const struct site *s);

#endif
