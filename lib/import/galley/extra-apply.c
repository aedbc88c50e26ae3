#include "import/galley/extra.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/references.h"
#include "import/markdown/texts.h"

struct applier {
	struct ctx *c;
	const struct extra *x;
	struct losses *losses;
	const struct cut *cut; /* of the section */
	struct section *s;
	json_t *json; /* the section's object */
	const char *heading;
};

/* Reports an object for which the document has no place any more. */
static void
gone(struct applier *a, const char *what, size_t number)
{
	losses_add(a->losses, a->x->line,
	    "%s %zu of the section \"%s\" is gone; what the line \"galley\" says of it is not used",
	    what, number + 1, losses_excerpt(a->c, a->heading, 60));
}

/* Returns the n-th block of a type, or NULL. */
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
remove_block(struct applier *a, struct block *block)
{
	struct section *s = a->s;
	size_t at = (size_t)(block - s->body);
	unsigned *line = &a->cut->lines[at];

	s->body_count--;
	memmove(block, block + 1, (s->body_count - at) * sizeof(*block));
	memmove(line, line + 1, (s->body_count - at) * sizeof(*line));
}

/* Makes a step of a list's item: the first paragraph is the step's name, the
 * others are its text. */
static void
make_step(struct ctx *c, const char *item, struct step *out)
{
	const char *gap = strstr(item, "\n\n");

	out->name = gap == NULL ? item : arena_text_n(c->arena, item, (size_t)(gap - item));
	out->text = gap == NULL ? "" : gap + 2;
}

/* Returns whether no item of the list has a list in it. */
static bool
is_flat(const struct list *list)
{
	for (size_t i = 0; i < list->item_count; i++) {
		if (list->items[i].list.item_count > 0)
			return false;
	}
	return true;
}

bool
extra_make_steps(struct ctx *c, struct section *s, struct block *block)
{
	struct list list = block->list;

	if (block->type != BLOCK_LIST || !list.ordered || !is_flat(&list))
		return false;
	s->step_count = list.item_count;
	s->steps = arena_array(c->arena, s->step_count, sizeof(*s->steps));
	for (size_t i = 0; i < s->step_count; i++)
		make_step(c, list.items[i].text, &s->steps[i]);
	memset(block, 0, sizeof(*block));
	block->type = BLOCK_STEPS;
	return true;
}

/* Turns the list that the object names into the section's steps. It must still be
 * there, numbered, and without lists in it. */
static void
apply_steps(struct applier *a)
{
	json_t *json = json_object_get(a->json, "steps");
	size_t n = (size_t)extra_int(json, "list");
	struct block *block;

	if (!json_is_object(json))
		return;
	block = nth(a->s, BLOCK_LIST, n);
	if (block == NULL || !extra_make_steps(a->c, a->s, block)) {
		gone(a, "the list of steps, list", n);
		return;
	}
	*a->cut->steps = a->cut->lines[block - a->s->body];
	if (extra_bool(json, "loose"))
		remove_block(a, block);
}

/* Sets a table's caption and row header: Markdown has neither, so that both come
 * from the object. */
static void
apply_table(struct applier *a, json_t *json, struct block *block)
{
	struct table *table = &a->s->tables[block->index];

	table->caption = extra_text(json, "caption");
	table->row_header = extra_bool(json, "rowHeader");
}

/* Sets a callout's title: Markdown has none, so that it comes from the object. */
static void
apply_callout(struct applier *a, json_t *json, struct block *block)
{
	a->s->callouts[block->index].title = extra_text(json, "title");
}

/* Sets a quote's source: Markdown does not separate it from the quote's text. */
static void
apply_quote(struct applier *a, json_t *json, struct block *block)
{
	(void)a;
	block->cite = extra_text(json, "cite");
}

/* Sets an image's size, and a caption with marks, from the object. */
static void
apply_image(struct applier *a, json_t *json, struct block *block)
{
	const char *caption = extra_text(json, "caption");

	(void)a;
	if (caption != NULL)
		block->image.caption = caption;
	block->image.width = extra_int(json, "width");
	block->image.height = extra_int(json, "height");
}

/* Applies the n-th object of the array to the n-th block of the type. An object
 * whose block is gone is a loss. */
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

/* Orders `count` things by the "at" of their objects; a thing without one keeps
 * its number. new_index[old] is the new place of each. */
static size_t *
order(struct applier *a, const char *name, size_t count)
{
	json_t *array = json_object_get(a->json, name);
	struct place *places = arena_array(a->c->arena, count, sizeof(*places));
	size_t *moved = arena_array(a->c->arena, count, sizeof(*moved));
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		json_t *at = json_object_get(json_array_get(array, i), "at");
		any = any || json_is_integer(at);
		places[i].index = i;
		places[i].at = json_is_integer(at) ? json_integer_value(at) : (int64_t)i;
	}
	if (any && count > 1)
		qsort(places, count, sizeof(*places), compare);
	for (size_t i = 0; i < count; i++)
		moved[places[i].index] = i;
	return moved;
}

/* Gives the blocks that place tables (or callouts) their new indexes, and removes
 * the blocks of things that the object calls loose: no block placed them. */
static void
renumber(struct applier *a, const char *name, enum block_type type, const size_t *moved)
{
	json_t *array = json_object_get(a->json, name);
	struct section *s = a->s;

	for (size_t i = 0; i < s->body_count;) {
		struct block *block = &s->body[i];
		if (block->type == type &&
		    extra_bool(json_array_get(array, block->index), "loose")) {
			remove_block(a, block);
			continue;
		}
		if (block->type == type)
			block->index = moved[block->index];
		i++;
	}
}

/* Puts lines into the same order as what they are of. */
static void
move_lines(struct applier *a, unsigned *lines, size_t count, const size_t *moved)
{
	unsigned *old = arena_array(a->c->arena, count, sizeof(*old));

	for (size_t i = 0; i < count; i++)
		old[i] = lines[i];
	for (size_t i = 0; i < count; i++)
		lines[moved[i]] = old[i];
}

/* Puts tables and callouts into the order that the objects give. */
static void
apply_order(struct applier *a)
{
	struct section *s = a->s;
	struct table *tables = arena_array(a->c->arena, s->table_count, sizeof(*tables));
	struct callout *callouts = arena_array(a->c->arena, s->callout_count, sizeof(*callouts));
	size_t *moved;

	moved = order(a, "tables", s->table_count);
	for (size_t i = 0; i < s->table_count; i++)
		tables[moved[i]] = s->tables[i];
	move_lines(a, a->cut->tables, s->table_count, moved);
	renumber(a, "tables", BLOCK_TABLE, moved);
	s->tables = tables;
	moved = order(a, "callouts", s->callout_count);
	for (size_t i = 0; i < s->callout_count; i++)
		callouts[moved[i]] = s->callouts[i];
	move_lines(a, a->cut->callouts, s->callout_count, moved);
	renumber(a, "callouts", BLOCK_CALLOUT, moved);
	s->callouts = callouts;
}

/* Applies a section's object: its id, and everything that Markdown cannot say.
 * Things are found by their number among blocks of their type. Steps come behind
 * lists, and the order comes last, because both change these numbers. */
static void
apply(struct applier *a, const struct cut *cut)
{
	if (cut->extra == NULL || cut->section == NULL)
		return;
	a->cut = cut;
	a->s = cut->section;
	a->json = cut->extra->json;
	a->heading = cut->extra->heading;
	a->s->id = cut->extra->id;
	apply_blocks(a, "tables", BLOCK_TABLE, apply_table);
	apply_blocks(a, "callouts", BLOCK_CALLOUT, apply_callout);
	apply_blocks(a, "quotes", BLOCK_QUOTE, apply_quote);
	apply_blocks(a, "images", BLOCK_IMAGE, apply_image);
	apply_steps(a);
	apply_order(a);
}

void
extra_sections(struct ctx *c, const struct extra *x, const struct cuts *cuts,
    struct content *content, struct losses *losses)
{
	struct applier a = { .c = c, .x = x, .losses = losses };

	if (x->root == NULL)
		return;
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut *cut = &cuts->list[i];
		apply(&a, cut);
		for (size_t j = 0; j < cut->sub_count; j++) {
			const struct cut *sub = &cut->subs[j];
			apply(&a, sub);
			if (cut->part == PART_FAQS && sub->extra != NULL)
				content->faqs[j].id = sub->extra->id;
		}
	}
}

/* Sets a label that the object gives; an empty one changes nothing. */
static void
label(const json_t *labels, const char *name, const char **out)
{
	const char *text = extra_text(labels, name);

	if (text != NULL && text[0] != '\0')
		*out = text;
}

/* Returns the object of the reference `id`, or NULL. */
static json_t *
find_reference(const struct extra *x, const char *id)
{
	json_t *array = json_object_get(x->root, "references");

	for (size_t i = 0; i < json_array_size(array); i++) {
		json_t *json = json_array_get(array, i);
		const char *name = extra_text(json, "id");
		if (name != NULL && strcmp(name, id) == 0)
			return json;
	}
	return NULL;
}

/* Sets what a footnote cannot say of a reference. Its exact members are used only
 * while the footnote still has the text from which they differed ("was"). */
static void
reference(struct ctx *c, const struct extra *x, struct reference *r)
{
	json_t *json = find_reference(x, r->id), *exact;
	const char *was;
	struct buf said;

	if (json == NULL)
		return;
	r->accessed = extra_text(json, "accessed");
	exact = json_object_get(json, "exact");
	was = extra_text(json, "was");
	if (exact == NULL || was == NULL)
		return;
	/* The exact members hold only as long as the footnote has the same text. */
	buf_init(&said, c->arena, 4 * CONTENT_BYTES_MAX);
	references_write(&said, r);
	if (strcmp(extra_digest(c, said.data, said.len), was) != 0)
		return;
	r->title = extra_text(exact, "title");
	r->url = extra_text(exact, "url");
	r->publisher = extra_text(exact, "publisher");
	r->published = extra_text(exact, "published");
	if (r->title == NULL)
		r->title = r->id;
}

/* Sets what is known of the cover, unless the document names another cover. A
 * size that was read from the file wins. */
static void
image(const struct extra *x, struct snapshot *s, struct losses *losses)
{
	json_t *json = json_object_get(x->root, "image");
	const char *url = extra_text(json, "url"), *type;
	int64_t width, height;

	if (json == NULL)
		return;
	if (s->image == NULL || url == NULL || strcmp(url, s->image) != 0) {
		losses_add(losses, x->line,
		    "the cover was changed; what the line \"galley\" says of the old one is not used");
		return;
	}
	s->image_generated = extra_bool(json, "generated");
	/* The size that the file itself gives is better. */
	if (s->image_width > 0)
		return;
	type = extra_text(json, "type");
	width = extra_int(json, "width");
	height = extra_int(json, "height");
	if (!snapshot_image_fits(type, width, height)) {
		losses_add(losses, x->line,
		    "the line \"galley\" says a type or a size of the cover that no picture has; they are not used");
		return;
	}
	s->image_type = type;
	s->image_width = width;
	s->image_height = height;
}

void
extra_rest(struct ctx *c, const struct extra *x, struct snapshot *snapshot, struct losses *losses)
{
	struct content *content = &snapshot->content;
	json_t *labels = json_object_get(x->root, "labels");
	const char *text;

	if (x->root == NULL)
		return;
	label(labels, "takeaways", &content->labels.takeaways);
	label(labels, "faqs", &content->labels.faqs);
	label(labels, "references", &content->labels.references);
	for (size_t i = 0; i < content->reference_count; i++)
		reference(c, x, &content->references[i]);
	image(x, snapshot, losses);
	text = extra_text(x->root, "summary");
	if (text != NULL)
		content->summary = text;
	text = extra_text(x->root, "imageAlt");
	if (text != NULL)
		content->image_alt = text;
	snapshot->meta_title = extra_text(x->root, "metaTitle");
}
