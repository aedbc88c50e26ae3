#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H
/* Bytes and numbers as text. */
#include <stddef.h>
#include <stdint.h>

struct arena;

/* ---- base64url without padding (RFC 4648 §5), one text for each byte string */

/* Returns the encoded text, NUL-terminated, in the arena. */
char *base64_encode(struct arena *a, const void *bytes, size_t len);

/* Returns the bytes, in the arena. Returns NULL for a character outside the alphabet, an
 * impossible length, or spare bits that are not zero. */
unsigned char *base64_decode(struct arena *a, const char *text, size_t *len);

/* ---- percent-encoding (RFC 3986 §2.1), read in one way everywhere. */

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

/* ---- whole numbers, for lines that are made without printf(): printf() costs a
 * process of one request more than everything that it formats. */

#define DECIMAL_TEXT 21 /* the longest, with the NUL */

/* Writes the number. Returns its length without the NUL. */
size_t decimal_format(char out[DECIMAL_TEXT], int64_t value);

#endif
