#include "people/seal.h"

#include <stdint.h>
#include <string.h>

#include <nettle/chacha-poly1305.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "people/secret.h"

/* A seal is its form's number, a random nonce, the bytes, and their tag. */
#define FORM 1
#define NONCE CHACHA_POLY1305_NONCE_SIZE
#define TAG CHACHA_POLY1305_DIGEST_SIZE
#define HEAD (1 + NONCE)

_Static_assert(HEAD + TAG == SEAL_MORE, "the header says how long a seal is");
_Static_assert(SECRET_SIZE == CHACHA_POLY1305_KEY_SIZE, "a key fits");

/* Begins with the key of the purpose, and with what must not be changed beside the bytes:
 * the form and the place. */
static void
begin(struct ctx *c, struct chacha_poly1305_ctx *cipher, const char *purpose, const char *place,
    const unsigned char head[HEAD])
{
	unsigned char key[SECRET_SIZE];

	secret_key(c, purpose, key);
	chacha_poly1305_set_key(cipher, key);
	explicit_bzero(key, sizeof(key));
	chacha_poly1305_set_nonce(cipher, head + 1);
	chacha_poly1305_update(cipher, 1, head);
	chacha_poly1305_update(cipher, strlen(place), (const uint8_t *)place);
}

const unsigned char *
seal_make(struct ctx *c, const char *purpose, const char *place, const void *bytes, size_t len)
{
	unsigned char *sealed = arena_alloc(c->arena, len + SEAL_MORE);
	struct chacha_poly1305_ctx cipher;

	sealed[0] = FORM;
	uuid_random_bytes(sealed + 1, NONCE);
	begin(c, &cipher, purpose, place, sealed);
	chacha_poly1305_encrypt(&cipher, len, sealed + HEAD, bytes);
	chacha_poly1305_digest(&cipher, TAG, sealed + HEAD + len);
	explicit_bzero(&cipher, sizeof(cipher));
	return sealed;
}

const unsigned char *
seal_open(
    struct ctx *c, const char *purpose, const char *place, const unsigned char *sealed, size_t len)
{
	struct chacha_poly1305_ctx cipher;
	unsigned char tag[TAG], *bytes;
	bool whole;

	if (len < SEAL_MORE || sealed[0] != FORM)
		return NULL;
	len -= SEAL_MORE;
	bytes = arena_alloc(c->arena, len + 1);
	begin(c, &cipher, purpose, place, sealed);
	chacha_poly1305_decrypt(&cipher, len, bytes, sealed + HEAD);
	chacha_poly1305_digest(&cipher, TAG, tag);
	explicit_bzero(&cipher, sizeof(cipher));
	whole = digest_compare(tag, sealed + HEAD + len, TAG) == 0;
	if (!whole)
		explicit_bzero(bytes, len);
	return whole ? bytes : NULL;
}
