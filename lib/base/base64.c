#include "base/base64.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

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
