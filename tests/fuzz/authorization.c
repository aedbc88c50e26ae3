/* Only "Bearer" and a whole key give a digest. */
#include "access/apikey.h"
#include "base/digest.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	unsigned char digest[DIGEST_SIZE];
	const char *key = strstr(text, "ab_live_");

	(void)len;
	fuzz_instance(c);
	/* Spaces may follow the key. */
	if (apikey_digest(c, text, digest))
		MUST(
		    key != NULL && apikey_is_whole(arena_text_n(c->arena, key, strcspn(key, " "))));
	else if (key != NULL && key == text && apikey_is_whole(key))
		MUST(apikey_digest(c, arena_printf(c->arena, "Bearer %s", key), digest));
}
