#include "export/todo.h"

#include <string.h>

#include "base/arena.h"

static void
each_in(const struct section *sections, size_t count,
    void (*each)(void *arg, const char *heading, const struct callout *todo), void *arg)
{
	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];

		for (size_t k = 0; k < s->callout_count; k++) {
			if (s->callouts[k].kind == CALLOUT_TODO)
				each(arg, s->heading, &s->callouts[k]);
		}
		each_in(s->subsections, s->subsection_count, each, arg);
	}
}

void
todo_each(const struct content *content,
    void (*each)(void *arg, const char *heading, const struct callout *todo), void *arg)
{
	each_in(content->sections, content->section_count, each, arg);
}

static void
count_one(void *arg, const char *heading, const struct callout *todo)
{
	int64_t *count = arg;

	(void)heading;
	(void)todo;
	(*count)++;
}

int64_t
todo_count(const struct content *content)
{
	int64_t count = 0;

	todo_each(content, count_one, &count);
	return count;
}

/* Removes the todo callouts. place[i] becomes the new index of the old callout i. */
static void
remove_callouts(struct arena *a, struct section *s, size_t *place)
{
	struct callout *kept = arena_array(a, s->callout_count, sizeof(*kept));
	size_t count = 0;

	for (size_t i = 0; i < s->callout_count; i++) {
		place[i] = count;
		if (s->callouts[i].kind != CALLOUT_TODO)
			kept[count++] = s->callouts[i];
	}
	s->callouts = kept;
	s->callout_count = count;
}

/* Copies the sections without their todo callouts. */
static struct section *removed_from(struct arena *a, const struct section *sections, size_t count);

/* Removes the todo callouts of a section, and the blocks that place them. */
static void
remove_from(struct arena *a, struct section *s)
{
	const struct callout *callouts = s->callouts;
	size_t *place = arena_array(a, s->callout_count, sizeof(*place));
	struct block *kept = arena_array(a, s->body_count, sizeof(*kept));
	size_t count = 0;

	remove_callouts(a, s, place);
	for (size_t i = 0; i < s->body_count; i++) {
		struct block block = s->body[i];

		if (block.type == BLOCK_CALLOUT) {
			if (callouts[block.index].kind == CALLOUT_TODO)
				continue;
			block.index = place[block.index];
		}
		kept[count++] = block;
	}
	s->body = kept;
	s->body_count = count;
	s->subsections = removed_from(a, s->subsections, s->subsection_count);
}

static struct section *
removed_from(struct arena *a, const struct section *sections, size_t count)
{
	struct section *copy = arena_array(a, count, sizeof(*copy));

	for (size_t i = 0; i < count; i++) {
		copy[i] = sections[i];
		remove_from(a, &copy[i]);
	}
	return copy;
}

const struct content *
todo_removed(struct arena *a, const struct content *content)
{
	struct content *copy;

	if (todo_count(content) == 0)
		return content;
	copy = arena_alloc(a, sizeof(*copy));
	*copy = *content;
	copy->sections = removed_from(a, content->sections, content->section_count);
	return copy;
}
