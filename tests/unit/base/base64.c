/* suite: fast */
#include "base/encoding.h"

#include "base/arena.h"
#include "tests/tap.h"

static struct arena arena;

/* RFC 4648 §10 without padding, and the two characters of §5. */
static const struct {
	const char *bytes, *text;
} pairs[] = {
	{ "", "" },
	{ "f", "Zg" },
	{ "fo", "Zm8" },
	{ "foo", "Zm9v" },
	{ "foob", "Zm9vYg" },
	{ "fooba", "Zm9vYmE" },
	{ "foobar", "Zm9vYmFy" },
	{ "\xFB\xFF\xFE", "-__-" },
};

static const char *const wrong[] = { "Z", "Zm9vY", "Zg==", "Zm8=", "Zh", "Zm9", "Zm+v", "Zm/v",
	"Zm v", " Zm9v", "Zm9v\n", "Zm9\xC3\xB6", "====" };

static void
pairs_match(void)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		size_t len = 99;
		unsigned char *bytes;
		is_text(base64_encode(&arena, pairs[i].bytes, strlen(pairs[i].bytes)),
		    pairs[i].text, "pair %zu is encoded", i);
		bytes = base64_decode(&arena, pairs[i].text, &len);
		ok(bytes != NULL && len == strlen(pairs[i].bytes) &&
			memcmp(bytes, pairs[i].bytes, len) == 0,
		    "and decoded");
	}
}

static void
other_texts_are_refused(void)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		size_t len;
		ok(base64_decode(&arena, wrong[i], &len) == NULL, "case %zu is refused", i);
	}
}

/* One byte string has one text: of all texts of up to three characters those
 * that are decoded are encoded again to themselves. */
static void
every_text_is_one_byte_string(void)
{
	static const char alphabet[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/";
	size_t n = sizeof(alphabet); /* with the NUL: shorter texts */
	int bad = 0, decoded = 0;

	for (size_t i = 0; i < n * n * n; i++) {
		char text[4] = { alphabet[i % n], alphabet[i / n % n], alphabet[i / n / n], '\0' };
		size_t len = 99;
		unsigned char *bytes = base64_decode(&arena, text, &len);
		if (bytes != NULL) {
			decoded++;
			bad += strcmp(base64_encode(&arena, bytes, len), text) != 0;
		}
		arena_reset(&arena);
	}
	is_int(bad, 0, "no two texts are the same bytes");
	/* "" once for each text after a NUL, every byte and every pair. */
	ok(decoded > 65536 + 256, "every pair of bytes has a text");
}

static void
long_bytes_come_back(void)
{
	unsigned char bytes[1000], *back;
	int bad = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * i + i / 3);
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		size_t got = 99;
		back = base64_decode(&arena, base64_encode(&arena, bytes, len), &got);
		if (back == NULL || got != len || memcmp(back, bytes, len) != 0)
			bad++;
		arena_reset(&arena);
	}
	is_int(bad, 0, "bytes of every length come back");
}

int
main(void)
{
	arena_init(&arena, 1024 * 1024);
	pairs_match();
	other_texts_are_refused();
	every_text_is_one_byte_string();
	long_bytes_come_back();
	return done_testing();
}
