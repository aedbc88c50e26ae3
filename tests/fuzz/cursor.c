/* Only what was made by us is a cursor; any text comes back from one. */
#include "web/cursor.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	const char *decoded, *made;

	fuzz_instance(c);
	decoded = cursor_decode(c, text);
	if (decoded != NULL)
		MUST(strcmp(cursor_encode(c, decoded), text) == 0);
	if (len > 1000 || !fuzz_is_text(text, len))
		return;
	made = cursor_encode(c, text);
	MUST(strcmp(cursor_decode(c, made), text) == 0);
}
