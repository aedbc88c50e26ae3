#include "content/content-id.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/content.h"

typedef void id_visit(void *arg, const char *id);

static void
visit(id_visit *f, void *arg, const char *id)
{
	if (id != NULL && id[0] != '\0')
		f(arg, id);
}

/* Calls `f` with every id that is set. */
static void
each_id(const struct content *content, id_visit *f, void *arg)
{
	for (size_t i = 0; i < content->section_count; i++) {
		const struct section *s = &content->sections[i];
		visit(f, arg, s->id);
		for (size_t j = 0; j < s->subsection_count; j++)
			visit(f, arg, s->subsections[j].id);
	}
	for (size_t i = 0; i < content->faq_count; i++)
		visit(f, arg, content->faqs[i].id);
	for (size_t i = 0; i < content->reference_count; i++)
		visit(f, arg, content->references[i].id);
}

static void
empty_set(struct content_ids *ids, struct arena *a, const struct content *content)
{
	size_t count = content->section_count + content->faq_count + content->reference_count;

	for (size_t i = 0; i < content->section_count; i++)
		count += content->sections[i].subsection_count;
	ids->size = 16;
	while (ids->size < 4 * count)
		ids->size *= 2;
	ids->slots = arena_array(a, ids->size, sizeof(*ids->slots));
}

/* Returns the slot that holds `id`, or the free slot where `id` belongs. */
static const char **
slot(const struct content_ids *ids, const char *id)
{
	size_t hash = 5381;

	for (const char *p = id; *p != '\0'; p++)
		hash = hash * 33 + (unsigned char)*p;
	for (hash &= ids->size - 1;; hash = (hash + 1) & (ids->size - 1)) {
		if (ids->slots[hash] == NULL || strcmp(ids->slots[hash], id) == 0)
			return &ids->slots[hash];
	}
}

bool
content_ids_add(struct content_ids *ids, const char *id)
{
	const char **at = slot(ids, id);

	if (*at != NULL)
		return false;
	*at = id;
	return true;
}

bool
content_ids_has(const struct content_ids *ids, const char *id)
{
	return *slot(ids, id) != NULL;
}

static void
add(void *arg, const char *id)
{
	content_ids_add(arg, id);
}

void
content_ids_init(struct content_ids *ids, struct arena *a, const struct content *content)
{
	empty_set(ids, a, content);
	each_id(content, add, ids);
}

/* Returns whether the id has at most CONTENT_ID_MAX letters, digits and hyphens. */
static bool
has_form(const char *id)
{
	size_t len = strlen(id);

	return len <= CONTENT_ID_MAX &&
	       strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == len;
}

static bool
is_number(const char *text)
{
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Returns whether rendering makes this id itself: "takeaways", "faq",
 * "references", "t" with a number, and any id that ends with "-step" and a
 * number. */
static bool
is_reserved(const char *id)
{
	const char *last = strrchr(id, '-');

	if (strcmp(id, "takeaways") == 0 || strcmp(id, "faq") == 0 || strcmp(id, "references") == 0)
		return true;
	if (id[0] == 't' && is_number(id + 1))
		return true;
	return last != NULL && strncmp(last, "-step", 5) == 0 && is_number(last + 5);
}

struct check {
	struct ctx *c;
	const char *what;
	struct content_ids seen;
	struct err *err;
};

/* Refuses an id of a wrong form, one that rendering makes, and one that another
 * part has. Keeps the first refusal. */
static void
check_id(void *arg, const char *id)
{
	struct check *check = arg;

	if (check->err != NULL)
		return;
	if (!has_form(id))
		check->err = err_param(check->c, check->what,
		    tr_mark("The id \"%s\" must be 1 to %d letters, digits and hyphens."), id,
		    CONTENT_ID_MAX);
	else if (is_reserved(id))
		check->err = err_param(check->c, check->what,
		    tr_mark("The id \"%s\" is one that rendering makes itself: give another."), id);
	else if (!content_ids_add(&check->seen, id))
		check->err = err_param(check->c, check->what,
		    tr_mark(
			"The id \"%s\" stands twice: sections, questions and references share one set."),
		    id);
}

struct err *
content_ids_check(struct ctx *c, const char *what, const struct content *content)
{
	struct check check = { .c = c, .what = what };

	empty_set(&check.seen, c->arena, content);
	each_id(content, check_id, &check);
	return check.err;
}

/* Gives an empty `*id` the first free name <stem><number>, with numbers from
 * *next on. Moves *next behind that number. */
static void
number(struct ctx *c, struct content_ids *ids, const char **id, const char *stem, size_t *next)
{
	const char *name;

	if (*id != NULL && (*id)[0] != '\0')
		return;
	do
		name = arena_printf(c->arena, "%s%zu", stem, (*next)++);
	while (!content_ids_add(ids, name));
	*id = name;
}

void
content_ids_number(struct ctx *c, struct content *content)
{
	struct content_ids ids;
	size_t section = 1, question = 1;

	content_ids_init(&ids, c->arena, content);
	for (size_t i = 0; i < content->section_count; i++) {
		struct section *s = &content->sections[i];
		size_t subsection = 1;
		const char *stem;
		number(c, &ids, &s->id, "s", &section);
		stem = arena_printf(c->arena, "%s-", s->id);
		for (size_t j = 0; j < s->subsection_count; j++)
			number(c, &ids, &s->subsections[j].id, stem, &subsection);
	}
	for (size_t i = 0; i < content->faq_count; i++)
		number(c, &ids, &content->faqs[i].id, "q", &question);
}
