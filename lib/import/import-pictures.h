#ifndef IMPORT_IMPORT_PICTURES_H
#define IMPORT_IMPORT_PICTURES_H
/* Pictures of documents become media: those of files, and those of the web. */
#include <stdbool.h>
#include <stddef.h>

#include "article/media.h"
#include "base/err.h"

struct beneath;
struct ctx;
struct fetch;
struct media;
struct remote;

/*
 * Stores a picture as media, without its metadata: the file now, the row with
 * media_insert() in the transaction that names it. No transaction may be open.
 * Refuses what picture_clean() refuses; for a file, what cannot be read, and a path
 * that leaves the folder; for import_picture(), a link out of the file's folder.
 */
MAY_REFUSE struct err *
import_picture_bytes(struct ctx *c, const void *bytes, size_t len, struct media *out);
MAY_REFUSE struct err *import_picture(struct ctx *c, const char *path, struct media *out);
MAY_REFUSE struct err *
import_picture_of(struct ctx *c, const struct beneath *folder, const char *name, struct media *out);

/* Says what would be stored, or refused, and stores nothing. */
MAY_REFUSE struct err *import_picture_try(
    struct ctx *c, const struct beneath *folder, const char *name, struct media *out);

/*
 * Fetches pictures from the web, through the guarded client (net/remote.h).
 *
 * What was fetched is remembered in run/fetched, a line for each address, so
 * that an import that was interrupted goes on where it was; what failed is
 * tried again by the next import only. An http address is asked for by https.
 */

/* Opens the client, in the arena. `private_allowed`: it may also fetch from addresses of
 * private networks, and by plain http. */
struct fetch *fetch_open(struct ctx *c, bool private_allowed);

void fetch_close(struct fetch *f);

/*
 * The same for an import that a customer began, which works in slices: `remote` was started, and
 * stays the caller's; `journal` is the path of what this import fetched, and of what it did not
 * get, which is not asked for again. Only hosts of the web are asked, by https on port 443. A host
 * that gave no answer five times in a row is not asked any more, and 20,000 pictures are asked for
 * at most. Of what failed people learn the status, or that there was none.
 */
struct fetch *fetch_resume(struct ctx *c, struct remote *remote, const char *journal);

/* Returns whether fetch_picture() has no answer for this address yet, and would ask for one. */
bool fetch_asks(const struct fetch *f, const char *url);

/* Fetches and stores a picture; the caller inserts its row. Refuses an address that gives no
 * picture. */
MAY_REFUSE struct err *
fetch_picture(struct ctx *c, struct fetch *f, const char *url, struct media *out);

#endif
