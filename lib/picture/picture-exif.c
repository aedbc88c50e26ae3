#include "picture/picture.h"

#include <stdbool.h>

/* Returns a number of an EXIF block, in the byte order that its head names. */
static size_t
number(const unsigned char *p, size_t size, bool little)
{
	size_t value = 0;

	for (size_t i = 0; i < size; i++)
		value = value << 8 | p[little ? size - 1 - i : i];
	return value;
}

int
picture_orientation(const unsigned char *p, size_t len)
{
	const unsigned char *entry;
	bool little;
	size_t at, count;

	if (len < 10)
		return 1;
	little = p[0] == 'I';
	at = number(p + 4, 4, little);
	if (at < 8 || at > len - 2)
		return 1;
	count = number(p + at, 2, little);
	for (size_t i = 0; i < count && len - at - 2 >= (i + 1) * 12; i++) {
		entry = p + at + 2 + i * 12;
		if (number(entry, 2, little) == 0x0112) {
			count = number(entry + 8, 2, little);
			return count >= 1 && count <= 8 ? (int)count : 1;
		}
	}
	return 1;
}
