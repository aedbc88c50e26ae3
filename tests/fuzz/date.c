/* A time that is read is written as the same time. */
#include "base/clock.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	char out[CLOCK_TEXT];
	int64_t at, again;

	(void)c;
	(void)len;
	if (clock_parse_date(text, &at))
		MUST(at >= 0 && at % CLOCK_DAY == 0);
	if (!clock_parse(text, &at))
		return;
	MUST(at >= 0);
	clock_format(out, at);
	MUST(strlen(out) == CLOCK_TEXT - 1 && clock_parse(out, &again) && again == at);
}
