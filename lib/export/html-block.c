#include "export/html-block.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "content/lang.h"
#include "export/html-text.h"
#include "export/invisible.h"

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

void
html_block_flow(struct html *h, const struct section *section, int level)
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
