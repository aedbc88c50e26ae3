#include "import/markdown/sections.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/markdown/references.h"

/* Adds a cut at a heading (or NULL) to a list that doubles. */
static struct cut *
add(struct ctx *c, struct cut **list, size_t *count, size_t *cap, const struct flow_block *heading)
{
	struct cut *cut;

	if (*count == *cap) {
		size_t more = *cap == 0 ? 8 : *cap * 2;
		*list = arena_grow(c->arena, *list, *cap * sizeof(**list), more * sizeof(**list));
		*cap = more;
	}
	cut = &(*list)[(*count)++];
	*cut = (struct cut) { .heading = heading };
	return cut;
}

/* Finds the two highest heading levels in use; 7 if there is none. */
static void
levels(const struct flow *flow, int *highest, int *next)
{
	*highest = *next = 7;
	for (size_t i = 0; i < flow->count; i++) {
		int level = flow->blocks[i].level;
		if (level == 0 || level == *highest)
			continue;
		if (level < *highest) {
			*next = *highest;
			*highest = level;
		} else if (level < *next) {
			*next = level;
		}
	}
}

/* The place to which blocks go now. */
struct cutter {
	struct ctx *c;
	struct cuts *out;
	int section_level, sub_level; /* the highest heading levels that open one */
	int open_level; /* level of the present section's heading; 0: it has none */
	bool subs; /* the present section accepts subsections */
};

/* Returns the cut that the next block goes to: the last subsection, else the last
 * section. Before the first heading this is a section without heading. */
static struct cut *
present(struct cutter *k)
{
	struct cut *cut;

	if (k->out->count == 0)
		return add(k->c, &k->out->list, &k->out->count, &k->out->cap, NULL);
	cut = &k->out->list[k->out->count - 1];
	return cut->sub_count > 0 ? &cut->subs[cut->sub_count - 1] : cut;
}

/* Places a block. A heading opens a section or a subsection by its level, or
 * stays a block. Every other block goes to the present cut. */
static void
place(struct cutter *k, const struct flow_block *block)
{
	struct cut *cut;

	if (block->type == BLOCK_HEADING &&
	    (block->level <= k->section_level || !k->subs || block->level <= k->open_level)) {
		add(k->c, &k->out->list, &k->out->count, &k->out->cap, block);
		k->open_level = block->level;
		k->subs = true;
		return;
	}
	if (block->type == BLOCK_HEADING && block->level <= k->sub_level) {
		cut = &k->out->list[k->out->count - 1];
		add(k->c, &cut->subs, &cut->sub_count, &cut->cap, block);
		return;
	}
	cut = present(k);
	if (cut->count == 0)
		cut->blocks = block;
	cut->count++;
}

void
sections_cut(struct ctx *c, const struct flow *flow, bool fixed, bool lead, struct cuts *out)
{
	struct cutter k = { .c = c, .out = out };

	*out = (struct cuts) { 0 };
	if (fixed) {
		k.section_level = 2;
		k.sub_level = 3;
	} else {
		levels(flow, &k.section_level, &k.sub_level);
	}
	if (lead) {
		present(&k);
		k.subs = true;
	}
	for (size_t i = 0; i < flow->count; i++)
		place(&k, &flow->blocks[i]);
}

static size_t
count_of(const struct cut *cut, enum block_type type)
{
	size_t n = 0;

	for (size_t i = 0; i < cut->count; i++)
		n += cut->blocks[i].type == type;
	return n;
}

/* Copies a block. Tables and callouts go to the section's lists; the block places
 * them. */
static void
fill_block(struct section *s, struct block *out, const struct flow_block *in)
{
	out->type = in->type;
	out->text = in->text;
	out->cite = in->cite;
	out->language = in->language;
	out->list = in->list;
	out->image = in->image;
	if (in->type == BLOCK_TABLE) {
		out->index = s->table_count;
		s->tables[s->table_count++] = in->table;
	} else if (in->type == BLOCK_CALLOUT) {
		out->index = s->callout_count;
		s->callouts[s->callout_count++] = in->callout;
	}
}

static unsigned
line_of(const struct cut *cut)
{
	if (cut->heading != NULL)
		return cut->heading->line;
	return cut->count > 0 ? cut->blocks[0].line : 1;
}

static struct err *
too_many(struct ctx *c, const struct cut *cut, size_t n, const char *what, int max)
{
	return refuse(c, ERR_INVALID,
	    tr_mark(
		"line %u: there are %zu %s in the section that begins here; at most %d are allowed."),
	    line_of(cut), n, what, max);
}

/* Fills body, tables and callouts of one section or subsection. */
static struct err *
fill(struct ctx *c, struct cut *cut, struct section *s)
{
	size_t tables = count_of(cut, BLOCK_TABLE);
	size_t callouts = count_of(cut, BLOCK_CALLOUT);

	if (cut->count > CONTENT_BLOCKS_MAX)
		return too_many(c, cut, cut->count, "blocks", CONTENT_BLOCKS_MAX);
	if (tables > CONTENT_TABLES_MAX)
		return too_many(c, cut, tables, "tables", CONTENT_TABLES_MAX);
	if (callouts > CONTENT_TABLES_MAX)
		return too_many(c, cut, callouts, "notes", CONTENT_TABLES_MAX);
	cut->section = s;
	s->heading = cut->heading == NULL ? "" : cut->heading->text;
	s->tables = arena_array(c->arena, tables, sizeof(*s->tables));
	s->callouts = arena_array(c->arena, callouts, sizeof(*s->callouts));
	s->body = arena_array(c->arena, cut->count, sizeof(*s->body));
	s->body_count = cut->count;
	cut->lines = arena_array(c->arena, cut->count, sizeof(*cut->lines));
	cut->tables = arena_array(c->arena, tables, sizeof(*cut->tables));
	cut->callouts = arena_array(c->arena, callouts, sizeof(*cut->callouts));
	cut->steps = arena_array(c->arena, 1, sizeof(*cut->steps));
	for (size_t i = 0; i < cut->count; i++) {
		const struct flow_block *in = &cut->blocks[i];
		cut->lines[i] = in->line;
		if (in->type == BLOCK_TABLE)
			cut->tables[s->table_count] = in->line;
		else if (in->type == BLOCK_CALLOUT)
			cut->callouts[s->callout_count] = in->line;
		fill_block(s, &s->body[i], in);
	}
	return NULL;
}

/* Makes subsections of the cuts below a section. */
static struct err *
fill_subs(struct ctx *c, struct cut *cut)
{
	struct section *s = cut->section;
	struct err *err = NULL;

	if (cut->sub_count > CONTENT_SUBSECTIONS_MAX)
		return too_many(c, cut, cut->sub_count, "subsections", CONTENT_SUBSECTIONS_MAX);
	s->subsections = arena_array(c->arena, cut->sub_count, sizeof(*s->subsections));
	s->subsection_count = cut->sub_count;
	for (size_t i = 0; i < cut->sub_count && err == NULL; i++)
		err = fill(c, &cut->subs[i], &s->subsections[i]);
	return err;
}

struct err *
sections_fill(struct ctx *c, struct cuts *cuts, struct content *content)
{
	struct err *err = NULL;
	size_t count = 0;

	for (size_t i = 0; i < cuts->count; i++)
		count += cuts->list[i].part == PART_NONE;
	if (count > CONTENT_SECTIONS_MAX)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"There are %zu sections; at most %d are allowed. Make some of their headings deeper."),
		    count, CONTENT_SECTIONS_MAX);
	content->sections = arena_array(c->arena, count, sizeof(*content->sections));
	for (size_t i = 0; i < cuts->count && err == NULL; i++) {
		struct cut *cut = &cuts->list[i];
		if (cut->part != PART_NONE)
			continue;
		err = fill(c, cut, &content->sections[content->section_count++]);
		if (err == NULL)
			err = fill_subs(c, cut);
	}
	return err;
}

struct taker {
	struct ctx *c;
	struct losses *losses;
	const char *language;
	struct content *content;
	bool taken[PART_REFERENCES + 1];
	struct err *err; /* the first refusal, or NULL */
};

/* Returns whether the body is only lists, without lists in them. */
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

/* Takes takeaways: the items of flat lists, if there is nothing else. */
static bool
take_takeaways(struct taker *t, const struct cut *cut)
{
	struct content *content = t->content;
	size_t items;

	if (!is_flat_lists(cut, &items) || items > CONTENT_ITEMS_MAX)
		return false;
	content->takeaways = arena_array(t->c->arena, items, sizeof(*content->takeaways));
	for (size_t i = 0; i < cut->count; i++) {
		const struct list *list = &cut->blocks[i].list;
		for (size_t j = 0; j < list->item_count; j++)
			content->takeaways[content->takeaway_count++] = list->items[j].text;
	}
	return true;
}

/* Returns whether an answer can be one text. */
static bool
is_answer(const struct cut *cut)
{
	for (size_t i = 0; i < cut->count; i++) {
		enum block_type type = cut->blocks[i].type;
		if (type != BLOCK_PARAGRAPH && type != BLOCK_LIST && type != BLOCK_QUOTE)
			return false;
	}
	return true;
}

/* Takes questions: each heading below is a question, and the text behind it is
 * its answer. The section must have no text before the first question. */
static bool
take_faqs(struct taker *t, const struct cut *cut)
{
	struct content *content = t->content;
	struct flow rest = { 0 };

	if (cut->count > 0 || cut->sub_count == 0 || cut->sub_count > CONTENT_FAQS_MAX)
		return false;
	for (size_t i = 0; i < cut->sub_count; i++) {
		if (!is_answer(&cut->subs[i]))
			return false;
	}
	content->faqs = arena_array(t->c->arena, cut->sub_count, sizeof(*content->faqs));
	for (size_t i = 0; i < cut->sub_count; i++) {
		const struct cut *sub = &cut->subs[i];
		const char *answer = flow_text(t->c, t->losses, sub->blocks, sub->count, &rest);
		content->faqs[i].question = sub->heading->text;
		content->faqs[i].answer = answer == NULL ? "" : answer;
		if (utf8_length(content->faqs[i].answer) > CONTENT_TEXT_MAX)
			t->err = refuse(t->c, ERR_INVALID,
			    tr_mark("line %u: an answer has more than %d characters."),
			    sub->heading->line, CONTENT_TEXT_MAX);
	}
	content->faq_count = cut->sub_count;
	return true;
}

/* Returns the first free id r<number>. */
static const char *
next_id(struct taker *t, size_t *number)
{
	const struct content *content = t->content;

	for (;;) {
		const char *id = arena_printf(t->c->arena, "r%zu", ++*number);
		size_t i = 0;
		while (i < content->reference_count && strcmp(content->references[i].id, id) != 0)
			i++;
		if (i == content->reference_count)
			return id;
	}
}

/* Adds to the references that footnotes made. A heading over only footnotes is
 * theirs. */
static bool
take_references(struct taker *t, const struct cut *cut)
{
	struct content *content = t->content;
	struct reference *all;
	size_t items, number = 0, old = content->reference_count;

	if (cut->count == 0 && cut->sub_count == 0)
		return old > 0;
	if (!is_flat_lists(cut, &items) || old + items > CONTENT_REFERENCES_MAX)
		return false;
	all = arena_array(t->c->arena, old + items, sizeof(*all));
	for (size_t i = 0; i < old; i++)
		all[i] = content->references[i];
	content->references = all;
	for (size_t i = 0; i < cut->count; i++) {
		const struct flow_block *block = &cut->blocks[i];
		for (size_t j = 0; j < block->list.item_count; j++) {
			struct reference *r = &all[content->reference_count];
			if (!references_parse(
				t->c, t->losses, block->line, block->list.items[j].text, r)) {
				losses_add(t->losses, block->line,
				    tr_mark("a source without text was dropped"));
				continue;
			}
			r->id = next_id(t, &number);
			content->reference_count++;
		}
	}
	return true;
}

/* Returns which part a section is: the one that the object galley names; without
 * such an object, the one whose name in the article's language is the heading. */
static enum part
part_of(struct taker *t, const struct cut *cut)
{
	static const enum lang_label labels[] = { LANG_TAKEAWAYS, LANG_FAQS, LANG_REFERENCES };
	const char *heading;

	if (cut->heading == NULL)
		return PART_NONE;
	if (cut->extra != NULL)
		return cut->extra->part;
	heading = inline_plain(t->c->arena, cut->heading->text);
	for (size_t i = 0; i < 3; i++) {
		if (lang_names(t->language, labels[i], heading))
			return (enum part)(i + 1);
	}
	return PART_NONE;
}

/* Makes a cut without rules, which no part holds: they only set it off. Returns the line of
 * the first one, or 0. */
static unsigned
without_rules(struct ctx *c, const struct cut *cut, struct cut *out)
{
	struct flow_block *blocks = arena_array(c->arena, cut->count, sizeof(*blocks));
	unsigned line = 0, below;

	*out = *cut;
	out->blocks = blocks;
	out->count = 0;
	for (size_t i = 0; i < cut->count; i++) {
		if (cut->blocks[i].type != BLOCK_RULE)
			blocks[out->count++] = cut->blocks[i];
		else if (line == 0)
			line = cut->blocks[i].line;
	}
	out->subs = arena_array(c->arena, cut->sub_count, sizeof(*out->subs));
	for (size_t i = 0; i < cut->sub_count; i++) {
		below = without_rules(c, &cut->subs[i], &out->subs[i]);
		line = line == 0 ? below : line;
	}
	return line;
}

/* Takes a section out as a part. Its heading becomes the label of the part. A
 * section that does not fit stays a section (a loss). */
static bool
take(struct taker *t, const struct cut *cut, enum part part)
{
	const char *heading = inline_plain(t->c->arena, cut->heading->text);
	const char **label = &t->content->labels.takeaways;
	struct cut plain;
	unsigned rule = without_rules(t->c, cut, &plain);
	bool fits;

	if (part == PART_TAKEAWAYS) {
		fits = take_takeaways(t, &plain);
	} else if (part == PART_FAQS) {
		label = &t->content->labels.faqs;
		fits = take_faqs(t, &plain);
	} else {
		label = &t->content->labels.references;
		fits = take_references(t, &plain);
	}
	if (fits && rule > 0)
		losses_add(t->losses, rule, tr_mark("a horizontal rule was dropped"));
	if (fits)
		*label = heading;
	else
		losses_add(t->losses, cut->heading->line,
		    part == PART_FAQS
			? tr_mark(
			      "\"%s\" stays a section: it holds more than questions as headings and answers of text")
			: tr_mark(
			      "\"%s\" stays a section: it holds more than a list of single lines"),
		    losses_excerpt(t->c, heading, 60));
	return fits;
}

struct err *
sections_parts(struct ctx *c, struct losses *losses, struct cuts *cuts, const char *language,
    struct content *content)
{
	struct taker t = { .c = c, .losses = losses, .language = language, .content = content };

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
