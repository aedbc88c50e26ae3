#include "action/article/block-facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "content/content-read.h"
#include "import/markdown/body.h"
#include "import/markdown/extra.h"
#include "import/markdown/sections.h"
#include "screen/tr.h"

/* Their names, what is said of each, and the block of the text. */
static const struct {
	const char *name, *text, *flag;
	enum places_kind node;
} kinds[SPOT_KINDS] = {
	[SPOT_TABLE] = { "table", "caption", "rowHeader", PLACES_TABLE },
	[SPOT_LIST] = { "list", NULL, "steps", PLACES_LIST },
	[SPOT_CALLOUT] = { "callout", "title", NULL, PLACES_QUOTE },
	[SPOT_QUOTE] = { "quote", "cite", NULL, PLACES_QUOTE },
	[SPOT_SOURCE] = { "source", "accessed", NULL, PLACES_NOTE },
};

struct block_fact {
	unsigned line; /* 0: the block is gone, and nothing was to be kept of it */
	enum spot_kind kind;
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
	while (out->kind < SPOT_KINDS && kind != NULL && strcmp(kinds[out->kind].name, kind) != 0)
		out->kind++;
	if (kind == NULL || out->kind == SPOT_KINDS) {
		jread_refuse(r, "kind", "must be table, list, callout, quote or source.");
		return;
	}
	text = kinds[out->kind].text;
	flag = kinds[out->kind].flag;
	if (out->kind == SPOT_CALLOUT)
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

static bool
is_steps(const struct places_spot *spot)
{
	return spot->block == NULL || spot->block->type == BLOCK_STEPS;
}

/* Makes a numbered list of a section's steps again, where they are, else at its end. */
static void
make_list(struct ctx *c, const struct places_spot *spot)
{
	struct section *s = spot->section;
	struct list list = { .ordered = true, .item_count = s->step_count };
	struct block *block = spot->block;

	list.items = arena_array(c->arena, list.item_count, sizeof(*list.items));
	for (size_t i = 0; i < s->step_count; i++) {
		const struct step *step = &s->steps[i];
		list.items[i].text = step->text[0] == '\0' ? step->name
							   : arena_printf(c->arena, "%s\n\n%s",
								 step->name, step->text);
	}
	if (block == NULL) {
		s->body = arena_grow(c->arena, s->body, s->body_count * sizeof(*s->body),
		    (s->body_count + 1) * sizeof(*s->body));
		block = &s->body[s->body_count++];
	}
	*block = (struct block) { .type = BLOCK_LIST, .list = list };
	s->steps = NULL;
	s->step_count = 0;
}

static struct err *
set_list(struct ctx *c, const struct block_fact *fact, const struct places_spot *spot)
{
	if (!fact->has_flag || fact->flag == is_steps(spot))
		return NULL;
	if (!fact->flag)
		make_list(c, spot);
	else if (spot->section->step_count > 0)
		return refuse(c, ERR_INVALID,
		    tr_mark(
			"Line %u: this section has a list of steps already. Make one of the two a numbered list."),
		    fact->line);
	else if (!extra_make_steps(c, spot->section, spot->block))
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
no_place(struct ctx *c, const struct block_fact *fact, const struct places *p)
{
	if (says_nothing(fact))
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

/* Returns where the text of a fact is in its block; NULL: it has none. */
static const char **
text_of(const struct places_spot *spot)
{
	switch (spot->kind) {
	case SPOT_TABLE:
		return &spot->table->caption;
	case SPOT_CALLOUT:
		return &spot->callout->title;
	case SPOT_QUOTE:
		return &spot->block->cite;
	case SPOT_SOURCE:
		return &spot->reference->accessed;
	default:
		return NULL;
	}
}

static struct err *
set_fact(struct ctx *c, const struct block_fact *fact, const struct places *p,
    const struct places_spots *spots)
{
	const struct places_spot *spot = places_spot(spots, fact->line, fact->kind);

	if (fact->line == 0)
		return NULL;
	if (spot == NULL)
		return no_place(c, fact, p);
	if (fact->kind == SPOT_LIST)
		return set_list(c, fact, spot);
	if (fact->kind == SPOT_TABLE && fact->has_flag)
		spot->table->row_header = fact->flag;
	if (fact->has_text)
		*text_of(spot) = fact->text;
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

/* Returns the blocks of a text. */
static const struct lined *
find_lines(struct ctx *c, const struct places *p, const char *text)
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
	return out;
}

/* Returns them in another order: those with the same lines beside each other. */
static const struct lined *
sort_lines(struct ctx *c, const struct lined *lines, size_t count)
{
	struct lined *out = arena_array(c->arena, count + 1, sizeof(*out));

	memcpy(out, lines, count * sizeof(*out));
	if (count > 1)
		qsort(out, count, sizeof(*out), by_lines);
	return out;
}

/* Two texts, and what is the same in them. */
struct matching {
	const struct places *p, *other;
	const struct lined *a, *b; /* their blocks */
	const struct places_node **out; /* of each block of p the one of other, or NULL */
	bool *used; /* of each block of other: it is one of p */
};

static void
pair(struct matching *m, const struct lined *a, const struct lined *b)
{
	m->out[a->node - m->p->nodes] = b->node;
	m->used[b->node - m->other->nodes] = true;
}

/* Pairs what has the same lines: in order, and those that are left with the last; or only what is
 * there once in each text. */
static void
pair_equal(struct matching *m, const struct lined *a, const struct lined *b, bool once)
{
	const struct lined *a_end = a + m->p->node_count, *b_end = b + m->other->node_count;

	while (a < a_end) {
		const struct lined *first = a, *last;
		while (b < b_end && compare_lines(b, first) < 0)
			b++;
		for (last = b; last < b_end && compare_lines(last, first) == 0;)
			last++;
		while (a < a_end && compare_lines(a, first) == 0)
			a++;
		if (last == b || (once && (a - first > 1 || last - b > 1)))
			continue;
		for (; first < a; first++) {
			if (m->out[first->node - m->p->nodes] != NULL)
				continue;
			while (b + 1 < last && m->used[b->node - m->other->nodes])
				b++;
			pair(m, first, b);
		}
	}
}

/* Pairs equal blocks at the beginning, at the end, and beside a pair. */
static void
pair_neighbours(struct matching *m)
{
	const struct lined *a = m->a, *b = m->b;
	size_t n = m->p->node_count, count = m->other->node_count, j = 0;

	for (size_t i = 0; i < n; i++, j++) {
		if (m->out[i] != NULL)
			j = (size_t)(m->out[i] - m->other->nodes);
		else if (j < count && !m->used[j] && compare_lines(&a[i], &b[j]) == 0)
			pair(m, &a[i], &b[j]);
		else
			j = count;
	}
	j = count;
	for (size_t i = n; i-- > 0;) {
		if (m->out[i] != NULL)
			j = (size_t)(m->out[i] - m->other->nodes);
		else if (j > 0 && !m->used[j - 1] && compare_lines(&a[i], &b[j - 1]) == 0)
			pair(m, &a[i], &b[--j]);
		else
			j = 0;
	}
}

/* Returns for each block of a text the one of another text that has its lines; NULL where there is
 * none. Which one of several it is, its neighbours tell first, then their order. */
static const struct places_node **
match(struct ctx *c, const struct places *p, const char *text, const struct places *other,
    const char *in)
{
	struct matching m = { p, other, find_lines(c, p, text), find_lines(c, other, in),
		arena_array(c->arena, p->node_count + 1, sizeof(*m.out)),
		arena_array(c->arena, other->node_count + 1, sizeof(*m.used)) };
	const struct lined *a = sort_lines(c, m.a, p->node_count);
	const struct lined *b = sort_lines(c, m.b, other->node_count);

	pair_equal(&m, a, b, true);
	pair_neighbours(&m);
	pair_equal(&m, a, b, false);
	return m.out;
}

/* ---- a text with what is known of its blocks */

/* Whether a note has its title in the line of its mark. */
static bool
is_titled(const char *line)
{
	while (line[strspn(line, " \t>")] == '\n')
		line += strspn(line, " \t>") + 1;
	line += strcspn(line, "]\n");
	return *line == ']' && strcspn(line + 1 + strspn(line + 1, "+- "), "\n") > 0;
}

/* Returns of each block whether it is the second sort of its kind: a note among quotes, a numbered
 * list among lists. */
static const bool *
sorts_of(struct ctx *c, const struct placed_text *t)
{
	bool *out = arena_array(c->arena, t->places.node_count + 1, sizeof(*out));
	struct places_spots spots;

	places_find_spots(c, &t->content, &t->places, &spots);
	for (size_t i = 0; i < t->places.node_count; i++) {
		const struct places_node *n = &t->places.nodes[i];
		const struct places_spot *list = places_spot(&spots, n->first, SPOT_LIST);
		if (n->kind == PLACES_QUOTE)
			out[i] = places_spot(&spots, n->first, SPOT_CALLOUT) != NULL;
		else if (n->kind == PLACES_LIST && list != NULL)
			out[i] = is_steps(list) || list->block->list.ordered;
	}
	return out;
}

/* Gives each block whose lines are new the block that it was, as far as that can be said: the next
 * one of its kind and sort that no other block is, before the next heading that stayed. */
static void
pair_rest(struct ctx *c, const struct placed_text *now, const struct placed_text *was,
    const struct places_node **same)
{
	const struct places *p = &now->places, *before = &was->places;
	const bool *sort = sorts_of(c, now), *old_sort = sorts_of(c, was);
	bool *used = arena_array(c->arena, before->node_count + 1, sizeof(*used));
	size_t next[PLACES_OTHER + 1] = { 0 };

	for (size_t i = 0; i < p->node_count; i++) {
		if (same[i] != NULL)
			used[same[i] - before->nodes] = true;
	}
	for (size_t i = 0; i < p->node_count; i++) {
		enum places_kind kind = p->nodes[i].kind;
		size_t end = before->node_count;
		for (size_t at = next[kind]; same[i] == NULL && at < end; at++) {
			if (used[at])
				end = before->nodes[at].kind == PLACES_HEADING ? at : end;
			else if (before->nodes[at].kind == kind && old_sort[at] == sort[i])
				same[i] = &before->nodes[at];
		}
		if (same[i] == NULL)
			continue;
		next[kind] = (size_t)(same[i] - before->nodes) + 1;
		for (size_t k = 0; kind == PLACES_HEADING && k <= PLACES_OTHER; k++)
			next[k] = next[kind];
	}
}

/* Gives a block what was said of another one of its kind (NULL: of none); lists in two passes. */
static void
give(struct ctx *c, const struct places_spot *from, const struct places_spot *to, bool steps)
{
	bool was = from != NULL && to->kind == SPOT_LIST && is_steps(from);

	if (to->kind != SPOT_LIST) {
		*text_of(to) = from != NULL ? *text_of(from) : NULL;
		if (to->kind == SPOT_TABLE)
			to->table->row_header = from != NULL && from->table->row_header;
	} else if (!was && !steps && is_steps(to)) {
		make_list(c, to);
	} else if (was && steps && !is_steps(to) && to->section->step_count == 0) {
		(void)extra_make_steps(c, to->section, to->block);
	}
}

void
block_facts_carry(struct ctx *c, const struct placed_text *was, struct placed_text *now)
{
	const struct places *p = &now->places;
	const struct places_node **same = match(c, p, now->text, &was->places, was->text);
	struct places_spots before, after;

	pair_rest(c, now, was, same);
	places_find_spots(c, &was->content, &was->places, &before);
	for (int steps = 0; steps < 2; steps++) {
		/* A list that a section got has made others of its blocks. */
		places_find_spots(c, &now->content, p, &after);
		for (size_t i = 0, n = 0; i < after.count; i++) {
			const struct places_spot *to = &after.list[i];
			while (n < p->node_count && p->nodes[n].first < to->line)
				n++;
			if (n == p->node_count || p->nodes[n].first != to->line ||
			    to->kind == SPOT_SOURCE ||
			    (to->kind == SPOT_CALLOUT &&
				is_titled(places_text(now->text, to->line))))
				continue;
			const struct places_spot *from =
			    places_spot(&before, same[n] != NULL ? same[n]->first : 0, to->kind);
			/* A title that was typed went with its line. */
			if (from != NULL && to->kind == SPOT_CALLOUT &&
			    is_titled(places_text(was->text, from->line)))
				from = NULL;
			give(c, from, to, steps == 1);
		}
	}
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

/* Reads a text, and gives its blocks what was said of those of `was`, the text of `base`. */
static struct err *
read_carried(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *was, const char *title, struct placed_text *now)
{
	struct placed_text before = { .text = was };

	TRY(body_places(c, settings, base, title, now->text, &now->content, &now->places));
	before.places.head = now->places.head;
	TRY(body_places(c, settings, base, title, was, &before.content, &before.places));
	block_facts_carry(c, &before, now);
	return NULL;
}

struct err *
block_facts_set(struct ctx *c, const struct settings *settings, const struct snapshot *base,
    const char *was, const char *title, const char *text, const struct block_facts *facts,
    struct content *out)
{
	struct placed_text now = { .text = text };
	struct places_spots spots;
	bool has = false;
	struct err *err;

	for (size_t i = 0; was != NULL && i < base->content.section_count; i++)
		has = has || has_facts(&base->content.sections[i]);
	if (facts->count == 0 && !has)
		return body_read(c, settings, base, title, text, out);
	err = has ? read_carried(c, settings, base, was, title, &now)
		  : body_places(c, settings, base, title, text, &now.content, &now.places);
	/* A section has one list of steps: what takes it from another list goes first. */
	for (int pass = 0; pass < 2 && err == NULL; pass++) {
		places_find_spots(c, &now.content, &now.places, &spots);
		for (size_t i = 0; i < facts->count && err == NULL; i++) {
			const struct block_fact *fact = &facts->list[i];
			if (pass == 1 || (fact->kind == SPOT_LIST && says_nothing(fact)))
				err = set_fact(c, fact, &now.places, &spots);
		}
	}
	if (err == NULL)
		err = block_facts_check(c, &now.content, base->language, out);
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

/* Returns what is said of the block in a line; "": nothing. */
static const char *
said_in(const struct places_spots *spots, unsigned line, enum spot_kind kind)
{
	const struct places_spot *spot = places_spot(spots, line, kind);

	return spot != NULL ? text_or_empty(*text_of(spot)) : "";
}

struct err *
block_facts_move(struct ctx *c, const struct settings *settings,
    const struct block_facts_sides *sides, const char *typed, const char *merged,
    struct block_facts *facts)
{
	const struct snapshot *base = sides->base, *theirs = sides->theirs;
	struct placed_text from = { .text = typed }, to = { .text = merged };
	struct places_spots before, after;
	const struct places_node **same;

	if (facts->count == 0)
		return NULL;
	TRY(read_carried(c, settings, base, sides->was, base->title, &from));
	TRY(read_carried(c, settings, theirs, sides->their_text, theirs->title, &to));
	places_find_spots(c, &from.content, &from.places, &before);
	places_find_spots(c, &to.content, &to.places, &after);
	same = match(c, &from.places, typed, &to.places, merged);
	for (size_t i = 0; i < facts->count; i++) {
		struct block_fact *fact = &facts->list[i];
		const struct places_node *now,
		    *node = places_node(&from.places, fact->line, kinds[fact->kind].node);
		const char *said, *mine = text_or_empty(fact->text);
		/* A line without its block is refused when it is set. */
		if (node == NULL)
			continue;
		now = same[node - from.places.nodes];
		if (now == NULL)
			now = counterpart(&from.places, same, node, &to.places);
		if (now == NULL && !says_nothing(fact))
			return refuse(c, ERR_CONFLICT,
			    tr_mark(
				"Somebody else changed or removed the block in line %u, whose caption or title you changed. Copy yours, and open the article again."),
			    fact->line);
		said = fact->has_text && now != NULL && !sides->is_own
			   ? said_in(&after, now->first, fact->kind)
			   : mine;
		if (strcmp(said, mine) != 0 &&
		    strcmp(said, said_in(&before, fact->line, fact->kind)) != 0)
			return refuse(c, ERR_CONFLICT,
			    tr_mark(
				"Line %u: somebody else made this caption, title or name “%s”, and you “%s”. Write theirs and save, then change it."),
			    fact->line, said, mine);
		fact->line = now != NULL ? now->first : 0;
	}
	return NULL;
}
