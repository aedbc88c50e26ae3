#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

#include <utf8proc.h>

static bool
is_tail(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Returns the length that the lead byte announces, or 0 if it is not a lead byte.
 * Sets the lowest and the highest value of the byte after it (Unicode, table
 * 3-7). */
static size_t
lead(unsigned char b, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xBF;
	if (b < 0x80)
		return 1;
	if (b >= 0xC2 && b <= 0xDF)
		return 2;
	if (b == 0xE0)
		*low = 0xA0;
	if (b == 0xED)
		*high = 0x9F;
	if (b >= 0xE0 && b <= 0xEF)
		return 3;
	if (b == 0xF0)
		*low = 0x90;
	if (b == 0xF4)
		*high = 0x8F;
	if (b >= 0xF0 && b <= 0xF4)
		return 4;
	return 0;
}

size_t
utf8_sequence(const char *p)
{
	unsigned char low, high;
	size_t len = lead((unsigned char)p[0], &low, &high);

	if (len < 2)
		return len;
	if ((unsigned char)p[1] < low || (unsigned char)p[1] > high)
		return 0;
	for (size_t i = 2; i < len; i++) {
		if (!is_tail(p[i]))
			return 0;
	}
	return len;
}

/* Returns how many bytes at the beginning are ASCII and not NUL. It reads eight
 * at a time, because most text is ASCII only. */
static size_t
plain(const char *bytes, size_t len)
{
	const uint64_t high = UINT64_C(0x8080808080808080);
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word;
	size_t i = 0;

	for (; len - i >= sizeof(word); i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		if (((word | (word - ones)) & high) != 0)
			break;
	}
	return i;
}

bool
utf8_valid(const char *bytes, size_t len)
{
	char last[8];
	size_t i, n;

	for (i = plain(bytes, len); i < len;) {
		if (bytes[i] == '\0')
			return false;
		if (len - i >= 4) {
			n = utf8_sequence(bytes + i);
		} else {
			/* The bytes need not end with a NUL. */
			memset(last, 0, sizeof(last));
			memcpy(last, bytes + i, len - i);
			n = utf8_sequence(last);
		}
		if (n == 0)
			return false;
		i += n;
		if (i % 64 == 0)
			i += plain(bytes + i, len - i);
	}
	return true;
}

unsigned
utf8_bad_line(const char *bytes, size_t len)
{
	unsigned line = 1;
	size_t at = 0;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != '\n')
			continue;
		if (!utf8_valid(bytes + at, i - at))
			break;
		at = i + 1;
		line++;
	}
	return line;
}

size_t
utf8_length(const char *text)
{
	size_t count = 0;

	for (; *text != '\0'; text++) {
		if (!is_tail(*text))
			count++;
	}
	return count;
}

uint32_t
utf8_next(const char **p)
{
	const unsigned char *u = (const unsigned char *)*p;
	uint32_t value;
	int tails;

	if (u[0] == 0)
		return 0;
	if (u[0] < 0x80) {
		(*p)++;
		return u[0];
	}
	tails = u[0] < 0xE0 ? 1 : u[0] < 0xF0 ? 2 : 3;
	value = u[0] & (0x3FU >> tails);
	for (int i = 1; i <= tails && is_tail((char)u[i]); i++)
		value = value << 6 | (u[i] & 0x3FU);
	*p += 1 + tails;
	return value;
}

size_t
utf8_prefix(const char *text, size_t count)
{
	const char *p = text;

	while (count > 0 && *p != '\0') {
		utf8_next(&p);
		count--;
	}
	return (size_t)(p - text);
}

/* Returns whether the character is of C1, is DEL, or changes the direction of the
 * text after it. */
static bool
is_control(uint32_t cp)
{
	return (cp >= 0x7F && cp <= 0x9F) || (cp >= 0x202A && cp <= 0x202E) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

static bool
forbidden(uint32_t cp, bool one_line)
{
	if (cp < 0x20)
		return one_line || (cp != '\n' && cp != '\t');
	if (is_control(cp))
		return true;
	if (cp >= 0xFDD0 && cp <= 0xFDEF)
		return true;
	return cp == 0xFEFF || (cp & 0xFFFE) == 0xFFFE;
}

const char *
utf8_forbidden(const char *text, bool one_line)
{
	const char *p = text;

	for (;;) {
		const char *at;
		/* Most of a text is visible ASCII, which is never forbidden. */
		while (*p >= ' ' && *p <= '~')
			p++;
		at = p;
		if (*p == '\0')
			return NULL;
		if (forbidden(utf8_next(&p), one_line))
			return at;
	}
}

bool
utf8_drop_forbidden(char *text, bool one_line)
{
	const char *from = text, *bad;
	char *to = text;

	while ((bad = utf8_forbidden(from, one_line)) != NULL) {
		memmove(to, from, (size_t)(bad - from));
		to += bad - from;
		if (*bad == '\n' || *bad == '\t')
			*to++ = ' ';
		from = bad;
		(void)utf8_next(&from);
	}
	if (from == text)
		return false;
	memmove(to, from, strlen(from) + 1);
	return true;
}

bool
utf8_is_obeyed(uint32_t cp)
{
	return cp < 0x20 || is_control(cp) || cp == 0x061C || cp == 0x200E || cp == 0x200F ||
	       cp == 0x2028 || cp == 0x2029 || cp == 0xFEFF;
}

/* Fillers and the empty pattern of Braille: letters and a symbol by category, which show
 * nothing. */
static bool
is_filler(uint32_t cp)
{
	return cp == 0x115F || cp == 0x1160 || cp == 0x3164 || cp == 0xFFA0 || cp == 0x2800;
}

bool
utf8_is_seen(const char *text)
{
	bool shows = false;

	while (*text != '\0') {
		uint32_t cp = utf8_next(&text);
		utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)cp);
		if (kind == UTF8PROC_CATEGORY_ZL || kind == UTF8PROC_CATEGORY_ZP ||
		    (kind == UTF8PROC_CATEGORY_CF && cp != 0x200C && cp != 0x200D))
			return false;
		/* Marks show nothing alone. Neither do separators and others, which end the list of
		 * categories, nor characters that nobody has assigned. */
		shows |= kind != UTF8PROC_CATEGORY_CN && kind < UTF8PROC_CATEGORY_ZS &&
			 kind != UTF8PROC_CATEGORY_MN && kind != UTF8PROC_CATEGORY_MC &&
			 kind != UTF8PROC_CATEGORY_ME && !is_filler(cp);
	}
	return shows;
}
