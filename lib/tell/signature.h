#ifndef TELL_SIGNATURE_H
#define TELL_SIGNATURE_H
/*
 * How a ping is signed (docs/console.md §4.8): "t=SECONDS,v1=HEX", where HEX is HMAC-SHA256 of
 * SECONDS, a dot and the body. The key is the text of the secret, which is made of
 * people/secret, the workspace and a number: so no table holds it, and a number more makes
 * another one.
 */
#include <stddef.h>
#include <stdint.h>

struct ctx;

#define SIGNATURE_SECRET 73 /* bytes of "ab_ping_", 64 hex digits and NUL */

/* Writes the secret of this number. people/secret must be there. The caller clears it. */
void
signature_secret(struct ctx *c, const char *workspace, int64_t number, char out[SIGNATURE_SECRET]);

/* Returns the value of the header Galley-Signature for a body that is sent at `at`
 * (microseconds), in the arena. */
const char *
signature_make(struct ctx *c, const char *secret, int64_t at, const void *body, size_t len);

#endif
