/* A masked text keeps its length and has nothing left to mask; every secret that is
 * found was suspected. */
#include "base/mask.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	char *copy;
	size_t size = strnlen(text, len);

	copy = arena_text_n(c->arena, text, size);
	if (mask_finds(copy))
		MUST(mask_suspects(copy, size));
	mask_secrets(copy);
	MUST(strlen(copy) == size);
	MUST(!mask_finds(copy));
}
