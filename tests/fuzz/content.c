/* Structured content as JSON: content that is read can be written, is then read the
 * same, and can be rendered in every view. */
#include "base/buf.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "content/content.h"
#include "export/export.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/render.h"

static const char *
written(struct ctx *c, const struct content *content)
{
	struct buf out;

	buf_init(&out, c->arena, 32 * 1024 * 1024);
	content_to_json(content, NULL, &out);
	return buf_done(&out);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct content content, again;
	const char *json;
	json_t *root;

	if (jread_parse(c, "content", text, len, &root) != NULL ||
	    content_from_json(c, "content", root, "en", &content) != NULL)
		return;
	content_ids_number(c, &content);
	json = written(c, &content);
	MUST(jread_parse(c, "content", json, strlen(json), &root) == NULL);
	MUST(content_from_json(c, "content", root, "en", &again) == NULL);
	MUST(strcmp(written(c, &again), json) == 0);
	render_all(c, &content);
}
