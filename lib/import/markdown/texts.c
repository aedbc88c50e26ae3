#include "import/markdown/texts.h"

struct walk {
	texts_visit *visit;
	void *arg;
};

static void
see(const struct walk *w, const char **text)
{
	if (*text != NULL)
		w->visit(w->arg, text, true);
}

static void
items(const struct walk *w, struct list *list)
{
	for (size_t i = 0; i < list->item_count; i++) {
		see(w, &list->items[i].text);
		items(w, &list->items[i].list);
	}
}

static void
block(const struct walk *w, struct block *b)
{
	if (b->type == BLOCK_PARAGRAPH || b->type == BLOCK_HEADING || b->type == BLOCK_QUOTE)
		see(w, &b->text);
	if (b->type == BLOCK_QUOTE)
		see(w, &b->cite);
	if (b->type == BLOCK_LIST)
		items(w, &b->list);
	if (b->type == BLOCK_IMAGE) {
		w->visit(w->arg, &b->image.alt, false);
		see(w, &b->image.caption);
	}
}

static void
table(const struct walk *w, struct table *t)
{
	see(w, &t->caption);
	for (size_t i = 0; i < t->column_count; i++)
		see(w, &t->columns[i]);
	for (size_t r = 0; r < t->row_count; r++) {
		for (size_t i = 0; i < t->column_count; i++)
			see(w, &t->rows[r][i]);
	}
}

/* Visits the texts of a section in the order in which extra.h numbers them. */
static void
section(const struct walk *w, struct section *s)
{
	see(w, &s->heading);
	for (size_t i = 0; i < s->body_count; i++)
		block(w, &s->body[i]);
	for (size_t i = 0; i < s->step_count; i++) {
		see(w, &s->steps[i].name);
		see(w, &s->steps[i].text);
	}
	for (size_t i = 0; i < s->table_count; i++)
		table(w, &s->tables[i]);
	for (size_t i = 0; i < s->callout_count; i++) {
		see(w, &s->callouts[i].title);
		see(w, &s->callouts[i].text);
	}
	for (size_t i = 0; i < s->subsection_count; i++)
		section(w, &s->subsections[i]);
}

void
texts_each(struct content *content, texts_visit *visit, void *arg)
{
	struct walk w = { visit, arg };

	see(&w, &content->summary);
	for (size_t i = 0; i < content->takeaway_count; i++)
		see(&w, &content->takeaways[i]);
	for (size_t i = 0; i < content->section_count; i++)
		section(&w, &content->sections[i]);
	for (size_t i = 0; i < content->faq_count; i++) {
		see(&w, &content->faqs[i].question);
		see(&w, &content->faqs[i].answer);
	}
	see(&w, &content->image_caption);
}
