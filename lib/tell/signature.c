#include "tell/signature.h"

#include <inttypes.h>
#include <string.h>

#include <nettle/hmac.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "people/secret.h"

#define PREFIX "ab_ping_"

void
signature_secret(struct ctx *c, const char *workspace, int64_t number, char out[SIGNATURE_SECRET])
{
	unsigned char key[SECRET_SIZE];
	struct digest d;

	secret_key(c, "galley ping 1", key);
	digest_begin_keyed(&d, DIGEST_SIZE, "galley ping secret 1", key, sizeof(key));
	digest_text(&d, workspace);
	digest_int(&d, number);
	memcpy(out, PREFIX, strlen(PREFIX));
	digest_end_hex(&d, out + strlen(PREFIX));
	explicit_bzero(key, sizeof(key));
	explicit_bzero(&d, sizeof(d));
}

const char *
signature_make(struct ctx *c, const char *secret, int64_t at, const void *body, size_t len)
{
	unsigned char mac[SHA256_DIGEST_SIZE];
	char hex[2 * SHA256_DIGEST_SIZE + 1];
	const char *seconds = arena_printf(c->arena, "%" PRId64, at / CLOCK_SECOND);
	struct hmac_sha256_ctx hmac;

	hmac_sha256_set_key(&hmac, strlen(secret), (const uint8_t *)secret);
	hmac_sha256_update(&hmac, strlen(seconds), (const uint8_t *)seconds);
	hmac_sha256_update(&hmac, 1, (const uint8_t *)".");
	hmac_sha256_update(&hmac, len, body);
	hmac_sha256_digest(&hmac, sizeof(mac), mac);
	explicit_bzero(&hmac, sizeof(hmac));
	digest_hex(hex, mac, sizeof(mac));
	return arena_printf(c->arena, "t=%s,v1=%s", seconds, hex);
}
