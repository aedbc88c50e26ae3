#include "import/markdown/extra.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/jread.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/markdown/references.h"

/* ---- the key is read */

/* Return a member: NULL, 0 or false when it is absent or of another type. */
static const char *
extra_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static int64_t
extra_int(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

static bool
extra_bool(const json_t *object, const char *name)
{
	return json_is_true(json_object_get(object, name));
}

const char *
extra_digest(struct ctx *c, const char *text, size_t len)
{
	char hex[DIGEST_HEX];
	struct digest d;

	digest_begin(&d, 8, "galley-text");
	digest_bytes(&d, text, len);
	digest_end_hex(&d, hex);
	return arena_text(c->arena, hex);
}

/* Returns the part that the member "part" names; PART_NONE for another name. */
static enum part
part_named(const char *name)
{
	if (name == NULL)
		return PART_NONE;
	return strcmp(name, "takeaways") == 0	 ? PART_TAKEAWAYS
	       : strcmp(name, "faqs") == 0	 ? PART_FAQS
	       : strcmp(name, "references") == 0 ? PART_REFERENCES
						 : PART_NONE;
}

/* Reads the sections' objects in order. Elements that are not objects are
 * ignored. */
static void
read_sections(struct ctx *c, struct extra *x)
{
	json_t *array = json_object_get(x->root, "sections");
	size_t count = json_array_size(array);

	x->sections = arena_array(c->arena, count, sizeof(*x->sections));
	for (size_t i = 0; i < count; i++) {
		struct extra_section *s = &x->sections[x->count];
		s->json = json_array_get(array, i);
		if (!json_is_object(s->json))
			continue;
		s->id = extra_text(s->json, "id");
		s->heading = extra_text(s->json, "heading");
		if (s->heading == NULL)
			s->heading = "";
		s->sub = extra_bool(s->json, "sub");
		s->part = part_named(extra_text(s->json, "part"));
		x->count++;
	}
	x->lead = x->count > 0 && x->sections[0].heading[0] == '\0' && !x->sections[0].sub &&
		  x->sections[0].part == PART_NONE;
}

/* Reads the ids of the references in their order. */
static void
read_references(struct ctx *c, struct extra *x)
{
	json_t *array = json_object_get(x->root, "references");
	size_t count = json_array_size(array);

	x->references = arena_array(c->arena, count, sizeof(*x->references));
	for (size_t i = 0; i < count; i++) {
		const char *id = extra_text(json_array_get(array, i), "id");
		if (id != NULL)
			x->references[x->reference_count++] = id;
	}
}

struct err *
extra_read(struct ctx *c, const char *text, unsigned line, struct extra *out)
{
	struct err *err;

	memset(out, 0, sizeof(*out));
	out->line = line;
	if (text == NULL)
		return NULL;
	err = jread_parse(c, "galley", text, strlen(text), &out->root);
	if (err != NULL)
		return refuse(c, ERR_INVALID, "line %u: galley: %s", line, err->message);
	if (!json_is_object(out->root))
		return refuse(c, ERR_INVALID, "line %u: \"galley\" must be one JSON object.", line);
	read_sections(c, out);
	read_references(c, out);
	return NULL;
}

/* ---- sections are found again */

/* The document's sections and subsections in one list. */
struct row {
	struct cut **cuts;
	const char **headings;
	bool *subs;
	size_t count;
};

/* Returns a heading without marks and without case, for comparison. */
static const char *
folded(struct ctx *c, const char *heading)
{
	return lang_fold(c->arena, inline_plain(c->arena, heading));
}

static void
row_add(struct ctx *c, struct row *row, struct cut *cut, bool sub)
{
	row->cuts[row->count] = cut;
	row->headings[row->count] = cut->heading == NULL ? "" : folded(c, cut->heading->text);
	row->subs[row->count] = sub;
	row->count++;
}

/* Puts each section before its subsections: the document's order. */
static void
row_of(struct ctx *c, struct cuts *cuts, struct row *row)
{
	size_t count = cuts->count;

	for (size_t i = 0; i < cuts->count; i++)
		count += cuts->list[i].sub_count;
	row->count = 0;
	row->cuts = arena_array(c->arena, count, sizeof(*row->cuts));
	row->headings = arena_array(c->arena, count, sizeof(*row->headings));
	row->subs = arena_array(c->arena, count, sizeof(*row->subs));
	for (size_t i = 0; i < cuts->count; i++) {
		row_add(c, row, &cuts->list[i], false);
		for (size_t j = 0; j < cuts->list[i].sub_count; j++)
			row_add(c, row, &cuts->list[i].subs[j], true);
	}
}

/* Returns the lengths of the longest common subsequences after each pair of
 * places. */
static unsigned *
lengths(struct ctx *c, const struct row *row, const struct extra *x, const char *const *headings)
{
	size_t width = x->count + 1;
	unsigned *table = arena_array(c->arena, (row->count + 1) * width, sizeof(*table));

	for (size_t i = row->count; i-- > 0;) {
		for (size_t j = x->count; j-- > 0;) {
			unsigned down = table[(i + 1) * width + j];
			unsigned right = table[i * width + j + 1];
			bool same = row->subs[i] == x->sections[j].sub &&
				    strcmp(row->headings[i], headings[j]) == 0;
			table[i * width + j] = same	      ? table[(i + 1) * width + j + 1] + 1
					       : down > right ? down
							      : right;
		}
	}
	return table;
}

/* Pairs the headings between two pairs that were found: if there are equally many
 * on both sides, they are the same sections with new headings. */
static void
pair_gap(struct row *row, struct extra *x, size_t i, size_t j, size_t to_i, size_t to_j)
{
	if (to_i - i != to_j - j)
		return;
	for (; i < to_i; i++, j++) {
		if (row->subs[i] == x->sections[j].sub && row->headings[i][0] != '\0' &&
		    x->sections[j].heading[0] != '\0') {
			row->cuts[i]->extra = &x->sections[j];
			x->sections[j].found = true;
		}
	}
}

/* Pairs the document's headings with those of the objects: those of the longest
 * common subsequence are the same, and pair_gap() decides between two of them. */
static void
pair(struct ctx *c, struct row *row, struct extra *x)
{
	const char **headings = arena_array(c->arena, x->count, sizeof(*headings));
	size_t i = 0, j = 0, gap_i = 0, gap_j = 0, width = x->count + 1;
	unsigned *table;

	for (size_t k = 0; k < x->count; k++)
		headings[k] = folded(c, x->sections[k].heading);
	table = lengths(c, row, x, headings);
	while (i < row->count && j < x->count) {
		if (row->subs[i] == x->sections[j].sub &&
		    strcmp(row->headings[i], headings[j]) == 0) {
			pair_gap(row, x, gap_i, gap_j, i, j);
			row->cuts[i]->extra = &x->sections[j];
			x->sections[j].found = true;
			gap_i = ++i;
			gap_j = ++j;
		} else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) {
			i++;
		} else {
			j++;
		}
	}
	pair_gap(row, x, gap_i, gap_j, row->count, x->count);
}

void
extra_find(struct ctx *c, struct extra *x, struct cuts *cuts, struct losses *losses)
{
	struct row row;

	if (x->root == NULL)
		return;
	row_of(c, cuts, &row);
	/* An honest document has a few thousand pairs to compare. */
	if (row.count * x->count <= 16 * 1000 * 1000)
		pair(c, &row, x);
	for (size_t i = 0; i < x->count; i++) {
		if (!x->sections[i].found && x->sections[i].heading[0] != '\0')
			losses_add(losses, x->line,
			    "the section \"%s\" is gone; what the line \"galley\" says of it is not used",
			    losses_excerpt(c, x->sections[i].heading, 60));
	}
}

/* ---- texts of a content, by number */

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

/* ---- blocks get what they had */

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
	if (a->s->callouts[block->index].title == NULL)
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
 * Things are found by their number among blocks of their type. Steps come after
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

/* ---- the article's own fields, and references */

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

/* ---- texts that Markdown does not give back as they are, and whole contents */

/* ---- texts and whole contents are put back */

/* The texts of the content, by number. */
struct texts {
	struct {
		const char **text;
		const char *digest;
	} * places;
	size_t count, cap;
	struct ctx *c;
};

static void
collect(void *arg, const char **text, bool marked)
{
	struct texts *t = arg;

	(void)marked;
	if (t->count == t->cap) {
		size_t cap = t->cap == 0 ? 256 : t->cap * 2;
		t->places = arena_grow(
		    t->c->arena, t->places, t->cap * sizeof(*t->places), cap * sizeof(*t->places));
		t->cap = cap;
	}
	t->places[t->count].text = text;
	t->places[t->count++].digest = extra_digest(t->c, *text, strlen(*text));
}

/* Returns the text that had number n: the nearest one, from n on in both
 * directions, whose digest is still `was`. Returns NULL if it is too far away or
 * has changed. */
static const char **
find_text(const struct texts *t, size_t n, const char *was)
{
	enum { FAR = 100 };

	for (size_t d = 0; d <= FAR; d++) {
		for (int side = 0; side < (d == 0 ? 1 : 2); side++) {
			size_t i = side == 0 ? n + d : n - d;
			if ((side == 1 && d > n) || i >= t->count)
				continue;
			if (strcmp(t->places[i].digest, was) == 0)
				return t->places[i].text;
		}
	}
	return NULL;
}

void
extra_texts(struct ctx *c, const struct extra *x, struct content *content)
{
	json_t *array = json_object_get(x->root, "texts");
	struct texts t = { .c = c };

	if (!json_is_array(array))
		return;
	texts_each(content, collect, &t);
	for (size_t i = 0; i < json_array_size(array); i++) {
		json_t *entry = json_array_get(array, i);
		json_t *number = json_array_get(entry, 0);
		const char *was = json_string_value(json_array_get(entry, 1));
		const char *text = json_string_value(json_array_get(entry, 2));
		const char **place;
		if (!json_is_integer(number) || was == NULL || text == NULL ||
		    json_integer_value(number) < 0)
			continue;
		place = find_text(&t, (size_t)json_integer_value(number), was);
		if (place != NULL)
			*place = text;
	}
}

const char *
extra_body_digest(struct ctx *c, const char *body, size_t len)
{
	static const char spaces[] = " \t\n";

	while (len > 0 && strchr(spaces, body[len - 1]) != NULL)
		len--;
	while (len > 0 && strchr(spaces, *body) != NULL) {
		body++;
		len--;
	}
	return extra_digest(c, body, len);
}

struct err *
extra_exact(struct ctx *c, const struct extra *x, const char *body, size_t len,
    const char *language, struct content *content)
{
	json_t *exact = json_object_get(x->root, "exact");
	const char *digest = extra_text(exact, "body");

	if (digest == NULL || strcmp(digest, extra_body_digest(c, body, len)) != 0)
		return NULL;
	return content_from_json(
	    c, "galley.exact.content", json_object_get(exact, "content"), language, content);
}
