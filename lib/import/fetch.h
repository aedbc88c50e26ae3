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
struct remote;

#define FETCH_HOST_FAILURES 5 /* in a row, and a host is not asked any more */
#define FETCH_MAX 20000 /* pictures that an import of a customer asks for */

/* Opens the client, in the arena. `private_allowed`: it may also fetch from addresses of
 * private networks, and by plain http. */
struct fetch *fetch_open(struct ctx *c, bool private_allowed);
void fetch_close(struct fetch *f);

/*
 * The same for an import that a customer began, which works in slices: `remote` was started, and
 * stays the caller's; `journal` is the path of what this import fetched, and of what it did not
 * get, which is not asked for again. Only hosts of the web are asked, by https on port 443. A host
 * that gave no answer FETCH_HOST_FAILURES times in a row is not asked any more, and FETCH_MAX
 * pictures are asked for at most. Of what failed people learn the status, or that there was none.
 */
struct fetch *fetch_resume(struct ctx *c, struct remote *remote, const char *journal);

/* Returns whether fetch_picture() has no answer for this address yet, and would ask for one. */
bool fetch_asks(const struct fetch *f, const char *url);

/* Fetches and stores a picture; the caller inserts its row. Refuses an address that gives no
 * picture. */
MAY_REFUSE struct err *
fetch_picture(struct ctx *c, struct fetch *f, const char *url, struct media *out);

#endif
