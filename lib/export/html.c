#include "export/html.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "content/lang.h"
#include "export/facts.h"
#include "export/html-text.h"

/*
 * ---- blocks of a section
 *
 * What follows the heading of a section or subsection: the flow of its body, then the steps, tables
 * and callouts that the flow did not place (docs/export.md §1.9).
 */

/* Writes a heading block with the level that the caller gives. A heading that
 * shows nothing is left out. */
static void
heading(struct html *h, const char *text, int level)
{
	struct arena *a = h->facts->c->arena;

	html_text_between(
	    h, arena_printf(a, "<h%d>", level), text, arena_printf(a, "</h%d>\n", level));
}

/* A list shows something if one of its items does, at any depth. */
static bool
list_shows(struct html *h, const struct list *list)
{
	for (size_t i = 0; i < list->item_count; i++) {
		if (html_text_shows(h, list->items[i].text) || list_shows(h, &list->items[i].list))
			return true;
	}
	return false;
}

static void list_write(struct html *h, const struct list *list);

/* Writes an item. A nested list is inside its item. */
static void
item_write(struct html *h, const struct list_item *item)
{
	bool nested = list_shows(h, &item->list);

	if (!nested) {
		html_text_between(h, "<li>", item->text, "</li>\n");
		return;
	}
	if (!html_text_between(h, "<li>", item->text, "\n"))
		buf_lit(&h->out, "<li>\n");
	list_write(h, &item->list);
	buf_lit(&h->out, "</li>\n");
}

/* Writes a list. A list that shows nothing is left out. */
static void
list_write(struct html *h, const struct list *list)
{
	if (!list_shows(h, list))
		return;
	buf_add_text(
	    &h->out, list->ordered ? "<ol class=\"ab-list\">\n" : "<ul class=\"ab-list\">\n");
	for (size_t i = 0; i < list->item_count; i++)
		item_write(h, &list->items[i]);
	buf_add_text(&h->out, list->ordered ? "</ol>\n" : "</ul>\n");
}

/* Writes a quote. It is left out only if neither its text nor its source shows
 * anything. */
static void
quote(struct html *h, const struct block *block)
{
	if (!html_text_shows(h, block->text) && !html_text_shows(h, block->cite))
		return;
	buf_lit(&h->out, "<blockquote class=\"ab-quote\">");
	html_text_between(h, "<p>", block->text, "</p>");
	html_text_between(h, "<footer>", block->cite, "</footer>");
	buf_lit(&h->out, "</blockquote>\n");
}

/* Writes code. It runs from left to right in every article; its language is a
 * class. */
static void
code(struct html *h, const struct block *block)
{
	size_t len = strlen(block->text);

	if (invisible_text(block->text, len))
		return;
	buf_lit(&h->out, "<pre class=\"ab-code\"><code dir=\"ltr\"");
	if (block->language != NULL && block->language[0] != '\0') {
		/* A space would begin another class. */
		size_t word = strcspn(block->language, " \t\n");
		const char *class =
		    arena_printf(h->facts->c->arena, "language-%.*s", (int)word, block->language);

		html_text_attribute(&h->out, "class", class);
	}
	buf_add_char(&h->out, '>');
	html_text_escape(&h->out, block->text, len);
	buf_lit(&h->out, "</code></pre>\n");
}

/* Writes a picture of the body, which loads lazily. A picture without an address
 * is left out with its caption. */
static void
image(struct html *h, const struct image *image)
{
	const struct facts *f = h->facts;
	const char *url = export_media_address(f->c, f->settings, image->url);

	if (url == NULL)
		return;
	buf_lit(&h->out, "<figure class=\"ab-figure\">\n<img");
	html_text_attribute(&h->out, "src", url);
	html_text_attribute(&h->out, "alt", image->alt);
	if (image->width > 0 && image->height > 0)
		buf_printf(&h->out, " width=\"%lld\" height=\"%lld\"", (long long)image->width,
		    (long long)image->height);
	buf_lit(&h->out, " decoding=\"async\" loading=\"lazy\">\n");
	html_text_between(h, "<figcaption>", image->caption, "</figcaption>\n");
	buf_lit(&h->out, "</figure>\n");
}

/* Writes a cell. It has dir="auto" where that can change something: every cell of
 * a right-to-left table has it, and of a left-to-right table the cells with a
 * letter that runs from right to left. A heading cell that shows nothing becomes
 * an ordinary cell. The class says how its column is aligned. */
static void
cell(struct html *h, const char *scope, const char *align, const char *text)
{
	struct html_text t;
	bool rtl = h->facts->rtl, isolates = true;

	html_text_parse(h, text, &t);
	if (!t.visible) {
		buf_lit(&h->out, "<td></td>");
		return;
	}
	if (scope == NULL)
		buf_lit(&h->out, "<td");
	else
		buf_printf(&h->out, "<th scope=\"%s\"", scope);
	if (align != NULL)
		buf_printf(&h->out, " class=\"ab-%s\"", align);
	if (rtl || html_text_has_letter(&t, true)) {
		buf_lit(&h->out, " dir=\"auto\"");
		isolates = html_text_has_letter(&t, rtl);
	}
	buf_add_char(&h->out, '>');
	html_text_write(h, &t, isolates);
	html_text_count(h, &t);
	buf_add_text(&h->out, scope == NULL ? "</td>" : "</th>");
}

static const char *
column_align(const struct table *table, size_t i)
{
	return table->align == NULL ? NULL : content_align_name(table->align[i]);
}

/* Writes the head of a table. A table whose columns have no names has none. */
static void
table_head(struct html *h, const struct table *table)
{
	size_t i = 0;

	while (i < table->column_count && !html_text_shows(h, table->columns[i]))
		i++;
	if (i == table->column_count)
		return;
	buf_lit(&h->out, "<thead><tr>");
	for (i = 0; i < table->column_count; i++)
		cell(h, "col", column_align(table, i), table->columns[i]);
	buf_lit(&h->out, "</tr></thead>\n");
}

/* Writes the rows. With a row header, the first cell of each row is a <th>. */
static void
table_rows(struct html *h, const struct table *table)
{
	if (table->row_count == 0)
		return;
	buf_lit(&h->out, "<tbody>\n");
	for (size_t r = 0; r < table->row_count; r++) {
		buf_lit(&h->out, "<tr>");
		for (size_t i = 0; i < table->column_count; i++)
			cell(h, i == 0 && table->row_header ? "row" : NULL, column_align(table, i),
			    table->rows[r][i]);
		buf_lit(&h->out, "</tr>\n");
	}
	buf_lit(&h->out, "</tbody>\n");
}

/* A table shows something if its caption or one of its cells does. */
static bool
table_shows(struct html *h, const struct table *table)
{
	if (html_text_shows(h, table->caption))
		return true;
	for (size_t i = 0; i < table->column_count; i++) {
		if (html_text_shows(h, table->columns[i]))
			return true;
	}
	for (size_t r = 0; r < table->row_count; r++) {
		for (size_t i = 0; i < table->column_count; i++) {
			if (html_text_shows(h, table->rows[r][i]))
				return true;
		}
	}
	return false;
}

/* Writes the caption as the name of a region (struct html_name). */
static const char *
region_name(struct html *h, const char *caption)
{
	struct arena *a = h->facts->c->arena;
	const char *p = lang_fold(a, inline_plain(a, caption));
	char *name = arena_text(a, p), *to = name;

	for (p += strspn(p, " \t\n"); *p != '\0'; p++) {
		size_t spaces = strspn(p, " \t\n");
		if (spaces > 0 && p[spaces] == '\0')
			break;
		*to++ = spaces > 0 ? ' ' : *p;
		p += spaces > 0 ? spaces - 1 : 0;
	}
	*to = '\0';
	return name;
}

/* Returns whether no region before this one has the same caption, and notes the
 * caption. Regions are landmarks, and readers cannot tell landmarks with equal
 * names apart. */
static bool
region_is_new(struct html *h, const char *caption)
{
	const char *text = region_name(h, caption);
	struct html_name *name;
	uint32_t hash = 0;

	for (const char *p = text; *p != '\0'; p++)
		hash = hash * 31 + (unsigned char)*p;
	hash %= HTML_NAMES;
	for (const struct html_name *n = h->names[hash]; n != NULL; n = n->next) {
		if (strcmp(n->text, text) == 0)
			return false;
	}
	name = arena_alloc(h->facts->c->arena, sizeof(*name));
	name->text = text;
	name->next = h->names[hash];
	h->names[hash] = name;
	return true;
}

/* Writes what precedes the rows of a table. */
static void
table_open(struct html *h, const struct table *table)
{
	char id[32];

	buf_lit(&h->out, "<div class=\"ab-table\"");
	if (!html_text_shows(h, table->caption)) {
		buf_lit(&h->out, ">\n<table>\n");
	} else if (region_is_new(h, table->caption)) {
		snprintf(id, sizeof(id), "t%zu", ++h->tables);
		buf_lit(&h->out, " role=\"region\"");
		html_text_id(h, "aria-labelledby", id);
		buf_lit(&h->out, " tabindex=\"0\">\n<table>\n<caption");
		html_text_id(h, "id", id);
		html_text_between(h, ">", table->caption, "</caption>\n");
	} else {
		html_text_between(h, ">\n<table>\n<caption>", table->caption, "</caption>\n");
	}
}

/* Writes a table. A table that shows nothing is left out. */
static void
table_write(struct html *h, const struct table *table)
{
	if (!table_shows(h, table))
		return;
	table_open(h, table);
	table_head(h, table);
	table_rows(h, table);
	buf_lit(&h->out, "</table>\n</div>\n");
}

/* Writes a callout. Its kind is a class; its title is a strong paragraph of its
 * own. */
static void
callout(struct html *h, const struct callout *callout)
{
	if (!html_text_shows(h, callout->title) && !html_text_shows(h, callout->text))
		return;
	buf_lit(&h->out, "<aside class=\"ab-callout ab-callout-");
	buf_add_text(&h->out, content_callout_name(callout->kind));
	buf_lit(&h->out, "\">");
	html_text_between(h, "<p><strong>", callout->title, "</strong></p>");
	html_text_between(h, "<p>", callout->text, "</p>");
	buf_lit(&h->out, "</aside>\n");
}

/* Writes a step. It has an id, so that structured data can link to it. A step
 * that shows nothing is left out, but keeps its number. */
static void
step(struct html *h, const struct section *section, size_t i)
{
	const struct step *step = &section->steps[i];
	bool named = html_text_shows(h, step->name);

	if (!named && !html_text_shows(h, step->text))
		return;
	buf_lit(&h->out, "<li");
	html_text_id(h, "id", arena_printf(h->facts->c->arena, "%s-step%zu", section->id, i + 1));
	buf_add_char(&h->out, '>');
	html_text_between(h, "<strong>", step->name, "</strong>");
	html_text_between(h, named ? " <span>" : "<span>", step->text, "</span>");
	buf_lit(&h->out, "</li>\n");
}

/* Writes the steps as an ordered list. The list is left out if no step shows
 * anything. */
static void
steps(struct html *h, const struct section *section)
{
	size_t i = 0;

	while (i < section->step_count && !html_text_shows(h, section->steps[i].name) &&
	       !html_text_shows(h, section->steps[i].text))
		i++;
	if (i == section->step_count)
		return;
	buf_lit(&h->out, "<ol class=\"ab-steps\">\n");
	for (; i < section->step_count; i++)
		step(h, section, i);
	buf_lit(&h->out, "</ol>\n");
}

/* What the flow has placed so far. A thing that is placed twice is shown once,
 * because an id must not appear twice. */
struct placed {
	bool steps;
	bool *tables;
	bool *callouts;
};

static bool
is_first(bool *placed)
{
	bool first = !*placed;

	*placed = true;
	return first;
}

/* Writes a block of the flow. Tables, callouts and steps are shown where the
 * first block places them. */
static void
block_write(struct html *h, const struct section *section, const struct block *block,
    struct placed *placed, int level)
{
	switch (block->type) {
	case BLOCK_PARAGRAPH:
		html_text_between(h, "<p>", block->text, "</p>\n");
		break;
	case BLOCK_HEADING:
		heading(h, block->text, level);
		break;
	case BLOCK_LIST:
		list_write(h, &block->list);
		break;
	case BLOCK_QUOTE:
		quote(h, block);
		break;
	case BLOCK_CODE:
		code(h, block);
		break;
	case BLOCK_IMAGE:
		image(h, &block->image);
		break;
	case BLOCK_TABLE:
		if (is_first(&placed->tables[block->index]))
			table_write(h, &section->tables[block->index]);
		break;
	case BLOCK_CALLOUT:
		if (is_first(&placed->callouts[block->index]))
			callout(h, &section->callouts[block->index]);
		break;
	case BLOCK_STEPS:
		if (is_first(&placed->steps))
			steps(h, section);
		break;
	case BLOCK_RULE:
		buf_lit(&h->out, "<hr>\n");
		break;
	}
}

/* Heading blocks get `level`, one below that of the section's heading. */
static void
section_flow(struct html *h, const struct section *section, int level)
{
	struct arena *a = h->facts->c->arena;
	struct placed placed = {
		.tables = arena_array(a, section->table_count, sizeof(bool)),
		.callouts = arena_array(a, section->callout_count, sizeof(bool)),
	};

	for (size_t i = 0; i < section->body_count; i++)
		block_write(h, section, &section->body[i], &placed, level);
	if (is_first(&placed.steps))
		steps(h, section);
	for (size_t i = 0; i < section->table_count; i++) {
		if (is_first(&placed.tables[i]))
			table_write(h, &section->tables[i]);
	}
	for (size_t i = 0; i < section->callout_count; i++) {
		if (is_first(&placed.callouts[i]))
			callout(h, &section->callouts[i]);
	}
}

/* ---- the article */

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
	section_flow(h, s, inner);
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
