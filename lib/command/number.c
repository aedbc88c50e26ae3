#include "command/number.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "command/call.h"

#define DIGITS_MAX 10

struct err *
number_read(struct ctx *c, const char *word, const char *what, int64_t *out)
{
	size_t len = strlen(word);

	*out = 0;
	if (len == 0 || len > DIGITS_MAX || strspn(word, "0123456789") != len)
		return call_usage(c, "%s is no %s.", word, what);
	*out = strtoll(word, NULL, 10);
	return NULL;
}

bool
number_span(const char *word, int64_t *out)
{
	static const struct {
		const char *unit;
		int64_t length;
	} units[] = { { "h", CLOCK_DAY / 24 }, { "d", CLOCK_DAY },
		{ "w", 7 * CLOCK_DAY } };
	size_t digits = strspn(word, "0123456789");

	if (digits == 0 || digits > 6)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(word + digits, units[i].unit) != 0)
			continue;
		*out = strtoll(word, NULL, 10) * units[i].length;
		return *out > 0 && *out <= 100 * 366 * CLOCK_DAY;
	}
	return false;
}
