#include "base/encoding.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

/* ---- percent-encoding */

int
percent_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

int
percent_byte(const char *p, const char *end)
{
	int high, low;

	if (end - p < 3 || *p != '%')
		return -1;
	high = percent_digit(p[1]);
	low = percent_digit(p[2]);
	return high < 0 || low < 0 ? -1 : high << 4 | low;
}

const char *
percent_decode(struct arena *a, const char *text, size_t len)
{
	char *out = arena_alloc(a, len + 1), *to = out;
	const char *end = text + len;

	for (const char *p = text; p < end; p++) {
		int byte = percent_byte(p, end);
		*to++ = byte < 0 ? *p : (char)byte;
		p += byte < 0 ? 0 : 2;
	}
	return utf8_valid(out, (size_t)(to - out)) ? out : NULL;
}

const char *
percent_encode_path(struct arena *a, const char *path)
{
	static const char digits[] = "0123456789ABCDEF";
	char *out = arena_alloc(a, 3 * strlen(path) + 1), *to = out;

	for (const char *p = path; *p != '\0'; p++) {
		unsigned byte = (unsigned char)*p;
		if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
		    (byte >= 'a' && byte <= 'z') || strchr("/-._~!$&'()*+,;=:@", *p) != NULL) {
			*to++ = *p;
			continue;
		}
		*to++ = '%';
		*to++ = digits[byte >> 4];
		*to++ = digits[byte & 15];
	}
	*to = '\0';
	return out;
}

/* ---- base64url */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

char *
base64_encode(struct arena *a, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	char *text = arena_alloc(a, len / 3 * 4 + 5);
	uint32_t bits = 0;
	int count = 0;
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		bits = bits << 8 | p[i];
		count += 8;
		while (count >= 6) {
			count -= 6;
			text[n++] = alphabet[bits >> count & 63];
		}
	}
	if (count > 0)
		text[n++] = alphabet[bits << (6 - count) & 63];
	return text;
}

unsigned char *
base64_decode(struct arena *a, const char *text, size_t *len)
{
	size_t chars = strlen(text);
	unsigned char *out = arena_alloc(a, chars / 4 * 3 + 3);
	uint32_t bits = 0;
	int count = 0;

	*len = 0;
	if (chars % 4 == 1)
		return NULL;
	for (size_t i = 0; i < chars; i++) {
		const char *at = strchr(alphabet, text[i]);
		if (at == NULL)
			return NULL;
		bits = bits << 6 | (uint32_t)(at - alphabet);
		count += 6;
		if (count >= 8) {
			count -= 8;
			out[(*len)++] = (unsigned char)(bits >> count & 0xFF);
		}
	}
	if ((bits & ((1U << count) - 1)) != 0)
		return NULL;
	return out;
}

/* ---- whole numbers */

size_t
decimal_format(char out[DECIMAL_TEXT], int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char digits[DECIMAL_TEXT];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		digits[--at] = '-';
	memcpy(out, digits + at, sizeof(digits) - at);
	return sizeof(digits) - 1 - at;
}
