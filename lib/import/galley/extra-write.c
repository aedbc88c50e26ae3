#include "import/galley/extra.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/markdown/references.h"
#include "import/markdown/texts.h"
#include "import/markdown/unmark.h"

void
galley_write_true(struct jwrite *w, const char *name, bool value)
{
	if (value)
		jwrite_member_bool(w, name, true);
}

static void
write_part(struct jwrite *w, const char *part, const char *heading)
{
	jwrite_object(w);
	jwrite_member_text(w, "part", part);
	jwrite_member_text(w, "heading", heading);
	jwrite_object_end(w);
}

/* In the document's order. */
static void
write_sections(struct ctx *c, struct jwrite *w, const struct content *content)
{
	bool lead = content->section_count > 0 &&
	    content->sections[0].heading[0] == '\0';

	jwrite_member_array(w, "sections");
	if (lead)
		galley_write_section(c, w, &content->sections[0], false);
	if (content->takeaway_count > 0)
		write_part(w, "takeaways", content->labels.takeaways);
	for (size_t i = lead ? 1 : 0; i < content->section_count; i++)
		galley_write_section(c, w, &content->sections[i], false);
	if (content->faq_count > 0)
		write_part(w, "faqs", content->labels.faqs);
	for (size_t i = 0; i < content->faq_count; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "id", content->faqs[i].id);
		jwrite_member_text(w, "heading",
		    inline_plain(c->arena, content->faqs[i].question));
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

/* What the document makes of the reference, where that is something else. */
static const struct reference *
other_reference(const struct content *plain, const struct reference *r)
{
	for (size_t i = 0; plain != NULL && i < plain->reference_count; i++) {
		const struct reference *p = &plain->references[i];
		if (strcmp(p->id, r->id) == 0 &&
		    (!same(p->title, r->title) || !same(p->url, r->url) ||
		    !same(p->publisher, r->publisher) ||
		    !same(p->published, r->published)))
			return p;
	}
	return NULL;
}

static void
write_reference(struct ctx *c, struct jwrite *w, const struct reference *r,
    const struct reference *other)
{
	struct buf said;

	jwrite_object(w);
	jwrite_member_text(w, "id", r->id);
	jwrite_member_text_if(w, "accessed", r->accessed);
	if (other != NULL) {
		buf_init(&said, c->arena, 4 * CONTENT_BYTES_MAX);
		references_write(&said, other);
		jwrite_member_text(w, "was",
		    galley_digest(c, said.data, said.len));
		jwrite_member_object(w, "exact");
		jwrite_member_text(w, "title", r->title);
		jwrite_member_text_if(w, "url", r->url);
		jwrite_member_text_if(w, "publisher", r->publisher);
		jwrite_member_text_if(w, "published", r->published);
		jwrite_object_end(w);
	}
	jwrite_object_end(w);
}

static void
write_references(struct ctx *c, struct jwrite *w,
    const struct content *content, const struct content *plain)
{
	bool begun = false;

	for (size_t i = 0; i < content->reference_count; i++) {
		const struct reference *r = &content->references[i];
		const struct reference *other = other_reference(plain, r);
		if (r->accessed == NULL && other == NULL &&
		    references_is_plain_id(r->id))
			continue;
		if (!begun)
			jwrite_member_array(w, "references");
		begun = true;
		write_reference(c, w, r, other);
	}
	if (begun)
		jwrite_array_end(w);
}

/* Labels that the language gives go without saying. */
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
		{ "takeaways", content->labels.takeaways,
		    usual.labels.takeaways },
		{ "faqs", content->labels.faqs, usual.labels.faqs },
		{ "references", content->labels.references,
		    usual.labels.references },
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

static void
write_image(struct jwrite *w, const struct snapshot *s)
{
	if (s->image == NULL || (s->image_type == NULL &&
	    s->image_width == 0 && !s->image_generated))
		return;
	jwrite_member_object(w, "image");
	jwrite_member_text(w, "url", s->image);
	jwrite_member_text_if(w, "type", s->image_type);
	if (s->image_width > 0) {
		jwrite_member_int(w, "width", s->image_width);
		jwrite_member_int(w, "height", s->image_height);
	}
	galley_write_true(w, "generated", s->image_generated);
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
		t->list = arena_grow(t->c->arena, t->list,
		    t->cap * sizeof(*t->list), cap * sizeof(*t->list));
		t->cap = cap;
	}
	t->list[t->count++] = *text;
}

static void
write_texts(struct ctx *c, struct jwrite *w, const struct content *content,
    const struct content *plain)
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
		jwrite_text(w, galley_digest(c, theirs.list[i],
		    strlen(theirs.list[i])));
		jwrite_text(w, ours.list[i]);
		jwrite_array_end(w);
	}
	if (begun)
		jwrite_array_end(w);
}

static void
write_exact(struct ctx *c, struct jwrite *w, const struct content *content,
    const char *body)
{
	struct buf json;

	buf_init(&json, c->arena, 4 * CONTENT_BYTES_MAX);
	content_to_json(content, NULL, &json);
	jwrite_member_object(w, "exact");
	jwrite_member_text(w, "body", galley_body_digest(c, body,
	    strlen(body)));
	jwrite_name(w, "content");
	jwrite_raw(w, json.data, json.len);
	jwrite_object_end(w);
}

void
galley_write(struct ctx *c, const struct snapshot *snapshot,
    const struct content *plain, const char *exact_body, struct buf *out)
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
