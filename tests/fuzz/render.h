#ifndef TESTS_FUZZ_RENDER_H
#define TESTS_FUZZ_RENDER_H
/* All views of a piece of content: valid UTF-8, with balanced tags. */
#include "base/buf.h"
#include "base/utf8.h"
#include "export/export.h"
#include "tests/fuzz/fuzz.h"

/* As many elements end as begin: input never becomes markup. */
static void
check_balance(const char *html)
{
	static const char *const names[] = { "article", "section", "p", "a", "li", "table",
		"strong", "em", "code", "h2", "figure", "script" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char begin[16], end[16];
		int open = 0;
		int len = snprintf(begin, sizeof(begin), "<%s", names[i]);
		snprintf(end, sizeof(end), "</%s>", names[i]);
		for (const char *p = html; (p = strstr(p, begin)) != NULL; p++)
			open += p[len] == '>' || p[len] == ' ';
		for (const char *p = html; (p = strstr(p, end)) != NULL; p++)
			open--;
		MUST(open == 0);
	}
}

static void
render_all(struct ctx *c, const struct content *content)
{
	static const struct settings settings = { .language = "en",
		.website = "https://www.example.com",
		.public_url = "",
		.publisher_name = "Example" };
	struct snapshot s = {
		.title = "A title", .slug = "a-title", .language = "en", .content = *content
	};
	struct export_source source = { .published = true,
		.version = 1,
		.id = "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55",
		.published_at = 1,
		.modified_at = 1,
		.snapshot = &s,
		.revision = "x1_00000000000000000000000000000000",
		.settings = &settings };
	struct export_check checks[EXPORT_CHECKS];
	struct buf out;

	buf_init(&out, c->arena, 128 * 1024 * 1024);
	export_html(c, &source, &out);
	check_balance(buf_done(&out));
	export_render(c, &source, &out);
	MUST(utf8_valid(buf_done(&out), out.len));
	export_checks(c, &source, checks);
}

#endif
