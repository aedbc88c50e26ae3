#ifndef BASE_PERCENT_H
#define BASE_PERCENT_H
/* Percent-encoding (RFC 3986 §2.1), read in one way everywhere. */
#include <stddef.h>

struct arena;

/* Returns a hexadecimal digit's value, or -1. */
int percent_digit(char digit);

/* Returns the byte of the escape "%XX" at `p`, or -1 if there is no whole one before
 * `end`. */
int percent_byte(const char *p, const char *end);

/* Returns the first `len` bytes of `text` with each escape decoded, in the arena. A % that
 * begins no escape stays. Returns NULL if the result is no text: invalid UTF-8, or a
 * NUL. */
const char *percent_decode(struct arena *a, const char *text, size_t len);

/* Returns a path with an escape for each byte that has no place in the path of an
 * address (RFC 3986 §3.3): spaces, controls, %, ?, # and all that is not ASCII among them. */
const char *percent_encode_path(struct arena *a, const char *path);

#endif
