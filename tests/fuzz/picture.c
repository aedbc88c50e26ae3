/* Image headers: only what a browser could show is believed. */
#include "content/picture-format.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct picture p;

	if (picture_read(c, text, len, &p) == NULL)
		MUST(p.width > 0 && p.height > 0 && p.type != NULL && p.extension != NULL);
}
