#ifndef PEOPLE_SEAL_H
#define PEOPLE_SEAL_H
/*
 * Bytes that only this instance can read, and that nobody can change unseen:
 * ChaCha20-Poly1305 (RFC 8439) with a key made of people/secret. What has no other copy
 * is not sealed: without that file it is lost.
 *
 * A seal is for one purpose and one place. `purpose` is a literal that names the use, with
 * its number ("galley factor 1"); `place` says where the seal belongs, such as the
 * UUID of a row: in another place it does not open.
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

#define SEAL_MORE 29 /* bytes that a seal is longer than what is in it */

/* Returns the sealed bytes, `len` + SEAL_MORE of them, in the arena. */
const unsigned char *
seal_make(struct ctx *c, const char *purpose, const char *place, const void *bytes, size_t len);

/* Opens a seal: returns the `len` - SEAL_MORE bytes in it, with a NUL behind them, in
 * the arena. NULL: it was changed, was made for another purpose or place, or with
 * another secret. */
const unsigned char *seal_open(
    struct ctx *c, const char *purpose, const char *place, const unsigned char *sealed, size_t len);

#endif
