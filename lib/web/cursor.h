#ifndef WEB_CURSOR_H
#define WEB_CURSOR_H
/*
 * Cursors (docs/design.md §4.10): base64url of a text and its keyed digest. The text is
 * the endpoint's own; whoever changes one byte has no cursor any more.
 */
#include "base/err.h"

/* Makes one of a text of ours; deterministic. In the arena. */
const char *cursor_encode(struct ctx *c, const char *text);

/* The text, or NULL when this is not a cursor of this instance. */
const char *cursor_decode(struct ctx *c, const char *cursor);

#endif
