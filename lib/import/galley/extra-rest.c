#include "import/galley/extra.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/references.h"
#include "import/markdown/texts.h"

static void
label(const json_t *labels, const char *name, const char **out)
{
	const char *text = galley_text(labels, name);

	if (text != NULL && text[0] != '\0')
		*out = text;
}

/* What is said of the reference `id`; NULL when nothing is. */
static json_t *
find_reference(const struct galley *g, const char *id)
{
	json_t *array = json_object_get(g->root, "references");

	for (size_t i = 0; i < json_array_size(array); i++) {
		json_t *json = json_array_get(array, i);
		const char *name = galley_text(json, "id");
		if (name != NULL && strcmp(name, id) == 0)
			return json;
	}
	return NULL;
}

static void
reference(struct ctx *c, const struct galley *g, struct reference *r)
{
	json_t *json = find_reference(g, r->id), *exact;
	const char *was;
	struct buf said;

	if (json == NULL)
		return;
	r->accessed = galley_text(json, "accessed");
	exact = json_object_get(json, "exact");
	was = galley_text(json, "was");
	if (exact == NULL || was == NULL)
		return;
	/* It holds as long as the footnote says what it said then. */
	buf_init(&said, c->arena, 4 * CONTENT_BYTES_MAX);
	references_write(&said, r);
	if (strcmp(galley_digest(c, said.data, said.len), was) != 0)
		return;
	r->title = galley_text(exact, "title");
	r->url = galley_text(exact, "url");
	r->publisher = galley_text(exact, "publisher");
	r->published = galley_text(exact, "published");
	if (r->title == NULL)
		r->title = r->id;
}

static void
image(const struct galley *g, struct snapshot *s, struct losses *losses)
{
	json_t *json = json_object_get(g->root, "image");
	const char *url = galley_text(json, "url"), *type;
	int64_t width, height;

	if (json == NULL)
		return;
	if (s->image == NULL || url == NULL || strcmp(url, s->image) != 0) {
		losses_add(losses, g->line, "the cover was changed; what"
		    " galley says of the old one is not used");
		return;
	}
	s->image_generated = galley_bool(json, "generated");
	/* The file itself says it better. */
	if (s->image_width > 0)
		return;
	type = galley_text(json, "type");
	width = galley_int(json, "width");
	height = galley_int(json, "height");
	if (!snapshot_image_fits(type, width, height)) {
		losses_add(losses, g->line, "galley says a type or a size of"
		    " the cover that no picture has; they are not used");
		return;
	}
	s->image_type = type;
	s->image_width = width;
	s->image_height = height;
}

void
galley_rest(struct ctx *c, const struct galley *g, struct snapshot *snapshot,
    struct losses *losses)
{
	struct content *content = &snapshot->content;
	json_t *labels = json_object_get(g->root, "labels");
	const char *text;

	if (g->root == NULL)
		return;
	label(labels, "takeaways", &content->labels.takeaways);
	label(labels, "faqs", &content->labels.faqs);
	label(labels, "references", &content->labels.references);
	for (size_t i = 0; i < content->reference_count; i++)
		reference(c, g, &content->references[i]);
	image(g, snapshot, losses);
	text = galley_text(g->root, "summary");
	if (text != NULL)
		content->summary = text;
	text = galley_text(g->root, "imageAlt");
	if (text != NULL)
		content->image_alt = text;
	snapshot->meta_title = galley_text(g->root, "metaTitle");
}

/* Texts of the content by number. */
struct texts {
	struct {
		const char **text;
		const char *digest;
	} *places;
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
		t->places = arena_grow(t->c->arena, t->places,
		    t->cap * sizeof(*t->places), cap * sizeof(*t->places));
		t->cap = cap;
	}
	t->places[t->count].text = text;
	t->places[t->count++].digest = galley_digest(t->c, *text,
	    strlen(*text));
}

/* Where the n-th text is now: there, or near it. */
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
galley_texts(struct ctx *c, const struct galley *g, struct content *content)
{
	json_t *array = json_object_get(g->root, "texts");
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
		place = find_text(&t, (size_t)json_integer_value(number),
		    was);
		if (place != NULL)
			*place = text;
	}
}

const char *
galley_body_digest(struct ctx *c, const char *body, size_t len)
{
	static const char blanks[] = " \t\n";

	while (len > 0 && strchr(blanks, body[len - 1]) != NULL)
		len--;
	while (len > 0 && strchr(blanks, *body) != NULL) {
		body++;
		len--;
	}
	return galley_digest(c, body, len);
}

struct err *
galley_exact(struct ctx *c, const struct galley *g, const char *body,
    size_t len, const char *language, struct content *content)
{
	json_t *exact = json_object_get(g->root, "exact");
	const char *digest = galley_text(exact, "body");

	if (digest == NULL || strcmp(digest, galley_body_digest(c, body, len)) != 0)
		return NULL;
	return content_from_json(c, "galley.exact.content",
	    json_object_get(exact, "content"), language, content);
}
