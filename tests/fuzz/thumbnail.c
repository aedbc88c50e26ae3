/* A picture has a thumbnail, which is a small still picture without metadata, or a reason. */
#include "content/thumbnail.h"
#include "content/picture-clean.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct picture_clean of;
	const void *made;
	const char *why;
	size_t made_len;

	why = thumbnail_make(c, text, len, &made, &made_len);
	if (why != NULL)
		return;
	MUST(made_len <= THUMBNAIL_BYTES_MAX);
	MUST(picture_clean(c, made, made_len, &of) == NULL);
	MUST(!of.changed && strcmp(of.is.extension, "webp") == 0);
	MUST(of.is.width <= THUMBNAIL_WIDTH && of.is.height <= 3 * THUMBNAIL_WIDTH / 2);
}
