#include "export/head.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "export/html-text.h"
#include "export/jsonld.h"
#include "export/seo.h"

/* Writes a meta element; nothing for a value that is NULL or "". `key` is the
 * attribute with the name: Facebook reads only property, the others read only
 * name. */
static void
meta(struct buf *out, const char *key, const char *name, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	buf_lit(out, "<meta");
	html_text_attribute(out, key, name);
	html_text_attribute(out, "content", value);
	buf_lit(out, ">\n");
}

/* Writes a property whose value is a number. */
static void
meta_int(const struct facts *f, struct buf *out, const char *name, int64_t value)
{
	meta(out, "property", name, arena_printf(f->c->arena, "%lld", (long long)value));
}

/* Writes the elements for search engines. The title is always there; the
 * canonical link only with an address. */
static void
search(const struct facts *f, struct buf *out)
{
	buf_lit(out, "<title>");
	html_text_escape(out, f->title, strlen(f->title));
	buf_lit(out, "</title>\n");
	meta(out, "name", "description", f->description);
	meta(out, "name", "robots", f->robots);
	if (f->canonical == NULL)
		return;
	buf_lit(out, "<link rel=\"canonical\"");
	html_text_attribute(out, "href", f->canonical);
	buf_lit(out, ">\n");
}

/* Writes the Open Graph elements. og:title has no brand. og:url is written only
 * with a canonical address, the picture only with a cover. */
static void
open_graph(const struct facts *f, struct buf *out)
{
	meta(out, "property", "og:type", "article");
	meta(out, "property", "og:title", f->title);
	meta(out, "property", "og:description", f->description);
	meta(out, "property", "og:url", f->canonical);
	meta(out, "property", "og:site_name", f->brand);
	meta(out, "property", "og:locale", f->locale);
	if (f->image.url == NULL)
		return;
	meta(out, "property", "og:image", f->image.url);
	meta(out, "property", "og:image:type", f->image.type);
	if (f->image.width > 0) {
		meta_int(f, out, "og:image:width", f->image.width);
		meta_int(f, out, "og:image:height", f->image.height);
	}
	meta(out, "property", "og:image:alt", f->image.alt);
}

/* Writes the article's elements. article:author is the address of a profile, and
 * is written only with one. Each tag is an element of its own. */
static void
article(const struct facts *f, struct buf *out)
{
	const struct snapshot *snapshot = f->snapshot;

	meta(out, "property", "article:published_time", f->published_time);
	meta(out, "property", "article:modified_time", f->modified_time);
	meta(out, "property", "article:author", f->author_url);
	meta(out, "property", "article:section", snapshot->section);
	for (size_t i = 0; i < snapshot->tag_count; i++)
		meta(out, "property", "article:tag", snapshot->tags[i]);
}

/* Writes the elements of the Twitter card; the picture only with a cover. */
static void
twitter(const struct facts *f, struct buf *out)
{
	meta(out, "name", "twitter:card", seo_twitter_card(f));
	meta(out, "name", "twitter:title", f->title);
	meta(out, "name", "twitter:description", f->description);
	if (f->image.url == NULL)
		return;
	meta(out, "name", "twitter:image", f->image.url);
	meta(out, "name", "twitter:image:alt", f->image.alt);
}

void
head_render(const struct facts *f, const struct html *h, struct buf *out)
{
	search(f, out);
	open_graph(f, out);
	article(f, out);
	twitter(f, out);
	buf_lit(out, "<script type=\"application/ld+json\">");
	jsonld_render(f, h, true, out);
	buf_lit(out, "</script>");
}
