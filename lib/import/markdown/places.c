#include "import/markdown/places.h"

#include <stdlib.h>
#include <string.h>

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/weave.h"

/* ---- the nodes */

static enum places_kind
kind_of(cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_HEADING:
		return PLACES_HEADING;
	case CMARK_NODE_PARAGRAPH:
		return PLACES_PARAGRAPH;
	case CMARK_NODE_LIST:
		return PLACES_LIST;
	case CMARK_NODE_BLOCK_QUOTE:
		return PLACES_QUOTE;
	case CMARK_NODE_FOOTNOTE_DEFINITION:
		return PLACES_NOTE;
	default:
		return strcmp(cmark_node_get_type_string(node), "table") == 0 ? PLACES_TABLE
									      : PLACES_OTHER;
	}
}

/* Returns the last line of a node and of all in it: the parser ends some too early. */
static int
last_of(cmark_node *node)
{
	cmark_iter *iter = cmark_iter_new(node);
	int last = cmark_node_get_end_line(node);

	while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
		int line = cmark_node_get_end_line(cmark_iter_get_node(iter));
		last = line > last ? line : last;
	}
	cmark_iter_free(iter);
	return last;
}

static bool
is_empty_line(const struct source *source, int line)
{
	const char *text = source_text(source, line);

	return text[strspn(text, " \t>")] == '\n' || text[strspn(text, " \t>")] == '\0';
}

static int
by_line(const void *x, const void *y)
{
	const struct places_node *a = x, *b = y;

	return a->first < b->first ? -1 : a->first > b->first;
}

void
places_take_nodes(struct ctx *c, const struct source *source, struct places *out)
{
	cmark_node *root = weave_parse(c, source), *node;
	size_t count = 0;

	*out = (struct places) { 0 };
	for (node = cmark_node_first_child(root); node != NULL; node = cmark_node_next(node))
		count++;
	out->nodes = arena_array(c->arena, count, sizeof(*out->nodes));
	for (node = cmark_node_first_child(root); node != NULL; node = cmark_node_next(node)) {
		int first = cmark_node_get_start_line(node), last = last_of(node);
		if (first < 1 || (size_t)first > source->line_count)
			continue;
		if (last < first)
			last = first;
		if ((size_t)last > source->line_count)
			last = (int)source->line_count;
		while (last > first && is_empty_line(source, last))
			last--;
		out->nodes[out->node_count++] = (struct places_node) { .kind = kind_of(node),
			.first = source_line(source, first),
			.last = source_line(source, last) };
	}
	cmark_node_free(root);
	if (out->node_count > 1)
		qsort(out->nodes, out->node_count, sizeof(*out->nodes), by_line);
}

/* ---- the sections */

static void
add(const struct cut *cut, bool sub, struct places *out)
{
	const struct section *s = cut->section;

	out->sections[out->count++] = (struct places_section) { .id = s->id,
		.heading = s->heading,
		.sub = sub,
		.line = cut->heading != NULL ? cut->heading->line : 0,
		.body = cut->lines,
		.body_count = s->body_count,
		.tables = cut->tables,
		.table_count = s->table_count,
		.callouts = cut->callouts,
		.callout_count = s->callout_count,
		.steps = *cut->steps };
}

static void
take_faqs(struct ctx *c, const struct cut *cut, struct places *out)
{
	unsigned *lines = arena_array(c->arena, cut->sub_count, sizeof(*lines));

	for (size_t i = 0; i < cut->sub_count; i++)
		lines[i] = cut->subs[i].heading->line;
	out->faqs = lines;
	out->faq_count = cut->sub_count;
}

void
places_take_sections(
    struct ctx *c, const struct cuts *cuts, const struct content *content, struct places *out)
{
	size_t count = content->section_count;

	for (size_t i = 0; i < content->section_count; i++)
		count += content->sections[i].subsection_count;
	out->sections = arena_array(c->arena, count, sizeof(*out->sections));
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut *cut = &cuts->list[i];
		if (cut->part == PART_FAQS)
			take_faqs(c, cut, out);
		if (cut->section == NULL)
			continue;
		add(cut, false, out);
		for (size_t j = 0; j < cut->sub_count; j++)
			add(&cut->subs[j], true, out);
	}
}

/* ---- asking */

static void
move(const unsigned *lines, size_t count, unsigned above)
{
	/* They are this document's own. */
	unsigned *mine = (unsigned *)lines;

	for (size_t i = 0; i < count; i++)
		mine[i] = mine[i] > above ? mine[i] - above : 0;
}

void
places_move(struct places *p, unsigned above)
{
	for (size_t i = 0; i < p->count; i++) {
		struct places_section *s = &p->sections[i];
		move(&s->line, 1, above);
		move(&s->steps, 1, above);
		move(s->body, s->body_count, above);
		move(s->tables, s->table_count, above);
		move(s->callouts, s->callout_count, above);
	}
	move(p->faqs, p->faq_count, above);
	move(p->references, p->reference_count, above);
	for (size_t i = 0; i < p->node_count; i++) {
		move(&p->nodes[i].first, 1, above);
		move(&p->nodes[i].last, 1, above);
	}
}

const struct places_section *
places_section(const struct places *p, const char *id)
{
	for (size_t i = 0; i < p->count; i++) {
		if (strcmp(p->sections[i].id, id) == 0)
			return &p->sections[i];
	}
	return NULL;
}

const struct places_node *
places_node(const struct places *p, unsigned line, enum places_kind kind)
{
	for (size_t i = 0; i < p->node_count && line > 0; i++) {
		if (p->nodes[i].first == line)
			return kind == PLACES_OTHER || p->nodes[i].kind == kind ? &p->nodes[i]
										: NULL;
	}
	return NULL;
}
