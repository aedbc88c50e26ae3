#ifndef CONTENT_PUNYCODE_H
#define CONTENT_PUNYCODE_H
/* Names in other scripts as letters, digits and hyphens (RFC 3492). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PUNYCODE_MAX 59 /* of a label, behind its "xn--" */

/* Writes the code points as text with a NUL behind it. Returns false if it is longer. */
bool punycode_encode(const int32_t *points, size_t count, char out[PUNYCODE_MAX + 1]);

/* Reads such a text of letters in lower case. Returns how many code points it has, at most `max`;
 * -1 if it is none. */
int punycode_decode(const char *text, int32_t *points, size_t max);

#endif
