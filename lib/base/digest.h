#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H
/*
 * BLAKE2b digests of structured values.
 *
 * Every text and byte string is preceded by its length, every integer is eight
 * bytes, so that two different sequences of values never give the same input;
 * digest_fixed() is for what has one length in all digests of its domain.
 */
#include <blake2.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 32 /* bytes of the largest digest here */
#define DIGEST_HEX (2 * DIGEST_SIZE + 1)

struct digest {
	blake2b_state state;
	size_t size; /* bytes of the result */
	size_t held; /* so many bytes are not in `state` yet */
	unsigned char hold[BLAKE2B_BLOCKBYTES];
};

/* Begins a digest of `size` bytes (1 to 32); `domain` names what it is for, so
 * that digests for different uses never meet. */
void digest_begin(struct digest *d, size_t size, const char *domain);

/* The same keyed with a secret of `key_len` (1 to 64) bytes. */
void digest_begin_keyed(
    struct digest *d, size_t size, const char *domain, const void *key, size_t key_len);

void digest_bytes(struct digest *d, const void *bytes, size_t len);

void digest_fixed(struct digest *d, const void *bytes, size_t len);

/* NULL differs from every text. */
void digest_text(struct digest *d, const char *text);

void digest_int(struct digest *d, int64_t value);

/* Write the digest: `size` bytes, or twice as many hex digits and a NUL. */
void digest_end(struct digest *d, void *out);

void digest_end_hex(struct digest *d, char *out);

/* Writes `len` bytes as lower-case hex, and a NUL. */
void digest_hex(char *out, const void *bytes, size_t len);

/* Compares in a time that does not depend on where the difference is; 0 if equal. */
int digest_compare(const void *a, const void *b, size_t len);

/*
 * ---- a checksum
 *
 * A sum of bytes at memory's speed. It shows damage and changes. It does not protect
 * against forgers: a user who may write the summed bytes may write the database, too.
 */
uint64_t checksum(const char *bytes, size_t len);

#endif
