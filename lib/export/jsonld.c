#include "export/jsonld.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "export/jsonld-parts.h"

#define HEADLINE_MAX 110 /* code points */

/* Writes the publisher's logo, if it has an address. */
static void
logo(struct jsonld *j)
{
	struct jwrite *w = &j->w;
	const char *url = j->facts->settings->publisher_logo_url;

	if (url == NULL)
		return;
	jwrite_member_object(w, "logo");
	jwrite_member_text(w, "@type", "ImageObject");
	jsonld_parts_id(j, j->facts->site_base, "#logo");
	jwrite_member_text(w, "url", url);
	jwrite_member_text(w, "contentUrl", url);
	jwrite_member_text_if(w, "caption", j->facts->brand);
	jwrite_object_end(w);
}

/* Writes the members of the publisher, without brackets: the node and the copies
 * of it in the article begin alike. */
static void
publisher(struct jsonld *j)
{
	jwrite_member_text(&j->w, "@type", "Organization");
	jsonld_parts_id(j, j->facts->site_base, "#organization");
	jwrite_member_text_if(&j->w, "name", j->facts->brand);
	jwrite_member_text_if(&j->w, "url", j->facts->site);
}

/* Writes the author: a Person, or the publisher if the author is the brand. */
static void
author(struct jsonld *j)
{
	if (j->facts->author_is_brand) {
		publisher(j);
		return;
	}
	jwrite_member_text(&j->w, "@type", "Person");
	jsonld_parts_id(j, j->facts->base, "#author");
	jwrite_member_text(&j->w, "name", j->facts->author);
	jwrite_member_text_if(&j->w, "url", j->facts->author_url);
}

/* Writes the node of the publisher, and one of the author if the author is not
 * the brand. */
static void
people(struct jsonld *j)
{
	jwrite_object(&j->w);
	publisher(j);
	logo(j);
	jwrite_object_end(&j->w);
	if (j->facts->author_is_brand)
		return;
	jwrite_object(&j->w);
	author(j);
	jwrite_object_end(&j->w);
}

/* Writes the WebSite, if the workspace has a website. */
static void
website(struct jsonld *j)
{
	const struct facts *f = j->facts;

	if (f->site == NULL)
		return;
	jwrite_object(&j->w);
	jwrite_member_text(&j->w, "@type", "WebSite");
	jsonld_parts_id(j, f->site, "#website");
	jwrite_member_text(&j->w, "url", f->site);
	jwrite_member_text_if(&j->w, "name", f->brand);
	jsonld_parts_ref(j, "publisher", f->site, "#organization");
	jwrite_member_text(&j->w, "inLanguage", f->settings->language);
	jwrite_object_end(&j->w);
}

/* Writes the cover as an ImageObject. A generated picture says so
 * (digitalSourceType). */
static void
image(struct jsonld *j)
{
	const struct facts_image *image = &j->facts->image;
	struct jwrite *w = &j->w;

	if (image->url == NULL)
		return;
	jwrite_object(w);
	jwrite_member_text(w, "@type", "ImageObject");
	jsonld_parts_id(j, j->facts->base, "#primaryimage");
	jwrite_member_text(w, "url", image->url);
	jwrite_member_text(w, "contentUrl", image->url);
	if (image->width > 0) {
		jwrite_member_int(w, "width", image->width);
		jwrite_member_int(w, "height", image->height);
	}
	jwrite_member_text_if(w, "caption", jsonld_parts_plain(j, image->caption));
	jwrite_member_text(w, "inLanguage", j->facts->language);
	if (image->generated)
		jwrite_member_text(w, "digitalSourceType",
		    "https://schema.org/TrainedAlgorithmicMediaDigitalSource");
	jwrite_object_end(w);
}

static void
dates(struct jsonld *j)
{
	jwrite_member_text_if(&j->w, "datePublished", j->facts->published_time);
	jwrite_member_text_if(&j->w, "dateModified", j->facts->modified_time);
}

/* Writes the type of the page: it is an FAQPage, too, if it has questions. */
static void
page_type(struct jsonld *j)
{
	if (j->question_count == 0) {
		jwrite_member_text(&j->w, "@type", "WebPage");
		return;
	}
	jwrite_member_array(&j->w, "@type");
	jwrite_text(&j->w, "WebPage");
	jwrite_text(&j->w, "FAQPage");
	jwrite_array_end(&j->w);
}

/* There is a breadcrumb if the page has an address and the workspace a website. */
static bool
has_breadcrumb(const struct facts *f)
{
	return f->canonical != NULL && f->site != NULL;
}

static void
page(struct jsonld *j)
{
	const struct facts *f = j->facts;
	struct jwrite *w = &j->w;

	jwrite_object(w);
	page_type(j);
	jsonld_parts_id(j, f->base, "#webpage");
	jwrite_member_text_if(w, "url", f->canonical);
	jwrite_member_text(w, "name", f->title);
	jwrite_member_text_if(w, "description", f->description);
	if (f->canonical != NULL && f->site != NULL)
		jsonld_parts_ref(j, "isPartOf", f->site, "#website");
	if (f->image.url != NULL)
		jsonld_parts_ref(j, "primaryImageOfPage", f->base, "#primaryimage");
	dates(j);
	if (has_breadcrumb(f))
		jsonld_parts_ref(j, "breadcrumb", f->base, "#breadcrumb");
	jwrite_member_text(w, "inLanguage", f->language);
	jsonld_parts_main_entity(j);
	jwrite_object_end(w);
}

static void
crumb(struct jsonld *j, int64_t position, const char *name, const char *item)
{
	jwrite_object(&j->w);
	jwrite_member_text(&j->w, "@type", "ListItem");
	jwrite_member_int(&j->w, "position", position);
	jwrite_member_text(&j->w, "name", name);
	jwrite_member_text_if(&j->w, "item", item);
	jwrite_object_end(&j->w);
}

/* Writes the breadcrumb: the website, then the article. */
static void
breadcrumb(struct jsonld *j)
{
	const struct facts *f = j->facts;

	if (!has_breadcrumb(f))
		return;
	jwrite_object(&j->w);
	jwrite_member_text(&j->w, "@type", "BreadcrumbList");
	jsonld_parts_id(j, f->base, "#breadcrumb");
	jwrite_member_array(&j->w, "itemListElement");
	crumb(j, 1, f->brand, f->site);
	crumb(j, 2, f->heading, NULL);
	jwrite_array_end(&j->w);
	jwrite_object_end(&j->w);
}

static void
keywords(struct jsonld *j)
{
	const struct snapshot *snapshot = j->facts->snapshot;

	if (snapshot->tag_count == 0)
		return;
	jwrite_member_array(&j->w, "keywords");
	for (size_t i = 0; i < snapshot->tag_count; i++)
		jwrite_text(&j->w, snapshot->tags[i]);
	jwrite_array_end(&j->w);
}

static void
posting_people(struct jsonld *j)
{
	jwrite_member_object(&j->w, "author");
	author(j);
	jwrite_object_end(&j->w);
	jwrite_member_object(&j->w, "publisher");
	publisher(j);
	jwrite_object_end(&j->w);
}

/* Writes the counts. Each CJK character counts as a word; the minutes are an ISO
 * 8601 duration. */
static void
posting_counts(struct jsonld *j)
{
	const struct html *h = j->html;

	jwrite_member_int(&j->w, "wordCount", (int64_t)(h->words + h->cjk));
	jwrite_member_text(&j->w, "timeRequired",
	    arena_printf(j->facts->c->arena, "PT%lldM", (long long)html_reading_minutes(h)));
}

/* Writes the BlogPosting. That of a draft has creativeWorkStatus "Draft". */
static void
posting(struct jsonld *j)
{
	const struct facts *f = j->facts;
	struct jwrite *w = &j->w;

	jwrite_object(w);
	jwrite_member_text(w, "@type", "BlogPosting");
	jsonld_parts_id(j, f->base, "#article");
	jwrite_member_text(w, "headline", facts_cut(f->c, f->heading, HEADLINE_MAX));
	jwrite_member_text_if(w, "description", f->description);
	if (f->image.url != NULL) {
		jwrite_member_array(w, "image");
		jsonld_parts_ref(j, NULL, f->base, "#primaryimage");
		jwrite_array_end(w);
	}
	dates(j);
	if (!f->source->published)
		jwrite_member_text(w, "creativeWorkStatus", "Draft");
	posting_people(j);
	jsonld_parts_ref(j, "mainEntityOfPage", f->base, "#webpage");
	jsonld_parts_ref(j, "isPartOf", f->base, "#webpage");
	jwrite_member_text(w, "inLanguage", f->language);
	posting_counts(j);
	jwrite_member_text_if(w, "articleSection", f->snapshot->section);
	keywords(j);
	jsonld_parts_citations(j);
	jwrite_member_bool(w, "isAccessibleForFree", true);
	jwrite_object_end(w);
}

void
jsonld_render(const struct facts *f, const struct html *h, bool html_safe, struct buf *out)
{
	struct jsonld j;

	jsonld_parts_init(&j, f, h, out);
	j.w.html_safe = html_safe;
	jwrite_object(&j.w);
	jwrite_member_text(&j.w, "@context", "https://schema.org");
	jwrite_member_array(&j.w, "@graph");
	people(&j);
	website(&j);
	image(&j);
	page(&j);
	breadcrumb(&j);
	posting(&j);
	jsonld_parts_questions(&j);
	jsonld_parts_how_tos(&j);
	jwrite_array_end(&j.w);
	jwrite_object_end(&j.w);
}
