#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/utf8.h"
#include "content/content.h"

#define PLACE_HEADING_MAX 60 /* code points */
#define PLACE_HEADING_BYTES ((size_t)4 * PLACE_HEADING_MAX)

struct walker {
	content_visit *visit;
	void *arg;
	const char *place;
};

static bool
is_placed(const struct section *s, enum block_type type, size_t index)
{
	for (size_t i = 0; i < s->body_count; i++) {
		if (s->body[i].type == type && s->body[i].index == index)
			return true;
	}
	return false;
}

/* Visits the things of one type that no block of the body places: they follow the
 * body. */
static void
visit_loose(const struct section *s, enum block_type type, size_t count, content_flow_visit *visit,
    void *arg)
{
	for (size_t i = 0; i < count; i++) {
		const struct block block = { .type = type, .index = i };
		if (!is_placed(s, type, i))
			visit(arg, s, &block);
	}
}

void
content_flow(const struct section *s, content_flow_visit *visit, void *arg)
{
	for (size_t i = 0; i < s->body_count; i++)
		visit(arg, s, &s->body[i]);
	visit_loose(s, BLOCK_STEPS, s->step_count > 0, visit, arg);
	visit_loose(s, BLOCK_TABLE, s->table_count, visit, arg);
	visit_loose(s, BLOCK_CALLOUT, s->callout_count, visit, arg);
}

static void
see(const struct walker *w, enum content_text_kind kind, const char *text)
{
	if (text != NULL && text[0] != '\0')
		w->visit(w->arg, kind, text, w->place);
}

static void
walk_list(const struct walker *w, const struct list *list)
{
	for (size_t i = 0; i < list->item_count; i++) {
		see(w, CONTENT_IS_SHORT, list->items[i].text);
		walk_list(w, &list->items[i].list);
	}
}

static void
walk_table(const struct walker *w, const struct table *table)
{
	see(w, CONTENT_IS_SHORT, table->caption);
	for (size_t i = 0; i < table->column_count; i++)
		see(w, CONTENT_IS_SHORT, table->columns[i]);
	for (size_t r = 0; r < table->row_count; r++) {
		for (size_t i = 0; i < table->column_count; i++)
			see(w, CONTENT_IS_SHORT, table->rows[r][i]);
	}
}

static void
walk_callout(const struct walker *w, const struct callout *callout)
{
	see(w, CONTENT_IS_SHORT, callout->title);
	see(w, CONTENT_IS_PARAGRAPH, callout->text);
}

static void
walk_steps(const struct walker *w, const struct section *s)
{
	for (size_t i = 0; i < s->step_count; i++) {
		see(w, CONTENT_IS_SHORT, s->steps[i].name);
		see(w, CONTENT_IS_PARAGRAPH, s->steps[i].text);
	}
}

static void
walk_block(const struct walker *w, const struct section *s, const struct block *block)
{
	switch (block->type) {
	case BLOCK_PARAGRAPH:
		see(w, CONTENT_IS_PARAGRAPH, block->text);
		break;
	case BLOCK_HEADING:
		see(w, CONTENT_IS_HEADING, block->text);
		break;
	case BLOCK_LIST:
		walk_list(w, &block->list);
		break;
	case BLOCK_QUOTE:
		see(w, CONTENT_IS_PARAGRAPH, block->text);
		see(w, CONTENT_IS_SHORT, block->cite);
		break;
	case BLOCK_CODE:
		see(w, CONTENT_IS_CODE, block->text);
		break;
	case BLOCK_IMAGE:
		see(w, CONTENT_IS_SHORT, block->image.caption);
		break;
	case BLOCK_TABLE:
		walk_table(w, &s->tables[block->index]);
		break;
	case BLOCK_CALLOUT:
		walk_callout(w, &s->callouts[block->index]);
		break;
	case BLOCK_STEPS:
		walk_steps(w, s);
		break;
	case BLOCK_RULE:
		break;
	}
}

/* Visits one block for content_flow(). */
static void
walk_placed(void *arg, const struct section *s, const struct block *block)
{
	walk_block(arg, s, block);
}

/* Visits the texts of a section, without those of its subsections. */
static void
walk_flow(struct walker *w, const struct section *s)
{
	see(w, CONTENT_IS_HEADING, s->heading);
	content_flow(s, walk_placed, w);
}

/* Visits a section and its subsections. The place that refusals name is the
 * section's heading, cut to PLACE_HEADING_MAX. */
static void
walk_section(struct walker *w, const struct section *s, const char *kind)
{
	char place[PLACE_HEADING_BYTES + 32];
	size_t len = utf8_prefix(s->heading, PLACE_HEADING_MAX);
	const char *around = w->place;

	if (len > PLACE_HEADING_BYTES)
		BUG("%d code points are %zu bytes", PLACE_HEADING_MAX, len);
	snprintf(place, sizeof(place), "%s \"%.*s%s\"", kind, (int)len, s->heading,
	    s->heading[len] == '\0' ? "" : "…");
	w->place = s->heading[0] == '\0' ? "the beginning" : place;
	walk_flow(w, s);
	for (size_t i = 0; i < s->subsection_count; i++)
		walk_section(w, &s->subsections[i], "subsection");
	w->place = around;
}

void
content_walk(const struct content *content, content_visit *visit, void *arg)
{
	struct walker w = { visit, arg, "summary" };
	char place[40];

	see(&w, CONTENT_IS_SUMMARY, content->summary);
	w.place = "takeaways";
	for (size_t i = 0; i < content->takeaway_count; i++)
		see(&w, CONTENT_IS_TAKEAWAY, content->takeaways[i]);
	for (size_t i = 0; i < content->section_count; i++)
		walk_section(&w, &content->sections[i], "section");
	for (size_t i = 0; i < content->faq_count; i++) {
		snprintf(place, sizeof(place), "question %zu", i + 1);
		w.place = place;
		see(&w, CONTENT_IS_HEADING, content->faqs[i].question);
		see(&w, CONTENT_IS_PARAGRAPH, content->faqs[i].answer);
	}
}

/* ---- where a text is */

struct finder {
	struct walker walker;
	size_t left; /* texts before the one that is looked for */
	bool found;
	size_t at; /* of the blocks of the present section, from 1 */
	struct content_place *out;
};

static void
count_down(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	struct finder *f = arg;

	(void)kind;
	(void)text;
	(void)place;
	f->found = f->found || f->left == 0;
	f->left -= f->left > 0;
}

static void
find_in_block(void *arg, const struct section *s, const struct block *block)
{
	struct finder *f = arg;

	f->at++;
	if (f->found)
		return;
	walk_block(&f->walker, s, block);
	if (f->found)
		*f->out = (struct content_place) { .section = s->id,
			.block = f->at <= s->body_count ? f->at : 0 };
}

static void
find_in_section(struct finder *f, const struct section *s)
{
	see(&f->walker, CONTENT_IS_HEADING, s->heading);
	if (f->found) {
		f->out->section = s->id;
		return;
	}
	f->at = 0;
	content_flow(s, find_in_block, f);
	for (size_t i = 0; i < s->subsection_count && !f->found; i++)
		find_in_section(f, &s->subsections[i]);
}

void
content_text_place(const struct content *content, size_t n, struct content_place *out)
{
	struct finder f = { .left = n, .out = out };

	f.walker = (struct walker) { count_down, &f, "" };
	*out = (struct content_place) { 0 };
	see(&f.walker, CONTENT_IS_SUMMARY, content->summary);
	for (size_t i = 0; i < content->takeaway_count; i++)
		see(&f.walker, CONTENT_IS_TAKEAWAY, content->takeaways[i]);
	for (size_t i = 0; i < content->section_count && !f.found; i++)
		find_in_section(&f, &content->sections[i]);
	for (size_t i = 0; i < content->faq_count && !f.found; i++) {
		see(&f.walker, CONTENT_IS_HEADING, content->faqs[i].question);
		see(&f.walker, CONTENT_IS_PARAGRAPH, content->faqs[i].answer);
		out->question = f.found ? i + 1 : 0;
	}
}
