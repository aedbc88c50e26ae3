#include "action/article/block-facts.h"

#include <limits.h>
#include <string.h>

#include "base/arena.h"
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
	bool is_steps = block->type == BLOCK_STEPS;

	if (!fact->has_flag || fact->flag == is_steps)
		return NULL;
	if (!fact->flag) {
		list_of_steps(c, s, block);
		return NULL;
	}
	if (s->step_count > 0)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Line %u: this section has a list of steps already. Make one of the two a numbered list."),
		    fact->line);
	if (!extra_make_steps(c, s, block))
		return refuse(c, ERR_INVALID,
		    tr_mark("Line %u: steps are a numbered list without a list in it."),
		    fact->line);
	return NULL;
}

/* Sets a fact of a section that has its block. *found says whether it has. */
static struct err *
set_in_section(struct ctx *c, const struct block_fact *fact, struct section *s,
    const struct places_section *at, bool *found)
{
	for (size_t i = 0; fact->kind == FACT_TABLE && i < s->table_count && i < at->table_count;
	     i++) {
		if (at->tables[i] != fact->line)
			continue;
		*found = true;
		if (fact->has_text)
			s->tables[i].caption = fact->text;
		if (fact->has_flag)
			s->tables[i].row_header = fact->flag;
	}
	for (size_t i = 0;
	     fact->kind == FACT_CALLOUT && i < s->callout_count && i < at->callout_count; i++) {
		if (at->callouts[i] != fact->line)
			continue;
		*found = true;
		if (fact->has_text)
			s->callouts[i].title = fact->text;
	}
	for (size_t i = 0; i < s->body_count && i < at->body_count; i++) {
		struct block *block = &s->body[i];
		if (at->body[i] != fact->line)
			continue;
		if (fact->kind == FACT_QUOTE && block->type == BLOCK_QUOTE) {
			*found = true;
			if (fact->has_text)
				block->cite = fact->text;
		}
		if (fact->kind == FACT_LIST &&
		    (block->type == BLOCK_LIST || block->type == BLOCK_STEPS)) {
			*found = true;
			return set_list(c, fact, s, block);
		}
	}
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
	bool found = false;

	for (size_t i = 0; fact->kind == FACT_SOURCE && i < p->reference_count; i++) {
		if (p->references[i] != fact->line)
			continue;
		found = true;
		if (fact->has_text)
			out->references[i].accessed = fact->text;
	}
	for (size_t i = 0; i < p->count && !found; i++) {
		struct section *s = content_section(out, p->sections[i].id);
		if (s != NULL)
			TRY(set_in_section(c, fact, s, &p->sections[i], &found));
	}
	if (found || says_nothing(fact))
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

struct err *
block_facts_set(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *title, const char *text, const struct block_facts *facts, struct content *out)
{
	struct places places = { .head = NULL };
	struct content changed;
	struct err *err;

	if (facts->count == 0)
		return body_read(c, settings, base, title, text, out);
	err = body_places(c, settings, base, title, text, &changed, &places);
	for (size_t i = 0; i < facts->count && err == NULL; i++) {
		if (facts->list[i].line > 0)
			err = set_fact(c, &facts->list[i], &places, &changed);
	}
	if (err == NULL)
		err = content_again(c, &changed, base->language, out);
	if (err != NULL && err->code == ERR_INVALID)
		err->param = "text";
	return err;
}

/* ---- another text */

static const struct places_node *
nth_node(const struct places *p, enum places_kind kind, size_t n)
{
	for (size_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].kind == kind && n-- == 0)
			return &p->nodes[i];
	}
	return NULL;
}

/* Counts the nodes of a kind before a line; UINT_MAX: all. */
static size_t
count_nodes(const struct places *p, enum places_kind kind, unsigned line)
{
	size_t n = 0;

	for (size_t i = 0; i < p->node_count; i++)
		n += p->nodes[i].kind == kind && p->nodes[i].first < line;
	return n;
}

/* Whether two nodes have the same lines. */
static bool
is_same(const char *a, const struct places_node *x, const char *b, const struct places_node *y)
{
	const char *from = places_text(a, x->first), *at = places_text(b, y->first);
	size_t len =
	    (size_t)(places_text(a, x->last) - from) + strcspn(places_text(a, x->last), "\n");
	size_t other =
	    (size_t)(places_text(b, y->last) - at) + strcspn(places_text(b, y->last), "\n");

	return len == other && memcmp(from, at, len) == 0;
}

/* Returns the node of the other text that a node of a text became: the one with its lines, of
 * several the one with its number among these; else, where both texts have as many of its kind, the
 * one with its number. NULL: nobody can say. */
static const struct places_node *
follow(const struct places *p, const char *text, const struct places_node *node,
    const struct places *other, const char *in)
{
	const struct places_node *found = NULL;
	size_t number = 0;

	for (const struct places_node *n = p->nodes; n < node; n++)
		number += n->kind == node->kind && is_same(text, node, text, n);
	for (size_t i = 0; i < other->node_count; i++) {
		const struct places_node *n = &other->nodes[i];
		if (n->kind != node->kind || !is_same(text, node, in, n))
			continue;
		found = n;
		if (number-- == 0)
			return n;
	}
	if (found != NULL)
		return found;
	if (count_nodes(p, node->kind, UINT_MAX) != count_nodes(other, node->kind, UINT_MAX))
		return NULL;
	return nth_node(other, node->kind, count_nodes(p, node->kind, node->first));
}

struct err *
block_facts_move(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *typed, const struct snapshot *theirs, const char *merged, struct block_facts *facts)
{
	struct places from = { .head = NULL }, to = { .head = NULL };
	struct content content;

	if (facts->count == 0 || strcmp(typed, merged) == 0)
		return NULL;
	TRY(body_places(c, settings, base, base->title, typed, &content, &from));
	TRY(body_places(c, settings, theirs, theirs->title, merged, &content, &to));
	for (size_t i = 0; i < facts->count; i++) {
		struct block_fact *fact = &facts->list[i];
		const struct places_node *node =
		    places_node(&from, fact->line, kinds[fact->kind].node);
		/* A line without its block is refused when it is set. */
		if (node == NULL)
			continue;
		node = follow(&from, typed, node, &to, merged);
		if (node == NULL && !says_nothing(fact))
			return refuse(c, ERR_CONFLICT,
			    tr_mark(
				"Somebody else changed or removed the block in line %u, whose caption or title you changed. Copy yours, and open the article again."),
			    fact->line);
		fact->line = node != NULL ? node->first : 0;
	}
	return NULL;
}
