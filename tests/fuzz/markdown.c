/* A document: imported content is written as a document that is imported as the same
 * content, and can be rendered. */
#include "import/markdown/markdown.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/render.h"

static const struct settings settings = {
	.language = "en", .website = "https://www.example.com", .public_url = ""
};
static const struct document_options options = { .settings = &settings };

static const char *
written(struct ctx *c, const struct document *document)
{
	struct buf out;

	buf_init(&out, c->arena, 64 * 1024 * 1024);
	markdown_write(c, document, &out);
	return buf_done(&out);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct notes notes = { .c = c };
	struct document first, second;
	const char *once;

	if (!fuzz_is_text(text, len) ||
	    markdown_read(c, text, len, &options, &notes, &first) != NULL)
		return;
	once = written(c, &first);
	MUST(markdown_read(c, once, strlen(once), &options, &notes, &second) == NULL);
	MUST(strcmp(written(c, &second), once) == 0);
	render_all(c, &first.snapshot.content);
}
