#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/markdown/extra.h"
#include "import/markdown/references.h"
#include "import/markdown/to-markdown.h"

/* Writes a member only if it is true. */
static void
write_true(struct jwrite *w, const char *name, bool value)
{
	if (value)
		jwrite_member_bool(w, name, true);
}

/* The numbers of the lists, tables, callouts, quotes and images of one section,
 * in the order in which to-markdown.c writes them: first the body, then what the body
 * does not place. */
struct order {
	size_t *tables, *callouts; /* indexes */
	size_t table_count, callout_count;
	size_t placed_tables, placed_callouts;
	size_t steps_list; /* the number of the steps among the lists */
	bool steps_placed;
};

/* Adds the indexes that no block places, in their order. */
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

/* Numbers what the flow of a section places, and after that what it does not
 * place. */
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

/* An array of objects, which begins with the first object that has a member. */
struct array {
	struct jwrite *w;
	const char *name;
	size_t nulls; /* objects without members that are not written yet */
	bool begun;
};

/* Begins the next object. Writes the nulls before it that were put off. */
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

/* Nulls at the end of an array are not written. */
static void
array_end(struct array *a)
{
	if (a->begun)
		jwrite_array_end(a->w);
}

/* Returns whether the flow places everything in the order in which it is stored:
 * then no "at" need be written. */
static bool
is_sorted(const size_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] != i)
			return false;
	}
	return true;
}

/* A table has an object if it has a caption, a row header or a place that Markdown
 * does not give. */
static void
write_tables(struct jwrite *w, const struct section *s, const struct order *o)
{
	struct array a = { .w = w, .name = "tables" };
	bool sorted = is_sorted(o->tables, o->table_count);

	for (size_t i = 0; i < o->table_count; i++) {
		const struct table *table = &s->tables[o->tables[i]];
		bool loose = i >= o->placed_tables;
		if (table->caption == NULL && !table->row_header && sorted && !loose) {
			a.nulls++;
			continue;
		}
		array_object(&a);
		jwrite_member_text_if(w, "caption", table->caption);
		write_true(w, "rowHeader", table->row_header);
		if (!sorted)
			jwrite_member_int(w, "at", (int64_t)o->tables[i]);
		write_true(w, "loose", loose);
		jwrite_object_end(w);
	}
	array_end(&a);
}

/* A callout has an object if it has a title or a place that Markdown does not give. */
static void
write_callouts(struct jwrite *w, const struct section *s, const struct order *o)
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
		write_true(w, "loose", loose);
		jwrite_object_end(w);
	}
	array_end(&a);
}

/* A quote has an object if it names its source. */
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

/* An image has an object if it has a size, or a caption that is not its title in
 * Markdown. */
static void
write_images(struct ctx *c, struct jwrite *w, const struct section *s)
{
	struct array a = { .w = w, .name = "images" };

	for (size_t i = 0; i < s->body_count; i++) {
		const struct image *image = &s->body[i].image;
		const char *caption = image->caption;
		if (s->body[i].type != BLOCK_IMAGE)
			continue;
		if (caption != NULL && to_markdown_caption_is_title(c, caption))
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

/* Writes one section, then its subsections. */
static void
write_section(struct ctx *c, struct jwrite *w, const struct section *s, bool sub)
{
	struct order order;

	order_of(c, s, &order);
	jwrite_object(w);
	jwrite_member_text(w, "id", s->id);
	jwrite_member_text(w, "heading", inline_plain(c->arena, s->heading));
	write_true(w, "sub", sub);
	if (s->step_count > 0) {
		jwrite_member_object(w, "steps");
		jwrite_member_int(w, "list", (int64_t)order.steps_list);
		write_true(w, "loose", !order.steps_placed);
		jwrite_object_end(w);
	}
	write_tables(w, s, &order);
	write_callouts(w, s, &order);
	write_quotes(w, s);
	write_images(c, w, s);
	jwrite_object_end(w);
	for (size_t i = 0; i < s->subsection_count; i++)
		write_section(c, w, &s->subsections[i], true);
}

static void
write_part(struct jwrite *w, const char *part, const char *heading)
{
	jwrite_object(w);
	jwrite_member_text(w, "part", part);
	jwrite_member_text(w, "heading", heading);
	jwrite_object_end(w);
}

/* Writes the sections in the order of the document. */
static void
write_sections(struct ctx *c, struct jwrite *w, const struct content *content)
{
	bool lead = content->section_count > 0 && content->sections[0].heading[0] == '\0';

	jwrite_member_array(w, "sections");
	if (lead)
		write_section(c, w, &content->sections[0], false);
	if (content->takeaway_count > 0)
		write_part(w, "takeaways", content->labels.takeaways);
	for (size_t i = lead ? 1 : 0; i < content->section_count; i++)
		write_section(c, w, &content->sections[i], false);
	if (content->faq_count > 0)
		write_part(w, "faqs", content->labels.faqs);
	for (size_t i = 0; i < content->faq_count; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "id", content->faqs[i].id);
		jwrite_member_text(w, "heading", inline_plain(c->arena, content->faqs[i].question));
		jwrite_member_bool(w, "sub", true);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static bool
same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Returns the reference that reading the document makes, if it differs from `r`;
 * else NULL. */
static const struct reference *
other_reference(const struct content *plain, const struct reference *r)
{
	for (size_t i = 0; plain != NULL && i < plain->reference_count; i++) {
		const struct reference *p = &plain->references[i];
		if (strcmp(p->id, r->id) == 0 &&
		    (!same(p->title, r->title) || !same(p->url, r->url) ||
			!same(p->publisher, r->publisher) || !same(p->published, r->published)))
			return p;
	}
	return NULL;
}

/* Writes a reference's object. `other` is the reference that the footnote alone
 * gives: its digest tells later whether the footnote was edited. */
static void
write_reference(
    struct ctx *c, struct jwrite *w, const struct reference *r, const struct reference *other)
{
	struct buf said;

	jwrite_object(w);
	jwrite_member_text(w, "id", r->id);
	jwrite_member_text_if(w, "accessed", r->accessed);
	if (other != NULL) {
		buf_init(&said, c->arena, 4 * CONTENT_BYTES_MAX);
		references_write(&said, other);
		jwrite_member_text(w, "was", extra_digest(c, said.data, said.len));
		jwrite_member_object(w, "exact");
		jwrite_member_text(w, "title", r->title);
		jwrite_member_text_if(w, "url", r->url);
		jwrite_member_text_if(w, "publisher", r->publisher);
		jwrite_member_text_if(w, "published", r->published);
		jwrite_object_end(w);
	}
	jwrite_object_end(w);
}

/* A reference has an object if its footnote cannot say all of it, or if its id is
 * not of the plain form. */
static void
write_references(
    struct ctx *c, struct jwrite *w, const struct content *content, const struct content *plain)
{
	bool begun = false;

	for (size_t i = 0; i < content->reference_count; i++) {
		const struct reference *r = &content->references[i];
		const struct reference *other = other_reference(plain, r);
		if (r->accessed == NULL && other == NULL && references_is_plain_id(r->id))
			continue;
		if (!begun)
			jwrite_member_array(w, "references");
		begun = true;
		write_reference(c, w, r, other);
	}
	if (begun)
		jwrite_array_end(w);
}

/* Writes the labels that differ from those of the language. */
static void
write_labels(struct jwrite *w, const struct snapshot *s)
{
	const struct content *content = &s->content;
	struct content usual;
	bool begun = false;

	content_init(&usual, s->language);
	const struct {
		const char *name, *label, *usual;
	} labels[] = {
		{ "takeaways", content->labels.takeaways, usual.labels.takeaways },
		{ "faqs", content->labels.faqs, usual.labels.faqs },
		{ "references", content->labels.references, usual.labels.references },
	};
	for (size_t i = 0; i < 3; i++) {
		if (strcmp(labels[i].label, labels[i].usual) == 0)
			continue;
		if (!begun)
			jwrite_member_object(w, "labels");
		begun = true;
		jwrite_member_text(w, labels[i].name, labels[i].label);
	}
	if (begun)
		jwrite_object_end(w);
}

/* The cover has an object if its type, its size, or that it is generated is
 * known. */
static void
write_image(struct jwrite *w, const struct snapshot *s)
{
	if (s->image == NULL ||
	    (s->image_type == NULL && s->image_width == 0 && !s->image_generated))
		return;
	jwrite_member_object(w, "image");
	jwrite_member_text(w, "url", s->image);
	jwrite_member_text_if(w, "type", s->image_type);
	if (s->image_width > 0) {
		jwrite_member_int(w, "width", s->image_width);
		jwrite_member_int(w, "height", s->image_height);
	}
	write_true(w, "generated", s->image_generated);
	jwrite_object_end(w);
}

struct texts {
	struct ctx *c;
	const char **list;
	size_t count, cap;
};

static void
collect(void *arg, const char **text, bool marked)
{
	struct texts *t = arg;

	(void)marked;
	if (t->count == t->cap) {
		size_t cap = t->cap == 0 ? 256 : t->cap * 2;
		t->list = arena_grow(
		    t->c->arena, t->list, t->cap * sizeof(*t->list), cap * sizeof(*t->list));
		t->cap = cap;
	}
	t->list[t->count++] = *text;
}

/* Writes each text that Markdown says in other words: its number, the digest of
 * those words, and the exact text. If the numbers of texts differ, the texts
 * cannot be paired, and none is written. */
static void
write_texts(
    struct ctx *c, struct jwrite *w, const struct content *content, const struct content *plain)
{
	struct content copy = *content, plain_copy = *plain;
	struct texts ours = { .c = c }, theirs = { .c = c };
	bool begun = false;

	texts_each(&copy, collect, &ours);
	texts_each(&plain_copy, collect, &theirs);
	if (ours.count != theirs.count)
		return;
	for (size_t i = 0; i < ours.count; i++) {
		if (strcmp(ours.list[i], theirs.list[i]) == 0)
			continue;
		if (!begun)
			jwrite_member_array(w, "texts");
		begun = true;
		jwrite_array(w);
		jwrite_int(w, (int64_t)i);
		jwrite_text(w, extra_digest(c, theirs.list[i], strlen(theirs.list[i])));
		jwrite_text(w, ours.list[i]);
		jwrite_array_end(w);
	}
	if (begun)
		jwrite_array_end(w);
}

/* Writes the whole content, and the digest of the body for which it holds. */
static void
write_exact(struct ctx *c, struct jwrite *w, const struct content *content, const char *body)
{
	struct buf json;

	buf_init(&json, c->arena, 4 * CONTENT_BYTES_MAX);
	content_to_json(content, NULL, &json);
	jwrite_member_object(w, "exact");
	jwrite_member_text(w, "body", extra_body_digest(c, body, strlen(body)));
	jwrite_name(w, "content");
	jwrite_raw(w, json.data, json.len);
	jwrite_object_end(w);
}

void
extra_write(struct ctx *c, const struct snapshot *snapshot, const struct content *plain,
    const char *exact_body, struct buf *out)
{
	const struct content *content = &snapshot->content;
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text_if(&w, "metaTitle", snapshot->meta_title);
	jwrite_member_text_if(&w, "summary", content->summary);
	write_image(&w, snapshot);
	if (plain != NULL && !same(plain->image_alt, content->image_alt))
		jwrite_member_text_if(&w, "imageAlt", content->image_alt);
	write_labels(&w, snapshot);
	write_sections(c, &w, content);
	write_references(c, &w, content, plain);
	if (exact_body != NULL)
		write_exact(c, &w, content, exact_body);
	else if (plain != NULL)
		write_texts(c, &w, content, plain);
	jwrite_object_end(&w);
}
