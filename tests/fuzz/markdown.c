/* A document: imported content is written as a document that is imported as the same
 * content, and can be rendered. And the blocks of it as a text (blocks.h): each line is in one of
 * them at most. */
#include <jansson.h>

#include "import/markdown/blocks.h"
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

static json_int_t
line_of(const json_t *block, const char *name)
{
	const json_t *line = json_object_get(block, name);

	MUST(json_is_integer(line));
	return json_integer_value(line);
}

static void
read_blocks(struct ctx *c, const char *text)
{
	struct snapshot base = { .title = "T", .slug = "t", .language = "en" };
	const struct blocks_asked asked = { .settings = &settings, .base = &base, .title = "T" };
	json_int_t line = 0, lines = 1;
	json_t *root, *blocks;
	struct buf out;

	content_init(&base.content, "en");
	buf_init(&out, c->arena, 256 * 1024 * 1024);
	if (strchr(text, '\r') != NULL || blocks_write(c, &asked, text, &out) != NULL)
		return;
	for (const char *p = text; *p != '\0'; p++)
		lines += *p == '\n';
	root = json_loads(buf_done(&out), JSON_REJECT_DUPLICATES, NULL);
	MUST(root != NULL);
	blocks = json_object_get(root, "blocks");
	for (size_t i = 0; i < json_array_size(blocks); i++) {
		const json_t *block = json_array_get(blocks, i);
		MUST(line_of(block, "first") > line);
		MUST(line_of(block, "last") >= line_of(block, "first"));
		line = line_of(block, "last");
		MUST(line <= lines);
	}
	json_decref(root);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct notes notes = { .c = c };
	struct document first, second;
	const char *once;

	if (!fuzz_is_text(text, len))
		return;
	read_blocks(c, text);
	if (markdown_read(c, text, len, &options, &notes, &first) != NULL)
		return;
	once = written(c, &first);
	MUST(markdown_read(c, once, strlen(once), &options, &notes, &second) == NULL);
	MUST(strcmp(written(c, &second), once) == 0);
	render_all(c, &first.snapshot.content);
}
