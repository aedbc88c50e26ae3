/* If-None-Match: any list; what a tag of ours looks like matches in the forms
 * that compression makes of it. */
#include "web/etag.h"
#include "tests/fuzz/fuzz.h"

#define TAG "0123456789abcdef0123456789abcdef"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	bool matches;

	(void)len;
	matches = etag_matches(text, TAG);
	if (strstr(text, TAG) == NULL && strchr(text, '*') == NULL)
		MUST(!matches);
	/* A list goes on behind what it begins with. */
	MUST(etag_matches(arena_printf(c->arena, "\"" TAG "-gzip\", %s", text),
	    TAG));
}
