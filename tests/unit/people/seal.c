/*
 * Sealed bytes: only this instance opens them, and none that were changed.
 *
 * suite: fast
 */
#include "people/secret.h"

#include "base/fileio.h"
#include "tests/unit/people/place.h"

static const char text[] = "title=A house by the river\nbody=\xf0\x9f\x8f\xa0";

static bool
opens(const char *purpose, const char *place, const unsigned char *sealed, size_t len)
{
	const unsigned char *bytes = seal_open(&c, purpose, place, sealed, len);

	return bytes != NULL && strcmp((const char *)bytes, text) == 0;
}

int
main(void)
{
	size_t size = sizeof(text) - 1, len = size + SEAL_MORE;
	const unsigned char *sealed;
	unsigned char *changed;
	int opened = 0;

	place_begin();
	sealed = seal_make(&c, "galley test 1", "a", text, size);
	ok(opens("galley test 1", "a", sealed, len), "a seal opens");
	ok(memmem(sealed, len, "river", 5) == NULL, "nothing of the text is readable");
	ok(memcmp(sealed, seal_make(&c, "galley test 1", "a", text, size), len) != 0,
	    "the same text is never sealed in the same way");
	ok(!opens("galley test 2", "a", sealed, len), "it does not open for another use");
	ok(!opens("galley test 1", "b", sealed, len), "nor in another place");
	changed = arena_alloc(&arena, len);
	for (size_t bit = 0; bit < 8 * len; bit++) {
		memcpy(changed, sealed, len);
		changed[bit / 8] ^= (unsigned char)(1 << bit % 8);
		opened += seal_open(&c, "galley test 1", "a", changed, len) != NULL;
	}
	is_int(opened, 0, "no changed bit of %zu bytes is overlooked", len);
	for (size_t shorter = 0; shorter < len; shorter++)
		opened += seal_open(&c, "galley test 1", "a", sealed, shorter) != NULL;
	is_int(opened, 0, "no shorter seal opens");
	ok(seal_open(&c, "galley test 1", "", seal_make(&c, "galley test 1", "", "", 0),
	       SEAL_MORE) != NULL,
	    "nothing can be sealed, too");
	if (!fileio_replace(&arena, arena_printf(&arena, "%s/people/secret", instance.home),
		"another secret of 32 bytes, yes!", 32, 0600))
		bail("people/secret cannot be written");
	ok(!opens("galley test 1", "a", sealed, len), "with another secret it does not open");
	place_end();
	return done_testing();
}
