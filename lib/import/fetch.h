#ifndef IMPORT_FETCH_H
#define IMPORT_FETCH_H
/*
 * Pictures from the web, through the guarded client (remote.h).
 *
 * What was fetched is remembered in run/fetched, a line for each address, so
 * that an import that was interrupted goes on where it was; what failed is
 * tried again by the next import only. An http address is asked for by https.
 */
#include <stdbool.h>

#include "article/media.h"
#include "base/err.h"

struct fetch;

/* In the arena. `private_allowed`: also from addresses of one's own network,
 * and by plain http. */
struct fetch *fetch_open(struct ctx *c, bool private_allowed);
void fetch_close(struct fetch *f);

/* Fetches and stores a picture; its row is the caller's. Refuses what cannot be
 * had or is no picture. */
MAY_REFUSE struct err *fetch_picture(struct ctx *c, struct fetch *f,
    const char *url, struct media *out);

#endif
