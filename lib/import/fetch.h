#ifndef IMPORT_FETCH_H
#define IMPORT_FETCH_H
/*
 * Fetches pictures from the web, through the guarded client (net/remote.h).
 *
 * What was fetched is remembered in run/fetched, a line for each address, so
 * that an import that was interrupted goes on where it was; what failed is
 * tried again by the next import only. An http address is asked for by https.
 */
#include <stdbool.h>

#include "article/media.h"
#include "base/err.h"

struct fetch;

/* Opens the client, in the arena. `private_allowed`: it may also fetch from addresses of
 * private networks, and by plain http. */
struct fetch *fetch_open(struct ctx *c, bool private_allowed);
void fetch_close(struct fetch *f);

/* Fetches and stores a picture; the caller inserts its row. Refuses an address that gives no
 * picture. */
MAY_REFUSE struct err *fetch_picture(struct ctx *c, struct fetch *f,
    const char *url, struct media *out);

#endif
