#include "export/html.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "export/bidi.h"
#include "export/html-block.h"
#include "export/html-text.h"
#include "export/invisible.h"

#define WORDS_PER_MINUTE 220
#define CJK_PER_MINUTE 500
#define SCRATCH_MAX ((size_t)64 * 1024 * 1024) /* bytes, for one text */

/* Writes author and date without words of any language (docs/export.md §1.7). The
 * author is a link if there is a profile. The date is isolated in a right-to-left
 * article. */
static void
byline(struct html *h)
{
	const struct facts *f = h->facts;

	buf_lit(&h->out, "<p class=\"ab-byline\">");
	if (f->author_url != NULL) {
		buf_lit(&h->out, "<a");
		html_text_attribute(&h->out, "href", f->author_url);
		buf_lit(&h->out, " rel=\"author\">");
	}
	html_text_plain(h, f->author, true);
	if (f->author_url != NULL)
		buf_lit(&h->out, "</a>");
	if (f->published_date[0] != '\0')
		buf_printf(&h->out,
		    f->rtl ? " <time datetime=\"%s\"><bdi>%s</bdi></time>"
			   : " <time datetime=\"%s\">%s</time>",
		    f->published_date, f->published_date);
	buf_lit(&h->out, "</p>\n");
}

/* Writes the header, with the only <h1> of the article. */
static void
header(struct html *h)
{
	buf_lit(&h->out, "<header class=\"ab-header\">\n<h1>");
	html_text_plain(h, h->facts->heading, true);
	buf_lit(&h->out, "</h1>\n");
	byline(h);
	buf_lit(&h->out, "</header>\n");
}

/* Writes the cover. It does not load lazily: it is the largest thing that the
 * page paints. */
static void
cover(struct html *h)
{
	const struct facts_image *image = &h->facts->image;

	if (image->url == NULL)
		return;
	buf_lit(&h->out, "<figure class=\"ab-cover\">\n<img");
	html_text_attribute(&h->out, "src", image->url);
	html_text_attribute(&h->out, "alt", image->alt);
	if (image->width > 0)
		buf_printf(&h->out, " width=\"%lld\" height=\"%lld\"", (long long)image->width,
		    (long long)image->height);
	buf_lit(&h->out, " decoding=\"async\">\n");
	html_text_caption(h, "<figcaption>", image->caption, "</figcaption>\n");
	buf_lit(&h->out, "</figure>\n");
}

/* Opens one of the parts that have a fixed heading. */
static void
part(struct html *h, const char *id, const char *role, const char *label, enum lang_label fallback)
{
	buf_lit(&h->out, "<section class=\"ab-");
	/* The class of the questions is the plural of their id. */
	buf_add_text(&h->out, fallback == LANG_FAQS ? "faqs" : id);
	buf_add_char(&h->out, '"');
	html_text_id(h, "id", id);
	if (role != NULL)
		html_text_attribute(&h->out, "role", role);
	if (invisible_text(label, strlen(label)))
		label = lang_label(h->facts->language, fallback);
	buf_lit(&h->out, ">\n<h2>");
	html_text_plain(h, label, true);
	buf_lit(&h->out, "</h2>\n");
}

/* Writes the takeaways. The part is left out if none of them shows anything. */
static void
takeaways(struct html *h)
{
	const struct content *content = h->facts->content;
	size_t i = 0;

	while (i < content->takeaway_count && !html_text_shows(h, content->takeaways[i]))
		i++;
	if (i == content->takeaway_count)
		return;
	part(h, "takeaways", NULL, content->labels.takeaways, LANG_TAKEAWAYS);
	buf_lit(&h->out, "<ul>\n");
	for (; i < content->takeaway_count; i++)
		html_text_between(h, "<li>", content->takeaways[i], "</li>\n");
	buf_lit(&h->out, "</ul>\n</section>\n");
}

/* Writes a section. `level` is the level of its heading; if it has none, the
 * level of the first heading below it. */
static void
section(struct html *h, const struct section *s, const char *class, int level)
{
	struct html_text heading;
	int inner = level;

	html_text_parse(h, s->heading, &heading);
	if (heading.visible) {
		buf_lit(&h->out, "<section");
		html_text_attribute(&h->out, "class", class);
		html_text_id(h, "id", s->id);
		buf_printf(&h->out, ">\n<h%d>", level);
		html_text_write(h, &heading, true);
		html_text_count(h, &heading);
		buf_printf(&h->out, "</h%d>\n", level);
		inner++;
	}
	html_block_flow(h, s, inner);
	for (size_t i = 0; i < s->subsection_count; i++)
		section(h, &s->subsections[i], "ab-subsection", inner);
	if (heading.visible)
		buf_lit(&h->out, "</section>\n");
}

/* A question shows something if it or its answer does. */
static bool
faq_shows(struct html *h, const struct faq *faq)
{
	return html_text_shows(h, faq->question) || html_text_shows(h, faq->answer);
}

/* Writes the questions. A question that shows nothing is left out; if all do, the
 * part is left out. */
static void
faqs(struct html *h)
{
	const struct content *content = h->facts->content;
	size_t i = 0;

	while (i < content->faq_count && !faq_shows(h, &content->faqs[i]))
		i++;
	if (i == content->faq_count)
		return;
	part(h, "faq", NULL, content->labels.faqs, LANG_FAQS);
	for (; i < content->faq_count; i++) {
		const struct faq *faq = &content->faqs[i];

		if (!faq_shows(h, faq))
			continue;
		buf_lit(&h->out, "<div class=\"ab-faq\"");
		html_text_id(h, "id", faq->id);
		buf_add_char(&h->out, '>');
		html_text_between(h, "<h3>", faq->question, "</h3>");
		html_text_between(h, "<p>", faq->answer, "</p>");
		buf_lit(&h->out, "</div>\n");
	}
	buf_lit(&h->out, "</section>\n");
}

static int
days_of_month(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month == 2 && leap ? 29 : days[month - 1];
}

/* Returns whether the text is a year, a month or a day in the form of HTML's
 * datetime. Any other text is shown as it is, without a time element. */
static bool
is_date(const char *text)
{
	static const char form[] = "0000-00-00";
	int number[3] = { 0, 1, 1 }, part = 0;
	size_t len = strlen(text);

	if (len != 4 && len != 7 && len != 10)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (form[i] == '-') {
			if (text[i] != '-')
				return false;
			number[++part] = 0;
		} else {
			if (text[i] < '0' || text[i] > '9')
				return false;
			number[part] = number[part] * 10 + (text[i] - '0');
		}
	}
	return number[0] > 0 && number[1] >= 1 && number[1] <= 12 && number[2] >= 1 &&
	       number[2] <= days_of_month(number[0], number[1]);
}

/* Writes the title of a reference. If it shows nothing, the address replaces it,
 * or else the id. */
static void
reference_title(struct html *h, const struct reference *r, bool isolates)
{
	const char *title = r->title;

	if (invisible_text(title, strlen(title)))
		title = r->url != NULL ? r->url : r->id;
	buf_lit(&h->out, "<cite>");
	if (r->url != NULL) {
		buf_lit(&h->out, "<a");
		html_text_attribute(&h->out, "href", r->url);
		buf_lit(&h->out, " rel=\"external\">");
	}
	html_text_plain(h, title, isolates);
	buf_add_text(&h->out, r->url != NULL ? "</a></cite>" : "</cite>");
}

/* Writes title, publisher and date. They are isolated only if one of them
 * contains a letter in the direction of the article (docs/export.md §1.10). */
static void
reference(struct html *h, const struct reference *r)
{
	bool rtl = h->facts->rtl;
	bool isolates =
	    bidi_has_letter(r->title, strlen(r->title), rtl) ||
	    (r->publisher != NULL && bidi_has_letter(r->publisher, strlen(r->publisher), rtl));

	buf_lit(&h->out, "<li");
	html_text_id(h, "id", r->id);
	buf_lit(&h->out, " dir=\"auto\">");
	reference_title(h, r, isolates);
	if (r->publisher != NULL) {
		buf_lit(&h->out, ", ");
		html_text_plain(h, r->publisher, isolates);
	}
	if (r->published != NULL) {
		bool date = is_date(r->published);

		buf_lit(&h->out, ", ");
		if (date) {
			buf_lit(&h->out, "<time");
			html_text_attribute(&h->out, "datetime", r->published);
			buf_add_char(&h->out, '>');
		}
		html_text_plain(h, r->published, isolates);
		buf_add_text(&h->out, date ? "</time>" : "");
	}
	buf_lit(&h->out, "</li>\n");
}

/* Writes the references that the text cites, in the order of their first use
 * (docs/export.md §1.8). Others are not listed. */
static void
references(struct html *h)
{
	if (h->cited_count == 0)
		return;
	part(h, "references", "doc-bibliography", h->facts->content->labels.references,
	    LANG_REFERENCES);
	buf_lit(&h->out, "<ol>\n");
	for (size_t i = 0; i < h->cited_count; i++)
		reference(h, h->cited[i]);
	buf_lit(&h->out, "</ol>\n</section>\n");
}

/* Writes the parts in order: header, cover, lead, takeaways, sections, questions,
 * references. */
static void
article(struct html *h)
{
	const struct facts *f = h->facts;

	buf_lit(&h->out, "<article");
	html_text_attribute(&h->out, "class", "ab-article");
	html_text_attribute(&h->out, "id", f->prefix);
	html_text_attribute(&h->out, "lang", f->language);
	html_text_attribute(&h->out, "dir", f->rtl ? "rtl" : "ltr");
	buf_lit(&h->out, ">\n");
	header(h);
	cover(h);
	html_text_between(h, "<p class=\"ab-lead\">", f->content->summary, "</p>\n");
	takeaways(h);
	for (size_t i = 0; i < f->content->section_count; i++)
		section(h, &f->content->sections[i], "ab-section", 2);
	faqs(h);
	references(h);
	buf_lit(&h->out, "</article>");
}

void
html_render(struct html *h, const struct facts *f)
{
	struct arena *a = f->c->arena;
	size_t count = f->content->reference_count;

	memset(h, 0, sizeof(*h));
	h->facts = f;
	arena_init(&h->scratch, SCRATCH_MAX);
	buf_init(&h->out, a, EXPORT_BYTES_MAX);
	h->cited = arena_array(a, count, sizeof(*h->cited));
	h->numbers = arena_array(a, count, sizeof(*h->numbers));
	article(h);
	arena_release(&h->scratch);
}

int64_t
html_reading_minutes(const struct html *h)
{
	/* The time is words / 220 + cjk / 500 minutes, rounded up, computed in
	 * whole numbers. */
	size_t parts = h->words * CJK_PER_MINUTE + h->cjk * WORDS_PER_MINUTE;
	size_t minute = WORDS_PER_MINUTE * CJK_PER_MINUTE;
	size_t minutes = (parts + minute - 1) / minute;

	return minutes == 0 ? 1 : (int64_t)minutes;
}
