#ifndef WEB_CURSOR_H
#define WEB_CURSOR_H
/*
 * Cursors (docs/design.md §4.10): base64url of a keyed digest and a text. The text is
 * "1", the name of the list, and the fields, with a space before each. A cursor with one
 * changed byte is no cursor.
 *
 * An endpoint writes the grammar of its cursors down once, as a table of fields; both
 * directions read it:
 *
 *	static const struct cursor_field fields[] = {
 *		{ CURSOR_TEXT, offsetof(struct place, uuid) },
 *		{ CURSOR_NUMBER, offsetof(struct place, created_at) },
 *		{ .kind = CURSOR_END },
 *	};
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum cursor_kind {
	CURSOR_END, /* ends the table */
	CURSOR_TEXT, /* a const char *: one word, without spaces, not empty */
	CURSOR_NUMBER /* an int64_t */
};

struct cursor_field {
	enum cursor_kind kind;
	size_t offset; /* of the member in the endpoint's struct */
};

/* Returns the cursor of the list `name` for the members of the struct at `values`. Equal
 * values give equal cursors. In the arena. */
const char *cursor_encode(
    struct ctx *c, const char *name, const struct cursor_field *fields, const void *values);

/* Reads a cursor into the members of the struct at `values`; its texts are in the arena.
 * Returns false if this is not a cursor of this instance and of the list `name`. */
bool cursor_decode(struct ctx *c, const char *cursor, const char *name,
    const struct cursor_field *fields, void *values);

#endif
