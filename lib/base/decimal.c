#include "base/decimal.h"

#include <string.h>

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
