#include "export/head.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "export/html-text.h"
#include "export/jsonld.h"

/* Pixels: a smaller cover gets the small card (docs/export.md §2). */
enum { LARGE_WIDTH = 300, LARGE_HEIGHT = 157 };

/* ---- the seo object */

/* "summary_large_image" where the cover is large enough for it. */
static const char *
twitter_card(const struct facts *f)
{
	return f->image.width >= LARGE_WIDTH && f->image.height >= LARGE_HEIGHT
		   ? "summary_large_image"
		   : "summary";
}

/* Writes the cover as the only image. An empty alternative text is left out. */
static void
open_graph_image(struct jwrite *w, const struct facts_image *image)
{
	if (image->url == NULL)
		return;
	jwrite_member_array(w, "images");
	jwrite_object(w);
	jwrite_member_text(w, "url", image->url);
	if (image->width > 0) {
		jwrite_member_int(w, "width", image->width);
		jwrite_member_int(w, "height", image->height);
	}
	jwrite_member_text_if(w, "alt", image->alt);
	jwrite_member_text_if(w, "type", image->type);
	jwrite_object_end(w);
	jwrite_array_end(w);
}

/* Writes the Open Graph members. A member without a value is left out, and never
 * null (docs/export.md §3). */
static void
open_graph(struct jwrite *w, const struct facts *f)
{
	const struct snapshot *snapshot = f->snapshot;

	jwrite_member_object(w, "openGraph");
	jwrite_member_text(w, "type", "article");
	jwrite_member_text(w, "title", f->title);
	jwrite_member_text_if(w, "description", f->description);
	jwrite_member_text_if(w, "url", f->canonical);
	jwrite_member_text_if(w, "siteName", f->brand);
	jwrite_member_text_if(w, "locale", f->locale);
	open_graph_image(w, &f->image);
	jwrite_member_text_if(w, "publishedTime", f->published_time);
	jwrite_member_text_if(w, "modifiedTime", f->modified_time);
	if (f->author_url != NULL) {
		jwrite_member_array(w, "authors");
		jwrite_text(w, f->author_url);
		jwrite_array_end(w);
	}
	jwrite_member_text_if(w, "section", snapshot->section);
	if (snapshot->tag_count > 0) {
		jwrite_member_array(w, "tags");
		for (size_t i = 0; i < snapshot->tag_count; i++)
			jwrite_text(w, snapshot->tags[i]);
		jwrite_array_end(w);
	}
	jwrite_object_end(w);
}

/* Writes the members of the card. A member without a value is left out, and never
 * null. */
static void
twitter(struct jwrite *w, const struct facts *f)
{
	jwrite_member_object(w, "twitter");
	jwrite_member_text(w, "card", twitter_card(f));
	jwrite_member_text(w, "title", f->title);
	jwrite_member_text_if(w, "description", f->description);
	if (f->image.url != NULL) {
		jwrite_member_array(w, "images");
		jwrite_object(w);
		jwrite_member_text(w, "url", f->image.url);
		jwrite_member_text_if(w, "alt", f->image.alt);
		jwrite_object_end(w);
		jwrite_array_end(w);
	}
	jwrite_object_end(w);
}

void
seo_render(const struct facts *f, struct buf *out)
{
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(&w, "title", f->title);
	jwrite_member_text(&w, "description", f->description);
	jwrite_member_text(&w, "canonical", f->canonical);
	jwrite_member_text(&w, "robots", f->robots);
	jwrite_member_text(&w, "language", f->language);
	open_graph(&w, f);
	twitter(&w, f);
	jwrite_object_end(&w);
}

/* ---- the head's HTML */

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
open_graph_lines(const struct facts *f, struct buf *out)
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
twitter_lines(const struct facts *f, struct buf *out)
{
	meta(out, "name", "twitter:card", twitter_card(f));
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
	open_graph_lines(f, out);
	article(f, out);
	twitter_lines(f, out);
	buf_lit(out, "<script type=\"application/ld+json\">");
	jsonld_render(f, h, true, out);
	buf_lit(out, "</script>");
}
