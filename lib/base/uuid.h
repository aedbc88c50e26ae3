#ifndef BASE_UUID_H
#define BASE_UUID_H
/* UUIDs as text: 36 characters, lower case inside Galley (docs/design.md §4.6). */
#include <stdbool.h>
#include <stddef.h>

#define UUID_TEXT 37 /* bytes of a UUID and its NUL */

/* Returns whether `text` is a UUID in canonical form, of any version, upper or lower case.
 * `out` (may be NULL) gets it in lower case. */
bool uuid_parse(const char *text, char out[UUID_TEXT]);

/* Draws a random UUID (version 4, RFC 9562 §5.4). */
void uuid_random(char out[UUID_TEXT]);

/* Draws `len` bytes from the kernel's generator. Dies if it has none. */
void uuid_random_bytes(void *out, size_t len);

#endif
