/* If-None-Match: any list; a tag in our form matches in all forms that compression
 * makes of it. */
#include "tests/fuzz/fuzz.h"
#include "web/reply.h"

#define TAG "0123456789abcdef0123456789abcdef"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	bool matches;

	(void)len;
	matches = etag_matches(text, TAG);
	if (strstr(text, TAG) == NULL && strchr(text, '*') == NULL)
		MUST(!matches);
	/* A match at the beginning of a list also holds when the list goes on. */
	MUST(etag_matches(arena_printf(c->arena, "\"" TAG "-gzip\", %s", text), TAG));
}
