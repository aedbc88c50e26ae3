#include "import/galley/extra.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "import/markdown/unmark.h"

/* Lists, tables, callouts, quotes and images of one section in the order in
 * which unmark.c writes them: the body, then what it does not place. */
struct order {
	size_t *tables, *callouts; /* indexes */
	size_t table_count, callout_count;
	size_t placed_tables, placed_callouts;
	size_t steps_list; /* the steps' number among the lists */
	bool steps_placed;
};

static void
add_loose(size_t *list, size_t *count, size_t all)
{
	for (size_t i = 0; i < all; i++) {
		size_t k = 0;
		while (k < *count && list[k] != i)
			k++;
		if (k == *count)
			list[(*count)++] = i;
	}
}

static void
order_of(struct ctx *c, const struct section *s, struct order *o)
{
	size_t lists = 0;

	memset(o, 0, sizeof(*o));
	o->tables = arena_array(c->arena, s->table_count, sizeof(size_t));
	o->callouts = arena_array(c->arena, s->callout_count, sizeof(size_t));
	for (size_t i = 0; i < s->body_count; i++) {
		const struct block *b = &s->body[i];
		if (b->type == BLOCK_TABLE)
			o->tables[o->table_count++] = b->index;
		if (b->type == BLOCK_CALLOUT)
			o->callouts[o->callout_count++] = b->index;
		if (b->type == BLOCK_STEPS) {
			o->steps_placed = true;
			o->steps_list = lists++;
		}
		lists += b->type == BLOCK_LIST && b->list.item_count > 0;
	}
	if (!o->steps_placed)
		o->steps_list = lists;
	o->placed_tables = o->table_count;
	o->placed_callouts = o->callout_count;
	add_loose(o->tables, &o->table_count, s->table_count);
	add_loose(o->callouts, &o->callout_count, s->callout_count);
}

/* An array of objects is begun when its first object has something to say. */
struct array {
	struct jwrite *w;
	const char *name;
	size_t nulls; /* objects without anything, not written yet */
	bool begun;
};

static void
array_object(struct array *a)
{
	if (!a->begun)
		jwrite_member_array(a->w, a->name);
	a->begun = true;
	for (; a->nulls > 0; a->nulls--)
		jwrite_null(a->w);
	jwrite_object(a->w);
}

static void
array_end(struct array *a)
{
	if (a->begun)
		jwrite_array_end(a->w);
}

static bool
is_sorted(const size_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] != i)
			return false;
	}
	return true;
}

static void
write_tables(struct jwrite *w, const struct section *s, const struct order *o)
{
	struct array a = { .w = w, .name = "tables" };
	bool sorted = is_sorted(o->tables, o->table_count);

	for (size_t i = 0; i < o->table_count; i++) {
		const struct table *table = &s->tables[o->tables[i]];
		bool loose = i >= o->placed_tables;
		if (table->caption == NULL && !table->row_header && sorted &&
		    !loose) {
			a.nulls++;
			continue;
		}
		array_object(&a);
		jwrite_member_text_if(w, "caption", table->caption);
		galley_write_true(w, "rowHeader", table->row_header);
		if (!sorted)
			jwrite_member_int(w, "at", (int64_t)o->tables[i]);
		galley_write_true(w, "loose", loose);
		jwrite_object_end(w);
	}
	array_end(&a);
}

static void
write_callouts(struct jwrite *w, const struct section *s,
    const struct order *o)
{
	struct array a = { .w = w, .name = "callouts" };
	bool sorted = is_sorted(o->callouts, o->callout_count);

	for (size_t i = 0; i < o->callout_count; i++) {
		const char *title = s->callouts[o->callouts[i]].title;
		bool loose = i >= o->placed_callouts;
		if (title == NULL && sorted && !loose) {
			a.nulls++;
			continue;
		}
		array_object(&a);
		jwrite_member_text_if(w, "title", title);
		if (!sorted)
			jwrite_member_int(w, "at", (int64_t)o->callouts[i]);
		galley_write_true(w, "loose", loose);
		jwrite_object_end(w);
	}
	array_end(&a);
}

static void
write_quotes(struct jwrite *w, const struct section *s)
{
	struct array a = { .w = w, .name = "quotes" };

	for (size_t i = 0; i < s->body_count; i++) {
		if (s->body[i].type != BLOCK_QUOTE)
			continue;
		if (s->body[i].cite == NULL) {
			a.nulls++;
			continue;
		}
		array_object(&a);
		jwrite_member_text(w, "cite", s->body[i].cite);
		jwrite_object_end(w);
	}
	array_end(&a);
}

static void
write_images(struct ctx *c, struct jwrite *w, const struct section *s)
{
	struct array a = { .w = w, .name = "images" };

	for (size_t i = 0; i < s->body_count; i++) {
		const struct image *image = &s->body[i].image;
		const char *caption = image->caption;
		if (s->body[i].type != BLOCK_IMAGE)
			continue;
		if (caption != NULL && unmark_caption_is_title(c, caption))
			caption = NULL;
		if (caption == NULL && image->width == 0) {
			a.nulls++;
			continue;
		}
		array_object(&a);
		jwrite_member_text_if(w, "caption", caption);
		if (image->width > 0) {
			jwrite_member_int(w, "width", image->width);
			jwrite_member_int(w, "height", image->height);
		}
		jwrite_object_end(w);
	}
	array_end(&a);
}

void
galley_write_section(struct ctx *c, struct jwrite *w, const struct section *s,
    bool sub)
{
	struct order order;

	order_of(c, s, &order);
	jwrite_object(w);
	jwrite_member_text(w, "id", s->id);
	jwrite_member_text(w, "heading", inline_plain(c->arena, s->heading));
	galley_write_true(w, "sub", sub);
	if (s->step_count > 0) {
		jwrite_member_object(w, "steps");
		jwrite_member_int(w, "list", (int64_t)order.steps_list);
		galley_write_true(w, "loose", !order.steps_placed);
		jwrite_object_end(w);
	}
	write_tables(w, s, &order);
	write_callouts(w, s, &order);
	write_quotes(w, s);
	write_images(c, w, s);
	jwrite_object_end(w);
	for (size_t i = 0; i < s->subsection_count; i++)
		galley_write_section(c, w, &s->subsections[i], true);
}
