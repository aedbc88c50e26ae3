#include "import/galley/extra.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

struct applier {
	struct ctx *c;
	const struct galley *g;
	struct losses *losses;
	struct section *s;
	json_t *json; /* of the section */
	const char *heading;
};

static void
gone(struct applier *a, const char *what, size_t number)
{
	losses_add(a->losses, a->g->line,
	    "%s %zu of the section \"%s\" is gone; what galley says of it is"
	    " not used", what, number + 1,
	    losses_excerpt(a->c, a->heading, 60));
}

/* The n-th block of a type, or NULL. */
static struct block *
nth(struct section *s, enum block_type type, size_t n)
{
	for (size_t i = 0; i < s->body_count; i++) {
		if (s->body[i].type == type && n-- == 0)
			return &s->body[i];
	}
	return NULL;
}

static void
remove_block(struct section *s, struct block *block)
{
	size_t at = (size_t)(block - s->body);

	s->body_count--;
	memmove(block, block + 1, (s->body_count - at) * sizeof(*block));
}

/* An item's first paragraph is the step's name, the others are its text. */
static void
make_step(struct applier *a, const char *item, struct step *out)
{
	const char *gap = strstr(item, "\n\n");

	out->name = gap == NULL ? item :
	    arena_text_n(a->c->arena, item, (size_t)(gap - item));
	out->text = gap == NULL ? "" : gap + 2;
}

static bool
is_flat(const struct list *list)
{
	for (size_t i = 0; i < list->item_count; i++) {
		if (list->items[i].list.item_count > 0)
			return false;
	}
	return true;
}

static void
apply_steps(struct applier *a)
{
	json_t *json = json_object_get(a->json, "steps");
	size_t n = (size_t)galley_int(json, "list");
	struct section *s = a->s;
	struct block *block;
	struct list list;

	if (!json_is_object(json))
		return;
	block = nth(s, BLOCK_LIST, n);
	if (block == NULL || !block->list.ordered || !is_flat(&block->list)) {
		gone(a, "the list of steps, list", n);
		return;
	}
	list = block->list;
	s->step_count = list.item_count;
	s->steps = arena_array(a->c->arena, s->step_count, sizeof(*s->steps));
	for (size_t i = 0; i < s->step_count; i++)
		make_step(a, list.items[i].text, &s->steps[i]);
	memset(block, 0, sizeof(*block));
	block->type = BLOCK_STEPS;
	if (galley_bool(json, "loose"))
		remove_block(s, block);
}

static void
apply_table(struct applier *a, json_t *json, struct block *block)
{
	struct table *table = &a->s->tables[block->index];

	table->caption = galley_text(json, "caption");
	table->row_header = galley_bool(json, "rowHeader");
}

static void
apply_callout(struct applier *a, json_t *json, struct block *block)
{
	a->s->callouts[block->index].title = galley_text(json, "title");
}

static void
apply_quote(struct applier *a, json_t *json, struct block *block)
{
	(void)a;
	block->cite = galley_text(json, "cite");
}

static void
apply_image(struct applier *a, json_t *json, struct block *block)
{
	const char *caption = galley_text(json, "caption");

	(void)a;
	if (caption != NULL)
		block->image.caption = caption;
	block->image.width = galley_int(json, "width");
	block->image.height = galley_int(json, "height");
}

/* What is said of the blocks of one type, in their order. */
static void
apply_blocks(struct applier *a, const char *name, enum block_type type,
    void (*apply)(struct applier *a, json_t *json, struct block *block))
{
	json_t *array = json_object_get(a->json, name);

	for (size_t i = 0; i < json_array_size(array); i++) {
		json_t *json = json_array_get(array, i);
		struct block *block = nth(a->s, type, i);
		if (!json_is_object(json))
			continue;
		if (block == NULL)
			gone(a, content_block_name(type), i);
		else
			apply(a, json, block);
	}
}

struct place {
	int64_t at;
	size_t index;
};

static int
compare(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

/* Orders `count` things by their "at"; those of which nothing is said come
 * last. new_index[old] is where each goes. */
static size_t *
order(struct applier *a, const char *name, size_t count)
{
	json_t *array = json_object_get(a->json, name);
	struct place *places = arena_array(a->c->arena, count,
	    sizeof(*places));
	size_t *moved = arena_array(a->c->arena, count, sizeof(*moved));
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		json_t *at = json_object_get(json_array_get(array, i), "at");
		any = any || json_is_integer(at);
		places[i].index = i;
		places[i].at = json_is_integer(at) ? json_integer_value(at) :
		    (int64_t)i;
	}
	if (any && count > 1)
		qsort(places, count, sizeof(*places), compare);
	for (size_t i = 0; i < count; i++)
		moved[places[i].index] = i;
	return moved;
}

/* Renumbers the blocks that place tables (or callouts), and removes those of
 * things that no block places. */
static void
renumber(struct applier *a, const char *name, enum block_type type,
    const size_t *moved)
{
	json_t *array = json_object_get(a->json, name);
	struct section *s = a->s;

	for (size_t i = 0; i < s->body_count;) {
		struct block *block = &s->body[i];
		if (block->type == type && galley_bool(json_array_get(array,
		    block->index), "loose")) {
			remove_block(s, block);
			continue;
		}
		if (block->type == type)
			block->index = moved[block->index];
		i++;
	}
}

static void
apply_order(struct applier *a)
{
	struct section *s = a->s;
	struct table *tables = arena_array(a->c->arena, s->table_count,
	    sizeof(*tables));
	struct callout *callouts = arena_array(a->c->arena, s->callout_count,
	    sizeof(*callouts));
	size_t *moved;

	moved = order(a, "tables", s->table_count);
	for (size_t i = 0; i < s->table_count; i++)
		tables[moved[i]] = s->tables[i];
	renumber(a, "tables", BLOCK_TABLE, moved);
	s->tables = tables;
	moved = order(a, "callouts", s->callout_count);
	for (size_t i = 0; i < s->callout_count; i++)
		callouts[moved[i]] = s->callouts[i];
	renumber(a, "callouts", BLOCK_CALLOUT, moved);
	s->callouts = callouts;
}

static void
apply(struct applier *a, const struct cut *cut)
{
	if (cut->galley == NULL || cut->section == NULL)
		return;
	a->s = cut->section;
	a->json = cut->galley->json;
	a->heading = cut->galley->heading;
	a->s->id = cut->galley->id;
	apply_blocks(a, "tables", BLOCK_TABLE, apply_table);
	apply_blocks(a, "callouts", BLOCK_CALLOUT, apply_callout);
	apply_blocks(a, "quotes", BLOCK_QUOTE, apply_quote);
	apply_blocks(a, "images", BLOCK_IMAGE, apply_image);
	apply_steps(a);
	apply_order(a);
}

void
galley_sections(struct ctx *c, const struct galley *g,
    const struct cuts *cuts, struct content *content, struct losses *losses)
{
	struct applier a = { .c = c, .g = g, .losses = losses };

	if (g->root == NULL)
		return;
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut *cut = &cuts->list[i];
		apply(&a, cut);
		for (size_t j = 0; j < cut->sub_count; j++) {
			const struct cut *sub = &cut->subs[j];
			apply(&a, sub);
			if (cut->part == PART_FAQS && sub->galley != NULL)
				content->faqs[j].id = sub->galley->id;
		}
	}
}
