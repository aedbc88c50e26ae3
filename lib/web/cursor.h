#ifndef WEB_CURSOR_H
#define WEB_CURSOR_H
/*
 * Cursors (docs/design.md §4.10): base64url of a text and its keyed digest. The endpoint
 * decides the text. A cursor with one changed byte is no cursor.
 */
#include "base/err.h"

/* Returns the cursor of a text that the endpoint made; equal texts give equal cursors.
 * In the arena. */
const char *cursor_encode(struct ctx *c, const char *text);

/* Returns the text of a cursor, or NULL if this is not a cursor of this instance. */
const char *cursor_decode(struct ctx *c, const char *cursor);

#endif
