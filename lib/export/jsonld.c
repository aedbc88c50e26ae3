#include "export/jsonld.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "content/inline.h"
#include "export/facts.h"
#include "export/html-text.h"

struct jsonld_question {
	const char *id; /* of the question in content: "q1" */
	const char *name;
	const char *answer;
};

struct jsonld {
	struct jwrite w;
	const struct facts *facts;
	const struct html *html;
	/* Those with both a question and an answer, as plain text. */
	struct jsonld_question *questions;
	size_t question_count;
};

/* ---- names of nodes; questions, how-tos and citations, which come from content */

#define STEPS_MIN 2 /* a HowTo needs so many steps, docs/export.md §4 */

/* Returns a text without marks; NULL for NULL and for a text that shows nothing. */
static const char *
plain_text(struct jsonld *j, const char *text)
{
	if (text == NULL)
		return NULL;
	text = inline_plain(j->facts->c->arena, text);
	return invisible_text(text, strlen(text)) ? NULL : text;
}

static void
begin(struct jsonld *j, const struct facts *f, const struct html *h, struct buf *out)
{
	const struct content *content = f->content;

	memset(j, 0, sizeof(*j));
	jwrite_init(&j->w, out);
	j->facts = f;
	j->html = h;
	j->questions = arena_array(f->c->arena, content->faq_count, sizeof(*j->questions));
	for (size_t i = 0; i < content->faq_count; i++) {
		struct jsonld_question *q = &j->questions[j->question_count];

		q->id = content->faqs[i].id;
		q->name = plain_text(j, content->faqs[i].question);
		q->answer = plain_text(j, content->faqs[i].answer);
		if (q->name != NULL && q->answer != NULL)
			j->question_count++;
	}
}

static const char *
join(struct jsonld *j, const char *base, const char *fragment)
{
	return arena_printf(j->facts->c->arena, "%s%s", base, fragment);
}

/* "@id": base + fragment */
static void
node_id(struct jsonld *j, const char *base, const char *fragment)
{
	jwrite_member_text(&j->w, "@id", join(j, base, fragment));
}

/* `name`: {"@id": base + fragment}; without a name, as an element. */
static void
node_ref(struct jsonld *j, const char *name, const char *base, const char *fragment)
{
	if (name != NULL)
		jwrite_name(&j->w, name);
	jwrite_object(&j->w);
	node_id(j, base, fragment);
	jwrite_object_end(&j->w);
}

/* Returns "#prefix-id", the place of an element in html. */
static const char *
place(struct jsonld *j, const char *id)
{
	return arena_printf(j->facts->c->arena, "#%s-%s", j->facts->prefix, id);
}

/* Writes the address of a place. There is one only on a page that has an address. */
static void
place_url(struct jsonld *j, const char *id)
{
	if (j->facts->canonical != NULL)
		jwrite_member_text(&j->w, "url", join(j, j->facts->canonical, place(j, id)));
}

/* Write the page's mainEntity, the article's citation, the Question and the HowTo nodes;
 * nothing where there are none. */
static void
main_entity(struct jsonld *j)
{
	if (j->question_count == 0)
		return;
	jwrite_member_array(&j->w, "mainEntity");
	for (size_t i = 0; i < j->question_count; i++)
		node_ref(j, NULL, j->facts->base, place(j, j->questions[i].id));
	jwrite_array_end(&j->w);
}

/* Writes a reference as a CreativeWork with the members that are known. Its date
 * is as given. */
static void
citation(struct jsonld *j, const struct reference *r)
{
	jwrite_object(&j->w);
	jwrite_member_text(&j->w, "@type", "CreativeWork");
	jwrite_member_text_if(&j->w, "name", r->title);
	jwrite_member_text_if(&j->w, "url", r->url);
	if (r->publisher != NULL && r->publisher[0] != '\0') {
		jwrite_member_object(&j->w, "publisher");
		jwrite_member_text(&j->w, "@type", "Organization");
		jwrite_member_text(&j->w, "name", r->publisher);
		jwrite_object_end(&j->w);
	}
	jwrite_member_text_if(&j->w, "datePublished", r->published);
	jwrite_object_end(&j->w);
}

static void
citations(struct jsonld *j)
{
	if (j->html->cited_count == 0)
		return;
	jwrite_member_array(&j->w, "citation");
	for (size_t i = 0; i < j->html->cited_count; i++)
		citation(j, j->html->cited[i]);
	jwrite_array_end(&j->w);
}

/* Writes a Question with one accepted answer. */
static void
question(struct jsonld *j, size_t i)
{
	const struct jsonld_question *q = &j->questions[i];
	struct jwrite *w = &j->w;

	jwrite_object(w);
	jwrite_member_text(w, "@type", "Question");
	node_id(j, j->facts->base, place(j, q->id));
	place_url(j, q->id);
	jwrite_member_text(w, "name", q->name);
	jwrite_member_int(w, "position", (int64_t)i + 1);
	jwrite_member_int(w, "answerCount", 1);
	jwrite_member_object(w, "acceptedAnswer");
	jwrite_member_text(w, "@type", "Answer");
	jwrite_member_text(w, "text", q->answer);
	jwrite_member_text(w, "inLanguage", j->facts->language);
	jwrite_object_end(w);
	jwrite_member_text(w, "inLanguage", j->facts->language);
	jwrite_object_end(w);
}

static void
question_nodes(struct jsonld *j)
{
	for (size_t i = 0; i < j->question_count; i++)
		question(j, i);
}

/* A step shows something if its name or its text does. */
static bool
step_shows(struct jsonld *j, const struct step *step)
{
	return plain_text(j, step->name) != NULL || plain_text(j, step->text) != NULL;
}

/* Writes the steps. Positions count the steps that show something; addresses keep
 * the step's own number. */
static void
how_to_steps(struct jsonld *j, const struct section *section)
{
	struct arena *a = j->facts->c->arena;
	int64_t position = 0;

	jwrite_member_array(&j->w, "step");
	for (size_t i = 0; i < section->step_count; i++) {
		const struct step *step = &section->steps[i];

		if (!step_shows(j, step))
			continue;
		jwrite_object(&j->w);
		jwrite_member_text(&j->w, "@type", "HowToStep");
		jwrite_member_int(&j->w, "position", ++position);
		jwrite_member_text_if(&j->w, "name", plain_text(j, step->name));
		jwrite_member_text_if(&j->w, "text", plain_text(j, step->text));
		place_url(j, arena_printf(a, "%s-step%zu", section->id, i + 1));
		jwrite_object_end(&j->w);
	}
	jwrite_array_end(&j->w);
}

/* Writes a HowTo. Its name is the section's heading, or the article's title if
 * the section has none. */
static void
how_to(struct jsonld *j, const struct section *section, size_t number)
{
	const char *name = plain_text(j, section->heading);

	jwrite_object(&j->w);
	jwrite_member_text(&j->w, "@type", "HowTo");
	node_id(j, j->facts->base, arena_printf(j->facts->c->arena, "#howto-%zu", number));
	jwrite_member_text(&j->w, "name", name != NULL ? name : j->facts->heading);
	how_to_steps(j, section);
	jwrite_member_text(&j->w, "inLanguage", j->facts->language);
	node_ref(j, "mainEntityOfPage", j->facts->base, "#webpage");
	jwrite_object_end(&j->w);
}

/* Writes a HowTo for each section with two or more steps that show something.
 * Subsections follow their section. */
static void
how_tos(struct jsonld *j, const struct section *sections, size_t count, size_t *number)
{
	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];
		size_t shown = 0;

		for (size_t k = 0; k < s->step_count; k++)
			shown += step_shows(j, &s->steps[k]);
		if (shown >= STEPS_MIN)
			how_to(j, s, ++*number);
		how_tos(j, s->subsections, s->subsection_count, number);
	}
}

static void
how_to_nodes(struct jsonld *j)
{
	size_t number = 0;

	how_tos(j, j->facts->content->sections, j->facts->content->section_count, &number);
}

/* ---- the graph */

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
	node_id(j, j->facts->site_base, "#logo");
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
	node_id(j, j->facts->site_base, "#organization");
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
	node_id(j, j->facts->base, "#author");
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
	node_id(j, f->site, "#website");
	jwrite_member_text(&j->w, "url", f->site);
	jwrite_member_text_if(&j->w, "name", f->brand);
	node_ref(j, "publisher", f->site, "#organization");
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
	node_id(j, j->facts->base, "#primaryimage");
	jwrite_member_text(w, "url", image->url);
	jwrite_member_text(w, "contentUrl", image->url);
	if (image->width > 0) {
		jwrite_member_int(w, "width", image->width);
		jwrite_member_int(w, "height", image->height);
	}
	jwrite_member_text_if(w, "caption", plain_text(j, image->caption));
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
	node_id(j, f->base, "#webpage");
	jwrite_member_text_if(w, "url", f->canonical);
	jwrite_member_text(w, "name", f->title);
	jwrite_member_text_if(w, "description", f->description);
	if (f->canonical != NULL && f->site != NULL)
		node_ref(j, "isPartOf", f->site, "#website");
	if (f->image.url != NULL)
		node_ref(j, "primaryImageOfPage", f->base, "#primaryimage");
	dates(j);
	if (has_breadcrumb(f))
		node_ref(j, "breadcrumb", f->base, "#breadcrumb");
	jwrite_member_text(w, "inLanguage", f->language);
	main_entity(j);
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
	node_id(j, f->base, "#breadcrumb");
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
	node_id(j, f->base, "#article");
	jwrite_member_text(w, "headline", facts_cut(f->c, f->heading, HEADLINE_MAX));
	jwrite_member_text_if(w, "description", f->description);
	if (f->image.url != NULL) {
		jwrite_member_array(w, "image");
		node_ref(j, NULL, f->base, "#primaryimage");
		jwrite_array_end(w);
	}
	dates(j);
	if (!f->source->published)
		jwrite_member_text(w, "creativeWorkStatus", "Draft");
	posting_people(j);
	node_ref(j, "mainEntityOfPage", f->base, "#webpage");
	node_ref(j, "isPartOf", f->base, "#webpage");
	jwrite_member_text(w, "inLanguage", f->language);
	posting_counts(j);
	jwrite_member_text_if(w, "articleSection", f->snapshot->section);
	keywords(j);
	citations(j);
	jwrite_member_bool(w, "isAccessibleForFree", true);
	jwrite_object_end(w);
}

void
jsonld_render(const struct facts *f, const struct html *h, bool html_safe, struct buf *out)
{
	struct jsonld j;

	begin(&j, f, h, out);
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
	question_nodes(&j);
	how_to_nodes(&j);
	jwrite_array_end(&j.w);
	jwrite_object_end(&j.w);
}
