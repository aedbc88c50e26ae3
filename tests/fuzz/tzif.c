/* A time zone's file of any bytes is refused, or every local time that it has leads back to
 * itself. */
#include "system/zone.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	static const int64_t times[] = { INT64_C(-5000000000), -1, 0, 1711846800, 1729990800,
		4102444800, INT64_C(253402300799) };
	struct tzif z;
	int64_t at;

	(void)c;
	if (!tzif_read((const unsigned char *)text, len, &z))
		return;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		int32_t offset = tzif_offset(&z, times[i]);
		MUST(offset > -170 * 3600 && offset < 170 * 3600);
		MUST(tzif_find(&z, times[i] + offset, &at) > 0);
		MUST(at <= times[i] && at + tzif_offset(&z, at) == times[i] + offset);
	}
}
