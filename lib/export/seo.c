#include "export/seo.h"

#include "base/jwrite.h"

/* Pixels: a smaller cover gets the small card (docs/export.md §2). */
enum { LARGE_WIDTH = 300, LARGE_HEIGHT = 157 };

const char *
seo_twitter_card(const struct facts *f)
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
	jwrite_member_text(w, "card", seo_twitter_card(f));
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
