#include "export/export.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "export/checks.h"
#include "export/facts.h"
#include "export/head.h"
#include "export/html.h"
#include "export/jsonld.h"

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
export_words(struct ctx *c, const struct export_source *source)
{
	struct facts f;
	struct html h;

	facts_init(&f, c, source);
	html_render(&h, &f);
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
