#include "import/markdown/sections.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/galley/extra.h"
#include "import/markdown/references.h"

struct taker {
	struct ctx *c;
	struct losses *losses;
	const char *language;
	struct content *content;
	bool taken[PART_REFERENCES + 1];
	struct err *err; /* the first refusal, or NULL */
};

/* Whether the body is lists without lists in them, and nothing else. */
static bool
is_flat_lists(const struct cut *cut, size_t *items)
{
	*items = 0;
	if (cut->sub_count > 0)
		return false;
	for (size_t i = 0; i < cut->count; i++) {
		const struct list *list = &cut->blocks[i].list;
		if (cut->blocks[i].type != BLOCK_LIST)
			return false;
		for (size_t j = 0; j < list->item_count; j++) {
			if (list->items[j].list.item_count > 0)
				return false;
		}
		*items += list->item_count;
	}
	return *items > 0;
}

static bool
take_takeaways(struct taker *t, const struct cut *cut)
{
	struct content *content = t->content;
	size_t items;

	if (!is_flat_lists(cut, &items) || items > CONTENT_ITEMS_MAX)
		return false;
	content->takeaways = arena_array(t->c->arena, items,
	    sizeof(*content->takeaways));
	for (size_t i = 0; i < cut->count; i++) {
		const struct list *list = &cut->blocks[i].list;
		for (size_t j = 0; j < list->item_count; j++)
			content->takeaways[content->takeaway_count++] =
			    list->items[j].text;
	}
	return true;
}

/* Whether an answer can be one text. */
static bool
is_answer(const struct cut *cut)
{
	for (size_t i = 0; i < cut->count; i++) {
		enum block_type type = cut->blocks[i].type;
		if (type != BLOCK_PARAGRAPH && type != BLOCK_LIST &&
		    type != BLOCK_QUOTE)
			return false;
	}
	return true;
}

static bool
take_faqs(struct taker *t, const struct cut *cut)
{
	struct content *content = t->content;
	struct flow rest = { 0 };

	if (cut->count > 0 || cut->sub_count == 0 ||
	    cut->sub_count > CONTENT_FAQS_MAX)
		return false;
	for (size_t i = 0; i < cut->sub_count; i++) {
		if (!is_answer(&cut->subs[i]))
			return false;
	}
	content->faqs = arena_array(t->c->arena, cut->sub_count,
	    sizeof(*content->faqs));
	for (size_t i = 0; i < cut->sub_count; i++) {
		const struct cut *sub = &cut->subs[i];
		const char *answer = flow_text(t->c, t->losses, sub->blocks,
		    sub->count, &rest);
		content->faqs[i].question = sub->heading->text;
		content->faqs[i].answer = answer == NULL ? "" : answer;
		if (utf8_length(content->faqs[i].answer) > CONTENT_TEXT_MAX)
			t->err = refuse(t->c, ERR_INVALID,
			    "line %u: an answer has more than %d characters.",
			    sub->heading->line, CONTENT_TEXT_MAX);
	}
	content->faq_count = cut->sub_count;
	return true;
}

/* The first free id r<number>. */
static const char *
next_id(struct taker *t, size_t *number)
{
	const struct content *content = t->content;

	for (;;) {
		const char *id = arena_printf(t->c->arena, "r%zu", ++*number);
		size_t i = 0;
		while (i < content->reference_count &&
		    strcmp(content->references[i].id, id) != 0)
			i++;
		if (i == content->reference_count)
			return id;
	}
}

/* Adds to the references that footnotes made. A heading over footnotes alone
 * is theirs. */
static bool
take_references(struct taker *t, const struct cut *cut)
{
	struct content *content = t->content;
	struct reference *all;
	size_t items, number = 0, old = content->reference_count;

	if (cut->count == 0 && cut->sub_count == 0)
		return old > 0;
	if (!is_flat_lists(cut, &items) ||
	    old + items > CONTENT_REFERENCES_MAX)
		return false;
	all = arena_array(t->c->arena, old + items, sizeof(*all));
	for (size_t i = 0; i < old; i++)
		all[i] = content->references[i];
	content->references = all;
	for (size_t i = 0; i < cut->count; i++) {
		const struct flow_block *block = &cut->blocks[i];
		for (size_t j = 0; j < block->list.item_count; j++) {
			struct reference *r = &all[content->reference_count];
			if (!references_parse(t->c, t->losses, block->line,
			    block->list.items[j].text, r)) {
				losses_add(t->losses, block->line,
				    "a source without text was dropped");
				continue;
			}
			r->id = next_id(t, &number);
			content->reference_count++;
		}
	}
	return true;
}

static enum part
part_of(struct taker *t, const struct cut *cut)
{
	static const enum lang_label labels[] = { LANG_TAKEAWAYS, LANG_FAQS,
		LANG_REFERENCES };
	const char *heading;

	if (cut->heading == NULL)
		return PART_NONE;
	if (cut->galley != NULL)
		return cut->galley->part;
	heading = inline_plain(t->c->arena, cut->heading->text);
	for (size_t i = 0; i < 3; i++) {
		if (lang_names(t->language, labels[i], heading))
			return (enum part)(i + 1);
	}
	return PART_NONE;
}

static bool
take(struct taker *t, const struct cut *cut, enum part part)
{
	const char *heading = inline_plain(t->c->arena, cut->heading->text);
	const char **label = &t->content->labels.takeaways;
	bool fits;

	if (part == PART_TAKEAWAYS) {
		fits = take_takeaways(t, cut);
	} else if (part == PART_FAQS) {
		label = &t->content->labels.faqs;
		fits = take_faqs(t, cut);
	} else {
		label = &t->content->labels.references;
		fits = take_references(t, cut);
	}
	if (fits)
		*label = heading;
	else
		losses_add(t->losses, cut->heading->line,
		    "\"%s\" stays a section: it holds more than %s",
		    losses_excerpt(t->c, heading, 60), part == PART_FAQS ?
		    "questions as headings and answers of text" :
		    "a list of single lines");
	return fits;
}

struct err *
sections_parts(struct ctx *c, struct losses *losses, struct cuts *cuts,
    const char *language, struct content *content)
{
	struct taker t = { .c = c, .losses = losses, .language = language,
		.content = content };

	for (size_t i = 0; i < cuts->count && t.err == NULL; i++) {
		struct cut *cut = &cuts->list[i];
		enum part part = part_of(&t, cut);
		if (part == PART_NONE || t.taken[part] || !take(&t, cut, part))
			continue;
		t.taken[part] = true;
		cut->part = part;
	}
	return t.err;
}
