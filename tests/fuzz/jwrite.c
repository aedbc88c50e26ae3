/* Our JSON writer against jansson's reader: every text comes back. */
#include <jansson.h>

#include "base/buf.h"
#include "base/jwrite.h"
#include "tests/fuzz/fuzz.h"

static void
comes_back(struct ctx *c, const char *text, size_t len, bool html_safe)
{
	struct jwrite w;
	json_t *read;
	struct buf out;

	buf_init(&out, c->arena, 16 * len + 1024);
	jwrite_init(&w, &out);
	w.html_safe = html_safe;
	jwrite_object(&w);
	jwrite_member_text(&w, "text", text);
	jwrite_member_array(&w, "list");
	jwrite_int(&w, (int64_t)len);
	jwrite_text(&w, text);
	jwrite_array_end(&w);
	jwrite_object_end(&w);
	if (html_safe)
		MUST(strpbrk(buf_done(&out), "<>&") == NULL);
	read = json_loads(buf_done(&out), JSON_REJECT_DUPLICATES, NULL);
	MUST(read != NULL);
	MUST(strcmp(json_string_value(json_object_get(read, "text")), text) == 0);
	MUST(
	    strcmp(json_string_value(json_array_get(json_object_get(read, "list"), 1)), text) == 0);
	json_decref(read);
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	if (!fuzz_is_text(text, len))
		return;
	comes_back(c, text, len, false);
	comes_back(c, text, len, true);
}
