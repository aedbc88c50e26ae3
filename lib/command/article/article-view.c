#include "command/article/article-view.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "command/call.h"
#include "content/lang.h"
#include "import/markdown/markdown.h"
#include "system/instance.h"
#include "terminal/terminal.h"

#define STYLE_MAX ((size_t)1 << 20)

const char article_view_forms[] = "page, head, html, markdown, json or jsonld";

/* The style of what is around the article, which has no look of its own there. */
static const char page_style[] =
    ":root { color-scheme: light dark; background: Canvas; }\n"
    "body { margin: 0; padding: 1.5rem 1rem; font-family: system-ui, sans-serif; }\n";

/* Returns the instance's own stylesheet, to which its customers' sites may link. */
static const char *
article_style(struct ctx *c)
{
	const char *path = arena_printf(c->arena, "%s/htdocs/article.css", c->instance->programs);
	const char *style = fileio_read(c->arena, path, STYLE_MAX, NULL);

	if (style != NULL)
		return style;
	note_say("%s: %s. The page has no style.", path, strerror(errno));
	return "";
}

/* Writes a page that needs no other file, so that it can be opened from a disk. */
static void
write_page(struct ctx *c, const struct look *v, struct buf *out)
{
	const char *language = v->source->snapshot->language;

	buf_printf(out,
	    "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\">\n"
	    "<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
	    language, lang_is_rtl(language) ? "rtl" : "ltr");
	export_head(c, v->source, out);
	buf_printf(
	    out, "<style>\n%s%s</style>\n</head>\n<body>\n<main>\n", page_style, article_style(c));
	export_html(c, v->source, out);
	buf_lit(out, "\n</main>\n</body>\n</html>\n");
}

static void
write_head(struct ctx *c, const struct look *v, struct buf *out)
{
	export_head(c, v->source, out);
}

static void
write_html(struct ctx *c, const struct look *v, struct buf *out)
{
	export_html(c, v->source, out);
}

static void
write_markdown(struct ctx *c, const struct look *v, struct buf *out)
{
	markdown_write_article(c, v->article, v->source->snapshot, out);
}

static void
write_json(struct ctx *c, const struct look *v, struct buf *out)
{
	export_render(c, v->source, out);
}

static void
write_jsonld(struct ctx *c, const struct look *v, struct buf *out)
{
	export_json_ld(c, v->source, out);
}

static const struct {
	const char *name;
	void (*write)(struct ctx *c, const struct look *v, struct buf *out);
	bool json;
} forms[] = {
	{ "page", write_page, false },
	{ "head", write_head, false },
	{ "html", write_html, false },
	{ "markdown", write_markdown, false },
	{ "json", write_json, true },
	{ "jsonld", write_jsonld, true },
};

bool
article_view_write(
    struct ctx *c, const struct look *v, const char *form, struct buf *out, bool *json)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(form, forms[i].name) != 0)
			continue;
		forms[i].write(c, v, out);
		*json = forms[i].json;
		return true;
	}
	return false;
}
