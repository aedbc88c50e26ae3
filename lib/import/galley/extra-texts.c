/* Texts that Markdown does not give back as they are, and whole contents. */
#include "import/galley/extra.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/texts.h"

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
