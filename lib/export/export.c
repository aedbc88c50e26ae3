#include "export/export.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "export/checks.h"
#include "export/facts.h"
#include "export/html-text.h"
#include "export/html.h"
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

/* Writes the seo object (docs/export.md §3, docs/contract.md §2.2). Members of openGraph and
 * twitter without a value are left out. */
static void
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

/*
 * Writes the head fragment (docs/export.md §2): title, meta, canonical, social tags and the
 * structured data, one element a line. Charset, viewport, icons and alternate
 * links belong to the site. Every value of seo is here.
 */
static void
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

/* ---- views, and the whole object */

#define RENDER_MAX ((size_t)512 * 1024 * 1024) /* bytes, for one article */

/* Accepts a finished part. A part that reached its ceiling makes `out` full, so
 * that a cut part is never used as a whole one. */
static bool
is_whole(const struct buf *part, struct buf *out)
{
	if (buf_full(part))
		out->full = true;
	return !buf_full(part);
}

void
export_html(struct ctx *c, const struct export_source *source, struct buf *out)
{
	struct facts f;
	struct html h;

	facts_init(&f, c, source);
	html_render(&h, &f);
	if (is_whole(&h.out, out))
		buf_add(out, h.out.data, h.out.len);
}

void
export_head(struct ctx *c, const struct export_source *source, struct buf *out)
{
	struct facts f;
	struct html h;

	facts_init(&f, c, source);
	html_render(&h, &f);
	head_render(&f, &h, out);
}

size_t
export_words(struct ctx *c, const struct export_source *source, int64_t *minutes)
{
	struct facts f;
	struct html h;

	facts_init(&f, c, source);
	html_render(&h, &f);
	*minutes = html_reading_minutes(&h);
	return h.words + h.cjk;
}

void
export_seo(struct ctx *c, const struct export_source *source, struct buf *out)
{
	struct facts f;

	facts_init(&f, c, source);
	seo_render(&f, out);
}

void
export_json_ld(struct ctx *c, const struct export_source *source, struct buf *out)
{
	struct facts f;
	struct html h;

	facts_init(&f, c, source);
	html_render(&h, &f);
	jsonld_render(&f, &h, false, out);
}

/* Writes the members that name the article and its state. The version of a draft
 * that was never published is null. */
static void
identity(struct jwrite *w, const struct facts *f)
{
	const struct export_source *source = f->source;

	jwrite_member_text(w, "id", source->id);
	jwrite_member_text(w, "schema_version", EXPORT_SCHEMA_VERSION);
	jwrite_member_text(w, "revision", source->revision);
	if (source->version > 0)
		jwrite_member_int(w, "version", source->version);
	else
		jwrite_member_null(w, "version");
	jwrite_member_text(w, "status", source->published ? "published" : "draft");
	jwrite_member_text(w, "slug", f->snapshot->slug);
	jwrite_member_text(w, "title", f->snapshot->title);
}

/* Tells `w` that another writer wrote a value into its buffer. */
static void
written(struct jwrite *w)
{
	w->comma = true;
}

/* Writes the views in the order of the contract: html, head_html, content, seo,
 * json_ld. */
static void
views(struct jwrite *w, const struct facts *f, const struct html *h)
{
	struct ctx *c = f->c;
	struct buf head;

	jwrite_member_text(w, "html", h->out.data);
	buf_init(&head, c->arena, EXPORT_BYTES_MAX);
	head_render(f, h, &head);
	if (!is_whole(&head, w->out))
		return;
	jwrite_member_text(w, "head_html", head.data);
	jwrite_name(w, "content");
	content_to_json(f->content, export_media_address(c, f->settings, "media:"), w->out);
	written(w);
	jwrite_name(w, "seo");
	seo_render(f, w->out);
	written(w);
	jwrite_name(w, "json_ld");
	jsonld_render(f, h, false, w->out);
	written(w);
}

/* Writes the label and the result of each check. Reasons are never exported. */
static void
checks(struct jwrite *w, const struct facts *f, const struct html *h)
{
	struct export_check list[EXPORT_CHECKS];

	checks_run(f, h, list);
	jwrite_member_array(w, "publishing_checks");
	for (size_t i = 0; i < EXPORT_CHECKS; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "label", list[i].label);
		jwrite_member_bool(w, "passed", list[i].passed);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

/* Writes the cover. Width and height are both numbers, or both null. */
static void
image(struct jwrite *w, const struct facts_image *image)
{
	jwrite_member_text(w, "image_url", image->url);
	if (image->width > 0) {
		jwrite_member_int(w, "image_width", image->width);
		jwrite_member_int(w, "image_height", image->height);
	} else {
		jwrite_member_null(w, "image_width");
		jwrite_member_null(w, "image_height");
	}
}

static void
render(struct ctx *c, const struct export_source *source, struct buf *out)
{
	struct facts f;
	struct html h;
	struct jwrite w;

	facts_init(&f, c, source);
	html_render(&h, &f);
	if (!is_whole(&h.out, out))
		return;
	jwrite_init(&w, out);
	jwrite_object(&w);
	identity(&w, &f);
	views(&w, &f, &h);
	checks(&w, &f, &h);
	jwrite_member_int(&w, "reading_minutes", html_reading_minutes(&h));
	image(&w, &f.image);
	jwrite_object_end(&w);
}

/* A page may render a hundred articles in one request: at its end, each rendering
 * frees all memory but that of its bytes. */
void
export_render(struct ctx *c, const struct export_source *source, struct buf *out)
{
	struct arena scratch;
	struct ctx own = *c;

	arena_init(&scratch, RENDER_MAX);
	own.arena = &scratch;
	render(&own, source, out);
	arena_release(&scratch);
}

void
export_checks(
    struct ctx *c, const struct export_source *source, struct export_check checks[EXPORT_CHECKS])
{
	struct facts f;
	struct html h;

	facts_init(&f, c, source);
	html_render(&h, &f);
	checks_run(&f, &h, checks);
}
