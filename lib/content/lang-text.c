#include <string.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/lang.h"

/* Blocks of Unicode, and parts of blocks, whose letters belong to a script; in
 * order. */
static const struct {
	uint32_t first, last;
	enum lang_script script;
} ranges[] = {
	{ 0x0041, 0x02AF, SCRIPT_LATIN },
	{ 0x02B0, 0x02B8, SCRIPT_LATIN },
	{ 0x02E0, 0x02E4, SCRIPT_LATIN },
	{ 0x0370, 0x03E1, SCRIPT_GREEK },
	{ 0x03F0, 0x03FF, SCRIPT_GREEK },
	{ 0x0400, 0x052F, SCRIPT_CYRILLIC },
	{ 0x0590, 0x05FF, SCRIPT_HEBREW },
	{ 0x0600, 0x06FF, SCRIPT_ARABIC },
	{ 0x0750, 0x077F, SCRIPT_ARABIC },
	{ 0x0870, 0x08FF, SCRIPT_ARABIC },
	{ 0x0900, 0x097F, SCRIPT_DEVANAGARI },
	{ 0x0E00, 0x0E7F, SCRIPT_THAI },
	{ 0x1100, 0x11FF, SCRIPT_HANGUL },
	{ 0x1C80, 0x1C8F, SCRIPT_CYRILLIC },
	{ 0x1D00, 0x1DBF, SCRIPT_LATIN },
	{ 0x1E00, 0x1EFF, SCRIPT_LATIN },
	{ 0x1F00, 0x1FFF, SCRIPT_GREEK },
	{ 0x2C60, 0x2C7F, SCRIPT_LATIN },
	{ 0x3005, 0x3007, SCRIPT_HAN },
	{ 0x3021, 0x3029, SCRIPT_HAN },
	{ 0x3038, 0x303B, SCRIPT_HAN },
	{ 0x3041, 0x30FF, SCRIPT_KANA },
	{ 0x3131, 0x318F, SCRIPT_HANGUL },
	{ 0x31F0, 0x31FF, SCRIPT_KANA },
	{ 0x3400, 0x4DBF, SCRIPT_HAN },
	{ 0x4E00, 0x9FFF, SCRIPT_HAN },
	{ 0xA640, 0xA69F, SCRIPT_CYRILLIC },
	{ 0xA720, 0xA7FF, SCRIPT_LATIN },
	{ 0xA8E0, 0xA8FF, SCRIPT_DEVANAGARI },
	{ 0xA960, 0xA97F, SCRIPT_HANGUL },
	{ 0xAB30, 0xAB6F, SCRIPT_LATIN },
	{ 0xAC00, 0xD7FF, SCRIPT_HANGUL },
	{ 0xF900, 0xFAFF, SCRIPT_HAN },
	{ 0xFB00, 0xFB06, SCRIPT_LATIN },
	{ 0xFB1D, 0xFB4F, SCRIPT_HEBREW },
	{ 0xFB50, 0xFDFF, SCRIPT_ARABIC },
	{ 0xFE70, 0xFEFE, SCRIPT_ARABIC },
	{ 0xFF21, 0xFF5A, SCRIPT_LATIN },
	{ 0xFF66, 0xFF9F, SCRIPT_KANA },
	{ 0xFFA0, 0xFFDC, SCRIPT_HANGUL },
	{ 0x1AFF0, 0x1B16F, SCRIPT_KANA },
	{ 0x20000, 0x3FFFD, SCRIPT_HAN },
};

#define RANGE_COUNT (sizeof(ranges) / sizeof(ranges[0]))

static enum lang_script
range_script(uint32_t cp)
{
	size_t low = 0, high = RANGE_COUNT;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (cp > ranges[middle].last)
			low = middle + 1;
		else if (cp < ranges[middle].first)
			high = middle;
		else
			return ranges[middle].script;
	}
	return SCRIPT_REST;
}

static utf8proc_category_t
category_of(uint32_t cp)
{
	return utf8proc_category((utf8proc_int32_t)cp);
}

static bool
is_letter(utf8proc_category_t category)
{
	return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

static bool
is_mark(utf8proc_category_t category)
{
	return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

static bool
is_ascii_letter(uint32_t cp)
{
	return (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
}

enum lang_script
lang_script(uint32_t cp)
{
	enum lang_script script;
	utf8proc_category_t category;

	if (cp < 0x80)
		return is_ascii_letter(cp) ? SCRIPT_LATIN : SCRIPT_OTHER;
	category = category_of(cp);
	script = range_script(cp);
	/* Some ideographs are numbers (U+3007), not letters. */
	if (category == UTF8PROC_CATEGORY_NL && script == SCRIPT_HAN)
		return script;
	return is_letter(category) ? script : SCRIPT_OTHER;
}

bool
lang_is_word(uint32_t cp)
{
	utf8proc_category_t category;

	if (cp < 0x80)
		return is_ascii_letter(cp) || (cp >= '0' && cp <= '9');
	category = category_of(cp);
	return is_letter(category) || is_mark(category) || category == UTF8PROC_CATEGORY_ND ||
	       category == UTF8PROC_CATEGORY_NL;
}

bool
lang_is_mark(uint32_t cp)
{
	return cp >= 0x300 && is_mark(category_of(cp));
}

bool
lang_is_cjk(uint32_t cp)
{
	enum lang_script script;

	if (cp < 0x3005)
		return false;
	script = lang_script(cp);
	return script == SCRIPT_HAN || script == SCRIPT_KANA;
}

void
lang_count(const char *text, size_t *words, size_t *cjk)
{
	enum { BETWEEN, IN_WORD, IN_CJK } state = BETWEEN;

	while (*text != '\0') {
		uint32_t cp = utf8_next(&text);
		if (lang_is_cjk(cp)) {
			(*cjk)++;
			state = IN_CJK;
		} else if (!lang_is_word(cp)) {
			state = BETWEEN;
		} else if (state == IN_CJK && lang_is_mark(cp)) {
			/* A mark belongs to the character before it. */
		} else if (state != IN_WORD) {
			(*words)++;
			state = IN_WORD;
		}
	}
}

/* Returns whether no byte is `lead` or more. */
static bool
is_below(const char *text, unsigned char lead)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text >= lead)
			return false;
	}
	return true;
}

/* Returns the text in the normalisation form that `options` ask for. */
static const char *
mapped(struct arena *a, const char *text, utf8proc_option_t options)
{
	const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
	utf8proc_ssize_t len = (utf8proc_ssize_t)strlen(text);
	utf8proc_ssize_t count, size;
	utf8proc_int32_t *out;

	count = utf8proc_decompose(bytes, len, NULL, 0, options);
	if (count < 0)
		BUG("a text that is not UTF-8: %s", utf8proc_errmsg(count));
	out = arena_array(a, (size_t)count + 1, sizeof(*out));
	utf8proc_decompose(bytes, len, out, count, options);
	size = utf8proc_reencode(out, count, options);
	if (size < 0)
		BUG("utf8proc: %s", utf8proc_errmsg(size));
	return (const char *)out;
}

const char *
lang_fold(struct arena *a, const char *text)
{
	char *folded;

	if (!is_below(text, 0x80))
		return mapped(a, text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
	folded = arena_text(a, text);
	for (char *p = folded; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	return folded;
}

const char *
lang_nfc(struct arena *a, const char *text)
{
	/* Below U+0300 every text is composed. */
	if (is_below(text, 0xCC))
		return text;
	return mapped(a, text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}
