#ifndef BASE_BASE64_H
#define BASE_BASE64_H
/* base64url without padding (RFC 4648 §5), one text for each byte string. */
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Returns the encoded text, NUL-terminated, in the arena. */
char *base64_encode(struct arena *a, const void *bytes, size_t len);

/* Returns the bytes, in the arena. Returns NULL for a character outside the alphabet, an
 * impossible length, or spare bits that are not zero. */
unsigned char *base64_decode(struct arena *a, const char *text, size_t *len);

#endif
