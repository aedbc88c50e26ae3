/* Front matter, YAML or TOML: a table, or a sentence that says what is wrong. */
#include "base/buf.h"
#include "import/markdown/frontmatter.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct front_value root;
	unsigned line;
	struct buf out;
	size_t body;

	if (!fuzz_is_text(text, len) || frontmatter_read(c, text, len, &root, &body, &line) != NULL)
		return;
	MUST(body <= len && line >= 1);
	buf_init(&out, c->arena, 64 * 1024 * 1024);
	frontmatter_json(&out, &root);
	MUST(!buf_full(&out));
}
