#include "action/article/block-facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "content/content-read.h"
#include "import/markdown/body.h"
#include "import/markdown/extra.h"
#include "import/markdown/sections.h"
#include "screen/tr.h"

enum fact_kind { FACT_TABLE, FACT_LIST, FACT_CALLOUT, FACT_QUOTE, FACT_SOURCE, FACT_KINDS };

/* Their names, what is said of each, and the block of the text. */
static const struct {
	const char *name, *text, *flag;
	enum places_kind node;
} kinds[FACT_KINDS] = {
	[FACT_TABLE] = { "table", "caption", "rowHeader", PLACES_TABLE },
	[FACT_LIST] = { "list", NULL, "steps", PLACES_LIST },
	[FACT_CALLOUT] = { "callout", "title", NULL, PLACES_QUOTE },
	[FACT_QUOTE] = { "quote", "cite", NULL, PLACES_QUOTE },
	[FACT_SOURCE] = { "source", "accessed", NULL, PLACES_NOTE },
};

struct block_fact {
	unsigned line; /* 0: the block is gone, and nothing was to be kept of it */
	enum fact_kind kind;
	bool has_text, has_flag;
	const char *text; /* NULL takes it away */
	bool flag;
	bool carried; /* nobody named it: it stays as it was, where it can */
};

/* ---- reading */

static void
read_fact(struct jread *r, json_t *json, struct block_fact *out)
{
	const char *kind = jread_line(r, json, "kind", JREAD_NEEDED, 20), *text, *flag;
	size_t max = CONTENT_TEXT_MAX;

	*out = (struct block_fact) { .line = (unsigned)jread_int(
					 r, json, "line", JREAD_NEEDED, 1, 10 * 1000 * 1000, 1) };
	while (out->kind < FACT_KINDS && kind != NULL && strcmp(kinds[out->kind].name, kind) != 0)
		out->kind++;
	if (kind == NULL || out->kind == FACT_KINDS) {
		jread_refuse(r, "kind", "must be table, list, callout, quote or source.");
		return;
	}
	text = kinds[out->kind].text;
	flag = kinds[out->kind].flag;
	if (out->kind == FACT_CALLOUT)
		max = CONTENT_HEADING_MAX;
	if (text != NULL && json_object_get(json, text) != NULL) {
		out->has_text = true;
		out->text = content_text_line_or_null(r, json, text, max);
	}
	if (flag != NULL && json_object_get(json, flag) != NULL) {
		out->has_flag = true;
		out->flag = jread_bool(r, json, flag, JREAD_ANY, false);
	}
	jread_only(r, json,
	    arena_printf(r->c->arena, "line kind %s %s", text != NULL ? text : "",
		flag != NULL ? flag : ""));
}

struct err *
block_facts_read(struct ctx *c, const char *json, struct block_facts *out)
{
	size_t len = json != NULL ? strlen(json) : 0;
	json_t *root = NULL;
	struct jread r;
	struct err *err = NULL;

	*out = (struct block_facts) { .count = 0 };
	if (len == 0)
		return NULL;
	if (len > BLOCK_FACTS_MAX)
		err = refuse(c, ERR_INVALID,
		    tr_mark(
			"The captions and titles that you changed are longer than %zu KiB together. Save some of them first."),
		    BLOCK_FACTS_MAX >> 10);
	if (err == NULL)
		err = jread_parse(c, "facts", json, len, &root);
	if (err == NULL) {
		out->count = json_array_size(root);
		out->list = arena_array(c->arena, out->count, sizeof(*out->list));
		jread_begin(&r, c, "facts");
		if (!json_is_array(root))
			jread_refuse(&r, NULL, "must be an array.");
		for (size_t i = 0; i < out->count; i++) {
			jread_enter_element(&r, i);
			read_fact(
			    &r, jread_element_object(&r, json_array_get(root, i)), &out->list[i]);
			jread_leave(&r);
		}
		err = jread_end(&r);
	}
	if (err != NULL)
		err->param = "text";
	return err;
}

/* ---- the blocks of a content */

/* Where a content has what is said of a block. */
struct spot {
	struct section *section;
	struct table *table;
	struct callout *callout;
	struct block *block; /* a quote, a list or steps */
	struct reference *reference;
};

/* Finds the block of a kind that begins in a line. */
static bool
find_in_section(enum fact_kind kind, unsigned line, struct section *s,
    const struct places_section *at, struct spot *out)
{
	out->section = s;
	for (size_t i = 0; kind == FACT_TABLE && i < s->table_count && i < at->table_count; i++) {
		if (at->tables[i] == line)
			out->table = &s->tables[i];
	}
	for (size_t i = 0; kind == FACT_CALLOUT && i < s->callout_count && i < at->callout_count;
	     i++) {
		if (at->callouts[i] == line)
			out->callout = &s->callouts[i];
	}
	for (size_t i = 0; i < s->body_count && i < at->body_count; i++) {
		enum block_type type = s->body[i].type;
		if (at->body[i] == line &&
		    (kind == FACT_QUOTE
			    ? type == BLOCK_QUOTE
			    : kind == FACT_LIST && (type == BLOCK_LIST || type == BLOCK_STEPS)))
			out->block = &s->body[i];
	}
	return out->table != NULL || out->callout != NULL || out->block != NULL;
}

static bool
find_spot(const struct content *content, const struct places *p, enum fact_kind kind, unsigned line,
    struct spot *out)
{
	*out = (struct spot) { .section = NULL };
	for (size_t i = 0;
	     kind == FACT_SOURCE && i < p->reference_count && i < content->reference_count; i++) {
		if (p->references[i] == line)
			out->reference = &content->references[i];
	}
	for (size_t i = 0; kind != FACT_SOURCE && i < p->count; i++) {
		struct section *s = content_section(content, p->sections[i].id);
		if (s != NULL && find_in_section(kind, line, s, &p->sections[i], out))
			return true;
	}
	return out->reference != NULL;
}

/* Makes a numbered list of a section's steps again. */
static void
list_of_steps(struct ctx *c, struct section *s, struct block *block)
{
	struct list list = { .ordered = true, .item_count = s->step_count };

	list.items = arena_array(c->arena, list.item_count, sizeof(*list.items));
	for (size_t i = 0; i < s->step_count; i++) {
		const struct step *step = &s->steps[i];
		list.items[i].text = step->text[0] == '\0' ? step->name
							   : arena_printf(c->arena, "%s\n\n%s",
								 step->name, step->text);
	}
	*block = (struct block) { .type = BLOCK_LIST, .list = list };
	s->steps = NULL;
	s->step_count = 0;
}

static struct err *
set_list(struct ctx *c, const struct block_fact *fact, struct section *s, struct block *block)
{
	if (!fact->has_flag || fact->flag == (block->type == BLOCK_STEPS))
		return NULL;
	if (!fact->flag)
		list_of_steps(c, s, block);
	else if (s->step_count > 0 && !fact->carried)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Line %u: this section has a list of steps already. Make one of the two a numbered list."),
		    fact->line);
	else if (s->step_count == 0 && !extra_make_steps(c, s, block) && !fact->carried)
		return refuse(c, ERR_INVALID,
		    tr_mark("Line %u: steps are a numbered list without a list in it."),
		    fact->line);
	return NULL;
}

/* One that only takes away needs no block: an empty one is where nothing can be. */
static bool
says_nothing(const struct block_fact *fact)
{
	return fact->text == NULL && !fact->flag;
}

static struct err *
set_fact(struct ctx *c, const struct block_fact *fact, const struct places *p, struct content *out)
{
	struct spot spot;

	if (!find_spot(out, p, fact->kind, fact->line, &spot)) {
		if (says_nothing(fact) || fact->carried)
			return NULL;
		if (places_node(p, fact->line, kinds[fact->kind].node) == NULL)
			return refuse(c, ERR_INVALID,
			    tr_mark(
				"Line %u: the block whose caption or title you changed is not in this line. Open the article again in another tab, and copy your text there."),
			    fact->line);
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Line %u: a caption, a title, a name or steps have no place here, because the block is part of an answer or of a list. Take it away, or move the block."),
		    fact->line);
	}
	if (spot.table != NULL && fact->has_flag)
		spot.table->row_header = fact->flag;
	if (fact->kind == FACT_LIST)
		return set_list(c, fact, spot.section, spot.block);
	if (fact->has_text)
		*(fact->kind == FACT_TABLE	 ? &spot.table->caption
		    : fact->kind == FACT_CALLOUT ? &spot.callout->title
		    : fact->kind == FACT_QUOTE	 ? &spot.block->cite
						 : &spot.reference->accessed) = fact->text;
	return NULL;
}

/* ---- what a block of one text is in another one */

/* A block with its lines. */
struct lined {
	const struct places_node *node;
	const char *from;
	size_t len;
};

static int
compare_lines(const struct lined *a, const struct lined *b)
{
	if (a->node->kind != b->node->kind)
		return a->node->kind < b->node->kind ? -1 : 1;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return memcmp(a->from, b->from, a->len);
}

static int
by_lines(const void *x, const void *y)
{
	const struct lined *a = x, *b = y;
	int order = compare_lines(a, b);

	return order != 0 ? order : (a->node > b->node) - (a->node < b->node);
}

/* Returns the blocks of a text, those with the same lines beside each other. */
static struct lined *
sort_lines(struct ctx *c, const struct places *p, const char *text)
{
	struct lined *out = arena_array(c->arena, p->node_count + 1, sizeof(*out));
	const char *at = text;
	unsigned line = 1;

	for (size_t i = 0; i < p->node_count; i++) {
		const struct places_node *n = &p->nodes[i];
		at = places_text(at, n->first >= line ? n->first - line + 1 : 1);
		line = n->first >= line ? n->first : line;
		const char *last = places_text(at, n->last - line + 1);
		out[i] = (struct lined) { n, at, (size_t)(last - at) + strcspn(last, "\n") };
	}
	if (p->node_count > 1)
		qsort(out, p->node_count, sizeof(*out), by_lines);
	return out;
}

/* Returns for each block of a text the one of another text with the same lines, of several the one
 * with its number among these, or the last; NULL where there is none. */
static const struct places_node **
match(struct ctx *c, const struct places *p, const char *text, const struct places *other,
    const char *in)
{
	const struct places_node **out = arena_array(c->arena, p->node_count + 1, sizeof(*out));
	struct lined *a = sort_lines(c, p, text), *b = sort_lines(c, other, in);
	size_t j = 0;

	for (size_t i = 0; i < p->node_count; i++) {
		bool again = i > 0 && compare_lines(&a[i - 1], &a[i]) == 0;
		if (again && j + 1 < other->node_count && compare_lines(&a[i], &b[j + 1]) == 0)
			j++;
		while (!again && j < other->node_count && compare_lines(&b[j], &a[i]) < 0)
			j++;
		if (j < other->node_count && compare_lines(&a[i], &b[j]) == 0)
			out[a[i].node - p->nodes] = b[j].node;
	}
	return out;
}

struct err *
block_facts_check(
    struct ctx *c, const struct content *changed, const char *language, struct content *out)
{
	struct buf json;
	json_t *root;
	struct err *err;

	buf_init(&json, c->arena, 4 * (size_t)CONTENT_BYTES_MAX);
	content_to_json(changed, NULL, &json);
	if (buf_full(&json))
		return refuse(c, ERR_INVALID, tr_mark("The article is longer than %d MiB."),
		    CONTENT_BYTES_MAX >> 20);
	err = jread_parse(c, "content", json.data, json.len, &root);
	if (err == NULL)
		err = content_from_json(c, "content", root, language, out);
	if (err != NULL)
		err->param = NULL;
	return err;
}

/* ---- a text with what is known of its blocks */

static bool
is_named(const struct block_facts *facts, unsigned line)
{
	for (size_t i = 0; i < facts->count; i++) {
		if (facts->list[i].line == line)
			return true;
	}
	return false;
}

/* Returns what a content says of a block (NULL: there was none). */
static struct block_fact
fact_of(const struct content *content, const struct places *p, enum fact_kind kind,
    const struct places_node *node)
{
	struct block_fact fact = { .kind = kind,
		.carried = true,
		.has_text = kind != FACT_LIST,
		.has_flag = kind == FACT_LIST || kind == FACT_TABLE };
	struct spot spot;

	if (node == NULL || !find_spot(content, p, kind, node->first, &spot))
		return fact;
	if (kind == FACT_LIST) {
		fact.flag = spot.block->type == BLOCK_STEPS;
		return fact;
	}
	fact.flag = kind == FACT_TABLE && spot.table->row_header;
	fact.text = kind == FACT_TABLE	   ? spot.table->caption
		    : kind == FACT_CALLOUT ? spot.callout->title
					   : spot.block->cite;
	return fact;
}

/* Whether a note has its title in its first line. */
static bool
is_titled(const char *line)
{
	const char *close = strchr(line, ']');

	return close != NULL && close < line + strcspn(line, "\n") &&
	       close[1 + strspn(close + 1, "+- ")] != '\n' &&
	       close[1 + strspn(close + 1, "+- ")] != '\0';
}

/* Gives each block whose lines are new the block that it was before, as far as that can be said:
 * the next one of its kind that no other block is. */
static void
pair_rest(struct ctx *c, const struct places *p, const struct places *before,
    const struct places_node **same)
{
	bool *used = arena_array(c->arena, before->node_count + 1, sizeof(*used));
	size_t next[PLACES_OTHER + 1] = { 0 };

	for (size_t i = 0; i < p->node_count; i++) {
		if (same[i] != NULL)
			used[same[i] - before->nodes] = true;
	}
	for (size_t i = 0; i < p->node_count; i++) {
		enum places_kind kind = p->nodes[i].kind;
		size_t at = next[kind];
		if (same[i] == NULL) {
			while (
			    at < before->node_count && (used[at] || before->nodes[at].kind != kind))
				at++;
			if (at == before->node_count)
				continue;
			same[i] = &before->nodes[at];
		}
		next[kind] = (size_t)(same[i] - before->nodes) + 1;
	}
}

/* The reader finds what it knows of a block by its number in its section. A block that kept its
 * lines keeps what was said of it, though another one came before it: this adds it to `facts`. */
static struct err *
carry(struct ctx *c, const struct settings *settings, const struct snapshot *base, const char *was,
    const char *text, const struct places *p, struct block_facts *facts)
{
	struct places before = { .head = p->head };
	const struct places_node **same;
	struct content content;
	struct block_facts all;

	TRY(body_places(c, settings, base, base->title, was, &content, &before));
	same = match(c, p, text, &before, was);
	pair_rest(c, p, &before, same);
	all.list = arena_array(c->arena, facts->count + 2 * p->node_count, sizeof(*all.list));
	all.count = 0;
	for (size_t i = 0; i < p->node_count; i++) {
		unsigned line = p->nodes[i].first;
		for (enum fact_kind kind = 0; kind < FACT_SOURCE; kind++) {
			if (kinds[kind].node != p->nodes[i].kind || is_named(facts, line) ||
			    (kind == FACT_CALLOUT && is_titled(places_text(text, line))))
				continue;
			all.list[all.count] = fact_of(&content, &before, kind, same[i]);
			all.list[all.count++].line = line;
		}
	}
	if (facts->count > 0)
		memcpy(all.list + all.count, facts->list, facts->count * sizeof(*all.list));
	all.count += facts->count;
	*facts = all;
	return NULL;
}

/* Whether something is said of a section's blocks. */
static bool
has_facts(const struct section *s)
{
	bool has = s->step_count > 0;

	for (size_t i = 0; i < s->table_count; i++)
		has = has || s->tables[i].caption != NULL || s->tables[i].row_header;
	for (size_t i = 0; i < s->callout_count; i++)
		has = has || s->callouts[i].title != NULL;
	for (size_t i = 0; i < s->body_count; i++)
		has = has || s->body[i].cite != NULL;
	for (size_t i = 0; i < s->subsection_count; i++)
		has = has || has_facts(&s->subsections[i]);
	return has;
}

struct err *
block_facts_set(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *was, const char *title, const char *text, const struct block_facts *facts,
    struct content *out)
{
	struct places places = { .head = NULL };
	struct block_facts all = *facts;
	struct content changed;
	bool has = false;
	struct err *err;

	for (size_t i = 0; was != NULL && i < base->content.section_count; i++)
		has = has || has_facts(&base->content.sections[i]);
	if (facts->count == 0 && !has)
		return body_read(c, settings, base, title, text, out);
	err = body_places(c, settings, base, title, text, &changed, &places);
	if (err == NULL && has)
		err = carry(c, settings, base, was, text, &places, &all);
	/* A section has one list of steps: what takes it from another list goes first. */
	for (size_t i = 0; i < all.count && err == NULL; i++) {
		if (all.list[i].kind == FACT_LIST && all.list[i].line > 0 &&
		    says_nothing(&all.list[i]))
			err = set_fact(c, &all.list[i], &places, &changed);
	}
	for (size_t i = 0; i < all.count && err == NULL; i++) {
		if (all.list[i].line > 0)
			err = set_fact(c, &all.list[i], &places, &changed);
	}
	if (err == NULL)
		err = block_facts_check(c, &changed, base->language, out);
	if (err != NULL && err->code == ERR_INVALID)
		err->param = "text";
	return err;
}

/* ---- another text */

/* Returns the block of a kind with this number, and how many there are. */
static const struct places_node *
nth_node(const struct places *p, enum places_kind kind, size_t n, size_t *count)
{
	const struct places_node *found = NULL;

	*count = 0;
	for (size_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].kind == kind && (*count)++ == n)
			found = &p->nodes[i];
	}
	return found;
}

/* Returns the block that somebody else made of one: where both texts have as many of its kind, the
 * one with its number, if that is none of the others. NULL: nobody can say. */
static const struct places_node *
counterpart(const struct places *p, const struct places_node **same, const struct places_node *node,
    const struct places *other)
{
	const struct places_node *found;
	size_t number = 0, ours, theirs;

	for (const struct places_node *n = p->nodes; n < node; n++)
		number += n->kind == node->kind;
	(void)nth_node(p, node->kind, number, &ours);
	found = nth_node(other, node->kind, number, &theirs);
	for (size_t i = 0; i < p->node_count && found != NULL; i++) {
		if (same[i] == found)
			found = NULL;
	}
	return ours == theirs ? found : NULL;
}

struct err *
block_facts_move(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *typed, const struct snapshot *theirs, const char *merged, struct block_facts *facts)
{
	struct places from = { .head = NULL }, to = { .head = NULL };
	const struct places_node **same;
	struct content content;

	if (facts->count == 0 || strcmp(typed, merged) == 0)
		return NULL;
	TRY(body_places(c, settings, base, base->title, typed, &content, &from));
	TRY(body_places(c, settings, theirs, theirs->title, merged, &content, &to));
	same = match(c, &from, typed, &to, merged);
	for (size_t i = 0; i < facts->count; i++) {
		struct block_fact *fact = &facts->list[i];
		const struct places_node *node =
					     places_node(&from, fact->line, kinds[fact->kind].node),
					 *now;
		/* A line without its block is refused when it is set. */
		if (node == NULL)
			continue;
		now = same[node - from.nodes];
		if (now == NULL)
			now = counterpart(&from, same, node, &to);
		if (now == NULL && !says_nothing(fact))
			return refuse(c, ERR_CONFLICT,
			    tr_mark(
				"Somebody else changed or removed the block in line %u, whose caption or title you changed. Copy yours, and open the article again."),
			    fact->line);
		fact->line = now != NULL ? now->first : 0;
	}
	return NULL;
}
