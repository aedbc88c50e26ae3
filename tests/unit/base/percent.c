/* suite: fast */
#include "base/encoding.h"

#include "base/arena.h"
#include "tests/tap.h"

static struct arena arena;

/* An escaped text and its meaning; NULL if it is not in form. */
static const struct {
	const char *text, *plain;
} texts[] = {
	{ "", "" },
	{ "plain/path-1.png", "plain/path-1.png" },
	{ "%41%5a%5A", "AZZ" },
	{ "gr%C3%BCn", "grün" },
	{ "100%", "100%" },
	{ "100%4", "100%4" },
	{ "%g1%1g%%41", "%g1%1g%A" },
	{ "%2541", "%41" },
	{ "a+b", "a+b" },
	{ "%25", "%" },
	{ "gr%C3n", NULL },
	{ "%FF", NULL },
	{ "a%00b", NULL },
};

/* A path and its text in an address: RFC 3986 §3.3, and the slash. */
static const char *const paths[][2] = {
	{ "", "" },
	{ "azAZ09", "azAZ09" },
	{ "/-._~!$&'()*+,;=:@", "/-._~!$&'()*+,;=:@" },
	{ "a`{b@[c/0:9", "a%60%7Bb@%5Bc/0:9" },
	{ " %?#\"<>\\^|", "%20%25%3F%23%22%3C%3E%5C%5E%7C" },
	{ "\x01\x1F\x7F", "%01%1F%7F" },
	{ "gr\xC3\xBCn", "gr%C3%BCn" },
};

static void
paths_are_encoded(void)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		const char *text = percent_encode_path(&arena, paths[i][0]);
		is_text(text, paths[i][1], "path %zu is encoded", i);
		is_text(percent_decode(&arena, text, strlen(text)), paths[i][0], "and decoded");
	}
}

int
main(void)
{
	static const char escape[] = "%4A";
	static const char digits[] = "0123456789abcdefABCDEF";
	int wrong = 0;

	arena_init(&arena, 1 << 20);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *text = texts[i].text;
		const char *plain = percent_decode(&arena, text, strlen(text));
		if (texts[i].plain == NULL)
			ok(plain == NULL, "%s is no text", text);
		else
			is_text(plain, texts[i].plain, "\"%s\"", text);
	}
	is_text(percent_decode(&arena, "a%41%42", 6), "aA%4", "an escape that is cut off is none");
	is_int(percent_byte(escape, escape + 3), 0x4A, "one byte");
	is_int(percent_byte(escape, escape + 2), -1, "cut off");
	is_int(percent_byte(escape + 1, escape + 3), -1, "without its %%");
	for (int ch = 1; ch < 256; ch++) {
		const char *found = strchr(digits, ch);
		int value = found == NULL ? -1 : (int)(found - digits);
		wrong += percent_digit((char)ch) != (value > 15 ? value - 6 : value);
	}
	is_int(wrong, 0, "every other byte is no digit");
	paths_are_encoded();
	return done_testing();
}
