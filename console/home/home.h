#ifndef HOME_H
#define HOME_H
/* What the parts of Home have in common (docs/console.md §4.1). */
#include "action/home/waits.h"
#include "console/console.h"

/* Writes what waits; nothing where nothing does. */
void home_write_waits(struct hwrite *w, struct ctx *c, const struct visit *v,
    const struct waits *waits);

#endif
