/* A post's HTML, as another program exported it: any HTML becomes content that can be
 * rendered. */
#include "import/losses.h"
#include "import/markdown/markdown.h"
#include "import/post.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/render.h"

static const struct settings settings = {
	.language = "en", .website = "https://www.example.com", .public_url = ""
};
static const struct post_options options = { .site = "https://e.org" };

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	const struct post post = { .key = "fuzz:1",
		.title = "A title",
		.slug = "a-title",
		.html = text,
		.excerpt = text };
	struct notes notes = { .c = c };
	struct losses losses;
	struct document document;

	if (!fuzz_is_text(text, len))
		return;
	memset(&losses, 0, sizeof(losses));
	losses.c = c;
	if (post_read(c, &post, &settings, &options, &losses, &notes, &document) == NULL)
		render_all(c, &document.snapshot.content);
}
