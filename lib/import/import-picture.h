#ifndef IMPORT_IMPORT_PICTURE_H
#define IMPORT_IMPORT_PICTURE_H
/* Pictures of documents become media. */
#include <stddef.h>

#include "base/err.h"

struct beneath;
struct ctx;

/*
 * Stores a picture as media, without its metadata: the file now, the row with
 * media_insert() in the transaction that names it. No transaction may be open.
 * Refuses what picture_clean() refuses; for a file, what cannot be read, and a path
 * that leaves the folder; for import_picture(), a link out of the file's folder.
 */
struct media;
MAY_REFUSE struct err *
import_picture_bytes(struct ctx *c, const void *bytes, size_t len, struct media *out);
MAY_REFUSE struct err *import_picture(struct ctx *c, const char *path, struct media *out);
MAY_REFUSE struct err *
import_picture_of(struct ctx *c, const struct beneath *folder, const char *name, struct media *out);
/* Says what would be stored, or refused, and stores nothing. */
MAY_REFUSE struct err *import_picture_try(
    struct ctx *c, const struct beneath *folder, const char *name, struct media *out);

#endif
