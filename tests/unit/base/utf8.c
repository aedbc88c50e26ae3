/* suite: fast */
#include "base/utf8.h"

#include "tests/tap.h"

/* Unicode, table 3-7: the borders of every row, and the bytes beside them. */
static const struct {
	const char *name, *bytes;
	bool valid;
} sequences[] = {
	{ "ASCII", "a", true },
	{ "U+0080", "\xC2\x80", true },
	{ "U+07FF", "\xDF\xBF", true },
	{ "U+0800", "\xE0\xA0\x80", true },
	{ "U+D7FF", "\xED\x9F\xBF", true },
	{ "U+E000", "\xEE\x80\x80", true },
	{ "U+FFFF", "\xEF\xBF\xBF", true },
	{ "U+10000", "\xF0\x90\x80\x80", true },
	{ "U+10FFFF", "\xF4\x8F\xBF\xBF", true },
	{ "a tail alone", "\x80", false },
	{ "two tails", "\xBF\xBF", false },
	{ "overlong NUL", "\xC0\x80", false },
	{ "overlong U+007F", "\xC1\xBF", false },
	{ "overlong U+07FF", "\xE0\x9F\xBF", false },
	{ "overlong U+FFFF", "\xF0\x8F\xBF\xBF", false },
	{ "U+D800", "\xED\xA0\x80", false },
	{ "U+DFFF", "\xED\xBF\xBF", false },
	{ "U+110000", "\xF4\x90\x80\x80", false },
	{ "five bytes", "\xF8\x88\x80\x80\x80", false },
	{ "0xFE", "\xFE", false },
	{ "0xFF", "\xFF", false },
	{ "a lead alone", "\xC3", false },
	{ "two of three", "\xE2\x82", false },
	{ "three of four", "\xF0\x9F\x98", false },
	{ "a lead before ASCII",
	    "\xC3"
	    "a",
	    false },
	{ "a wrong third byte",
	    "\xE2\x82"
	    "a",
	    false },
	{ "a wrong fourth byte",
	    "\xF0\x9F\x98"
	    "a",
	    false },
	{ "valid, then not", "gr\xC3\xB6\xC3", false },
	{ "a long text",
	    "gr\xC3\xB6\xC3\x9F"
	    "er \xE2\x82\xAC\xF0\x9F\x98\x80",
	    true },
	{ "nothing", "", true },
};

static void
sequences_are_checked(void)
{
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		is_int(utf8_valid(sequences[i].bytes, strlen(sequences[i].bytes)),
		    sequences[i].valid, "%s is %s", sequences[i].name,
		    sequences[i].valid ? "valid" : "not valid");
	ok(!utf8_valid("a\0b", 3), "NUL is not valid");
	ok(utf8_valid("a\xC3\xB6", 1), "only the given bytes are looked at");
	ok(!utf8_valid("\xC3\xB6", 1), "a sequence does not reach beyond them");
	ok(!utf8_valid("abc\xF0\x9F\x98\x80", 6), "nor does a long one");
	is_int((int64_t)utf8_sequence(""), 1, "NUL is one byte");
}

/* Plain text is checked eight bytes at a time: a bad byte among them is found. */
static void
one_wrong_byte_shows_anywhere(void)
{
	char text[80];
	int missed = 0;

	memset(text, 'a', sizeof(text));
	memcpy(text + 16, "\xC3\xB6", 2);
	ok(utf8_valid(text, sizeof(text)), "a long text is valid");
	for (size_t i = 0; i < sizeof(text); i++) {
		char right = text[i];
		text[i] = '\0';
		missed += utf8_valid(text, sizeof(text));
		text[i] = (char)0x80;
		/* The one place where such a byte is allowed. */
		missed += i != 17 && utf8_valid(text, sizeof(text));
		text[i] = right;
	}
	is_int(missed, 0, "a NUL or a stray byte shows at every place of it");
}

/* Encodes as the standard's formula says. */
static size_t
encode(char *out, uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 + cp / 64);
		out[1] = (char)(0x80 + cp % 64);
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 + cp / 4096);
		out[1] = (char)(0x80 + cp / 64 % 64);
		out[2] = (char)(0x80 + cp % 64);
		return 3;
	}
	out[0] = (char)(0xF0 + cp / 262144);
	out[1] = (char)(0x80 + cp / 4096 % 64);
	out[2] = (char)(0x80 + cp / 64 % 64);
	out[3] = (char)(0x80 + cp % 64);
	return 4;
}

static void
every_code_point_is_read(void)
{
	uint32_t wrong = 0;

	for (uint32_t cp = 1; cp <= 0x10FFFF && wrong == 0; cp++) {
		char bytes[8] = { 0 };
		const char *p = bytes;
		size_t len = encode(bytes, cp);
		bool surrogate = cp >= 0xD800 && cp <= 0xDFFF;
		if (utf8_sequence(bytes) != (surrogate ? 0 : len) ||
		    utf8_valid(bytes, len) == surrogate)
			wrong = cp;
		if (!surrogate &&
		    (utf8_next(&p) != cp || p != bytes + len || utf8_length(bytes) != 1 ||
			utf8_next(&p) != 0 || p != bytes + len))
			wrong = cp;
	}
	is_int(wrong, 0, "every code point is read as it is, no surrogate is");
}

/* All pairs of bytes are valid exactly when they are two ASCII characters or
 * one sequence of two. */
static void
every_pair_of_bytes_is_judged(void)
{
	int wrong = 0;

	for (int first = 1; first < 256; first++) {
		for (int second = 1; second < 256; second++) {
			char bytes[2] = { (char)first, (char)second };
			bool ascii = first < 0x80 && second < 0x80;
			bool two =
			    first >= 0xC2 && first <= 0xDF && second >= 0x80 && second <= 0xBF;
			wrong += utf8_valid(bytes, 2) != (ascii || two);
		}
	}
	is_int(wrong, 0, "every pair of bytes is judged rightly");
}

static void
texts_are_measured(void)
{
	static const char text[] = "aö€\xF0\x9F\x98\x80z";

	is_int((int64_t)utf8_length(text), 5, "a text is measured");
	is_int((int64_t)utf8_length(""), 0, "an empty one too");
	is_int((int64_t)utf8_prefix(text, 0), 0, "no code point, no byte");
	is_int((int64_t)utf8_prefix(text, 2), 3, "two code points");
	is_int((int64_t)utf8_prefix(text, 4), 10, "four code points");
	is_int((int64_t)utf8_prefix(text, 99), 11, "at most all");
}

static const struct {
	uint32_t code_point;
	bool in_text, in_line; /* forbidden */
} characters[] = {
	{ 0x01, true, true },
	{ '\t', false, true },
	{ '\n', false, true },
	{ '\r', true, true },
	{ 0x1F, true, true },
	{ ' ', false, false },
	{ 0x7E, false, false },
	{ 0x7F, true, true },
	{ 0x80, true, true },
	{ 0x9F, true, true },
	{ 0xA0, false, false },
	{ 0xAD, false, false },
	{ 0x200B, false, false },
	{ 0x200C, false, false }, /* Persian needs it */
	{ 0x200D, false, false }, /* so do Hindi and emoji */
	{ 0x200E, false, false },
	{ 0x200F, false, false },
	{ 0x2028, false, false },
	{ 0x2029, false, false },
	{ 0x202A, true, true },
	{ 0x202E, true, true },
	{ 0x202F, false, false },
	{ 0x2065, false, false },
	{ 0x2066, true, true },
	{ 0x2069, true, true },
	{ 0x206A, false, false },
	{ 0xFDCF, false, false },
	{ 0xFDD0, true, true },
	{ 0xFDEF, true, true },
	{ 0xFDF0, false, false },
	{ 0xFEFF, true, true },
	{ 0xFFFD, false, false },
	{ 0xFFFE, true, true },
	{ 0xFFFF, true, true },
	{ 0x1FFFE, true, true },
	{ 0x1F600, false, false },
	{ 0x10FFFD, false, false },
	{ 0x10FFFF, true, true },
};

static void
forbidden_characters_are_found(void)
{
	for (size_t i = 0; i < sizeof(characters) / sizeof(*characters); i++) {
		char text[16] = "ab";
		size_t len = encode(text + 2, characters[i].code_point);
		unsigned cp = characters[i].code_point;
		strcpy(text + 2 + len, "c");
		ok(utf8_forbidden(text, false) == (characters[i].in_text ? text + 2 : NULL),
		    "U+%04X in a text", cp);
		ok(utf8_forbidden(text, true) == (characters[i].in_line ? text + 2 : NULL),
		    "U+%04X in a line", cp);
	}
}

static void
forbidden_characters_are_dropped(void)
{
	static const struct {
		const char *text, *left;
		bool one_line;
	} texts[] = {
		{ "", "", false },
		{ "a b", "a b", true },
		{ "a\nb\tc", "a\nb\tc", false },
		{ "a\nb\tc", "a b c", true },
		{ "\x01"
		  "a\x1F\x7F"
		  "b\xC2\x80",
		    "ab", false },
	};
	char copy[20];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		bool changes = strcmp(texts[i].text, texts[i].left) != 0;
		strcpy(copy, texts[i].text);
		ok(utf8_drop_forbidden(copy, texts[i].one_line) == changes,
		    "text %zu is changed or not", i);
		is_text(copy, texts[i].left, "and reads so");
	}
}

static void
what_is_obeyed_is_known(void)
{
	static const struct {
		uint32_t first, last;
	} obeyed[] = { { 0x01, 0x1F }, { 0x7F, 0x9F }, { 0x61C, 0x61C }, { 0x200E, 0x200F },
		{ 0x2028, 0x2029 }, { 0x202A, 0x202E }, { 0x2066, 0x2069 }, { 0xFEFF, 0xFEFF } };
	int wrong = 0;

	for (uint32_t cp = 1; cp <= 0x10FFFF; cp++) {
		bool is = false;
		for (size_t i = 0; i < sizeof(obeyed) / sizeof(*obeyed); i++)
			is |= cp >= obeyed[i].first && cp <= obeyed[i].last;
		wrong += utf8_is_obeyed(cp) != is;
	}
	is_int(wrong, 0, "controls and marks of direction, nothing else");
}

int
main(void)
{
	sequences_are_checked();
	one_wrong_byte_shows_anywhere();
	every_code_point_is_read();
	every_pair_of_bytes_is_judged();
	texts_are_measured();
	forbidden_characters_are_found();
	forbidden_characters_are_dropped();
	what_is_obeyed_is_known();
	return done_testing();
}
