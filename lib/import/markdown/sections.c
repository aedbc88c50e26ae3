#include "import/markdown/sections.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/markdown/references.h"

/* ---- the flow */

struct flow_block *
flow_add(struct ctx *c, struct flow *flow, enum block_type type, unsigned line)
{
	struct flow_block *block;

	if (flow->count == flow->cap) {
		size_t cap = flow->cap == 0 ? 16 : flow->cap * 2;
		flow->blocks = arena_grow(
		    c->arena, flow->blocks, flow->cap * sizeof(*block), cap * sizeof(*block));
		flow->cap = cap;
	}
	block = &flow->blocks[flow->count++];
	memset(block, 0, sizeof(*block));
	block->type = type;
	block->line = line;
	return block;
}

struct list_item *
flow_item(struct ctx *c, struct list *list)
{
	size_t n = list->item_count;
	struct list_item *item;

	if ((n & (n - 1)) == 0)
		list->items = arena_grow(
		    c->arena, list->items, n * sizeof(*item), (n > 0 ? 2 * n : 1) * sizeof(*item));
	item = &list->items[list->item_count++];
	memset(item, 0, sizeof(*item));
	item->text = "";
	return item;
}

/* Writes each item on a line after its number or mark, and then the list in it. */
static void
list_lines(struct buf *out, const struct list *list, const char *mark)
{
	for (size_t i = 0; i < list->item_count; i++) {
		if (out->len > 0)
			buf_add_char(out, '\n');
		if (list->ordered)
			buf_printf(out, "%zu. ", i + 1);
		else
			buf_add_text(out, mark);
		buf_add_text(out, list->items[i].text);
		list_lines(out, &list->items[i].list, "– ");
	}
}

/* Writes a heading as strong text. */
static void
heading_text(struct ctx *c, struct buf *out, const char *heading)
{
	const char *plain = inline_plain(c->arena, heading);

	buf_lit(out, "**");
	inline_escape(out, plain, strlen(plain));
	buf_lit(out, "**");
}

/* Returns the text of a block, or NULL if the block cannot be a text. */
static const char *
block_text(struct ctx *c, struct losses *losses, const struct flow_block *block)
{
	struct buf out;

	buf_init(&out, c->arena, 2 * CONTENT_BYTES_MAX);
	switch (block->type) {
	case BLOCK_PARAGRAPH:
		return block->text;
	case BLOCK_HEADING:
		losses_add(losses, block->line,
		    tr_mark("a heading in a quote, note or answer became strong text"));
		heading_text(c, &out, block->text);
		return out.data;
	case BLOCK_LIST:
		losses_add(losses, block->line,
		    tr_mark("a list in a quote, note or answer became lines of text"));
		list_lines(&out, &block->list, "• ");
		return out.data;
	case BLOCK_QUOTE:
		losses_add(losses, block->line,
		    tr_mark("a quote in a quote, note or answer became a paragraph"));
		buf_add_text(&out, block->text);
		if (block->cite != NULL)
			buf_printf(&out, "\n%s", block->cite);
		return out.data;
	default:
		return NULL;
	}
}

const char *
flow_text(struct ctx *c, struct losses *losses, const struct flow_block *blocks, size_t count,
    struct flow *rest)
{
	struct buf out;

	buf_init(&out, c->arena, 2 * CONTENT_BYTES_MAX);
	for (size_t i = 0; i < count; i++) {
		const char *text = block_text(c, losses, &blocks[i]);
		if (text == NULL) {
			*flow_add(c, rest, blocks[i].type, blocks[i].line) = blocks[i];
			continue;
		}
		if (out.len > 0)
			buf_lit(&out, "\n\n");
		buf_add_text(&out, text);
	}
	return out.len == 0 ? NULL : out.data;
}

/* ---- cut into sections */

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

/* ---- and they become the content's */

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

	if (cut->sub_count > CONTENT_SUBSECTIONS_MAX)
		return too_many(c, cut, cut->sub_count, "subsections", CONTENT_SUBSECTIONS_MAX);
	s->subsections = arena_array(c->arena, cut->sub_count, sizeof(*s->subsections));
	s->subsection_count = cut->sub_count;
	for (size_t i = 0; i < cut->sub_count; i++)
		TRY(fill(c, &cut->subs[i], &s->subsections[i]));
	return NULL;
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

/* ---- but for those that are parts */

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

/* Takes questions: each heading below is a question, and the text after it is
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

/* ---- places: the nodes */

static enum places_kind
kind_of(cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_HEADING:
		return PLACES_HEADING;
	case CMARK_NODE_PARAGRAPH:
		return PLACES_PARAGRAPH;
	case CMARK_NODE_LIST:
		return PLACES_LIST;
	case CMARK_NODE_BLOCK_QUOTE:
		return PLACES_QUOTE;
	case CMARK_NODE_FOOTNOTE_DEFINITION:
		return PLACES_NOTE;
	default:
		return strcmp(cmark_node_get_type_string(node), "table") == 0 ? PLACES_TABLE
									      : PLACES_OTHER;
	}
}

/* Returns the last line of a node and of all in it: the parser ends some too early. */
static int
last_of(cmark_node *node)
{
	cmark_iter *iter = cmark_iter_new(node);
	int last = cmark_node_get_end_line(node);

	while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
		int line = cmark_node_get_end_line(cmark_iter_get_node(iter));
		last = line > last ? line : last;
	}
	cmark_iter_free(iter);
	return last;
}

static bool
is_empty_line(const struct source *source, int line)
{
	const char *text = source_text(source, line);

	return text[strspn(text, " \t>")] == '\n' || text[strspn(text, " \t>")] == '\0';
}

bool
places_lines(const struct source *source, struct cmark_node *node, int *first, int *last)
{
	*first = cmark_node_get_start_line(node);
	*last = last_of(node);
	if (*first < 1 || (size_t)*first > source->line_count)
		return false;
	if (*last < *first)
		*last = *first;
	if ((size_t)*last > source->line_count)
		*last = (int)source->line_count;
	while (*last > *first && is_empty_line(source, *last))
		(*last)--;
	return true;
}

static int
by_line(const void *x, const void *y)
{
	const struct places_node *a = x, *b = y;

	return a->first < b->first ? -1 : a->first > b->first;
}

void
places_take_nodes(struct ctx *c, const struct source *source, struct places *out)
{
	cmark_node *root = source_parse(c, source), *node;
	size_t count = 0;

	*out = (struct places) { 0 };
	for (node = cmark_node_first_child(root); node != NULL; node = cmark_node_next(node))
		count++;
	out->nodes = arena_array(c->arena, count, sizeof(*out->nodes));
	for (node = cmark_node_first_child(root); node != NULL; node = cmark_node_next(node)) {
		int first, last;
		if (!places_lines(source, node, &first, &last))
			continue;
		out->nodes[out->node_count++] = (struct places_node) { .kind = kind_of(node),
			.first = source_line(source, first),
			.last = source_line(source, last) };
	}
	cmark_node_free(root);
	if (out->node_count > 1)
		qsort(out->nodes, out->node_count, sizeof(*out->nodes), by_line);
}

/* ---- places: the sections */

static void
section_lines(const struct cut *cut, bool sub, struct places *out)
{
	const struct section *s = cut->section;

	out->sections[out->count++] = (struct places_section) { .id = s->id,
		.heading = s->heading,
		.sub = sub,
		.line = cut->heading != NULL ? cut->heading->line : 0,
		.body = cut->lines,
		.body_count = s->body_count,
		.tables = cut->tables,
		.table_count = s->table_count,
		.callouts = cut->callouts,
		.callout_count = s->callout_count,
		.steps = *cut->steps };
}

static void
faq_lines(struct ctx *c, const struct cut *cut, struct places *out)
{
	unsigned *lines = arena_array(c->arena, cut->sub_count, sizeof(*lines));

	for (size_t i = 0; i < cut->sub_count; i++)
		lines[i] = cut->subs[i].heading->line;
	out->faqs = lines;
	out->faq_count = cut->sub_count;
}

void
places_take_sections(
    struct ctx *c, const struct cuts *cuts, const struct content *content, struct places *out)
{
	size_t count = content->section_count;

	for (size_t i = 0; i < content->section_count; i++)
		count += content->sections[i].subsection_count;
	out->sections = arena_array(c->arena, count, sizeof(*out->sections));
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut *cut = &cuts->list[i];
		if (cut->part == PART_FAQS)
			faq_lines(c, cut, out);
		if (cut->part != PART_NONE)
			out->parts[cut->part] = cut->heading->line;
		if (cut->section == NULL)
			continue;
		section_lines(cut, false, out);
		for (size_t j = 0; j < cut->sub_count; j++)
			section_lines(&cut->subs[j], true, out);
	}
}

/* ---- places: asking */

static void
move(const unsigned *lines, size_t count, unsigned above)
{
	/* They are this document's own. */
	unsigned *mine = (unsigned *)lines;

	for (size_t i = 0; i < count; i++)
		mine[i] = mine[i] > above ? mine[i] - above : 0;
}

void
places_move(struct places *p, unsigned above)
{
	for (size_t i = 0; i < p->count; i++) {
		struct places_section *s = &p->sections[i];
		move(&s->line, 1, above);
		move(&s->steps, 1, above);
		move(s->body, s->body_count, above);
		move(s->tables, s->table_count, above);
		move(s->callouts, s->callout_count, above);
	}
	move(p->parts, PART_REFERENCES + 1, above);
	move(p->faqs, p->faq_count, above);
	move(p->references, p->reference_count, above);
	for (size_t i = 0; i < p->node_count; i++) {
		move(&p->nodes[i].first, 1, above);
		move(&p->nodes[i].last, 1, above);
	}
}

const struct places_section *
places_section(const struct places *p, const char *id)
{
	for (size_t i = 0; i < p->count; i++) {
		if (strcmp(p->sections[i].id, id) == 0)
			return &p->sections[i];
	}
	return NULL;
}

const struct places_node *
places_node(const struct places *p, unsigned line, enum places_kind kind)
{
	for (size_t i = 0; i < p->node_count && line > 0; i++) {
		if (p->nodes[i].first == line)
			return kind == PLACES_OTHER || p->nodes[i].kind == kind ? &p->nodes[i]
										: NULL;
	}
	return NULL;
}

const char *
places_text(const char *text, unsigned line)
{
	while (line > 1 && *text != '\0') {
		text += strcspn(text, "\n");
		text += *text == '\n';
		line--;
	}
	return text;
}

/* ---- places: what Markdown has no form for */

static struct places_spot *
add_spot(struct places_spots *spots, enum spot_kind kind, unsigned line, struct section *s)
{
	spots->list[spots->count] =
	    (struct places_spot) { .line = line, .kind = kind, .section = s };
	return &spots->list[spots->count++];
}

static void
spots_of_section(struct section *s, const struct places_section *at, struct places_spots *spots)
{
	bool placed = s->step_count == 0;

	for (size_t i = 0; i < s->table_count && i < at->table_count; i++)
		add_spot(spots, SPOT_TABLE, at->tables[i], s)->table = &s->tables[i];
	for (size_t i = 0; i < s->callout_count && i < at->callout_count; i++)
		add_spot(spots, SPOT_CALLOUT, at->callouts[i], s)->callout = &s->callouts[i];
	for (size_t i = 0; i < s->body_count && i < at->body_count; i++) {
		struct block *block = &s->body[i];
		if (block->type == BLOCK_QUOTE)
			add_spot(spots, SPOT_QUOTE, at->body[i], s)->block = block;
		if (block->type == BLOCK_LIST || block->type == BLOCK_STEPS)
			add_spot(spots, SPOT_LIST, at->body[i], s)->block = block;
		placed = placed || block->type == BLOCK_STEPS;
	}
	if (!placed)
		add_spot(spots, SPOT_LIST, at->steps, s);
}

static int
by_spot(const void *x, const void *y)
{
	const struct places_spot *a = x, *b = y;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

void
places_find_spots(
    struct ctx *c, const struct content *content, const struct places *p, struct places_spots *out)
{
	size_t room = content->reference_count, at = 0;

	for (size_t i = 0; i < p->count; i++)
		room += p->sections[i].body_count + p->sections[i].table_count +
			p->sections[i].callout_count + 1;
	*out = (struct places_spots) { .list = arena_array(c->arena, room, sizeof(*out->list)) };
	for (size_t i = 0; i < content->section_count && at < p->count; i++) {
		struct section *s = &content->sections[i];
		spots_of_section(s, &p->sections[at++], out);
		for (size_t j = 0; j < s->subsection_count && at < p->count; j++)
			spots_of_section(&s->subsections[j], &p->sections[at++], out);
	}
	for (size_t i = 0; i < content->reference_count && i < p->reference_count; i++)
		add_spot(out, SPOT_SOURCE, p->references[i], NULL)->reference =
		    &content->references[i];
	if (out->count > 1)
		qsort(out->list, out->count, sizeof(*out->list), by_spot);
}

struct places_spot *
places_spot(const struct places_spots *spots, unsigned line, enum spot_kind kind)
{
	const struct places_spot key = { .line = line, .kind = kind };

	return line == 0 ? NULL : bsearch(&key, spots->list, spots->count, sizeof(key), by_spot);
}
