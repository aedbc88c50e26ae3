#include "base/percent.h"

#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

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
