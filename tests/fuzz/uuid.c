/* A UUID is read in one form only, and is then its own canonical form. */
#include "base/uuid.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	char out[UUID_TEXT], again[UUID_TEXT];

	(void)c;
	(void)len;
	if (!uuid_parse(text, out))
		return;
	MUST(strlen(text) == UUID_TEXT - 1 && strlen(out) == UUID_TEXT - 1);
	MUST(uuid_parse(out, again) && strcmp(out, again) == 0);
}
