#include "import/markdown/anchors.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/extra.h"
#include "import/pieces.h"

static const char *const takeaways_id = "takeaways";
static const char *const faqs_id = "faq";
static const char *const references_id = "references";

/* Notes the name of an anchor and the id that it means. */
static void
add(struct anchors *a, const char *name, const char *const *id)
{
	if (a->count == a->cap) {
		size_t cap = a->cap == 0 ? 64 : a->cap * 2;
		a->list = arena_grow(
		    a->c->arena, a->list, a->cap * sizeof(*a->list), cap * sizeof(*a->list));
		a->cap = cap;
	}
	a->list[a->count].name = name;
	a->list[a->count++].id = id;
}

/* Returns the id that an anchor means, or NULL if no heading has the anchor. */
static const char *const *
find(const struct anchors *a, const char *name)
{
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->list[i].name, name) == 0)
			return a->list[i].id;
	}
	return NULL;
}

/* Returns the anchor that GitHub gives a heading: in lower case, with hyphens for
 * spaces, and without all characters but letters, marks, digits, hyphens and
 * underscores. */
static const char *
github(struct ctx *c, const char *heading)
{
	const char *p = lang_fold(c->arena, inline_plain(c->arena, heading));
	struct buf out;

	buf_init(&out, c->arena, 4 * strlen(p) + 16);
	while (*p != '\0') {
		uint32_t cp = utf8_next(&p);
		if (cp == ' ')
			buf_add_char(&out, '-');
		else if (cp == '-' || cp == '_' || lang_is_word(cp))
			buf_add_code_point(&out, cp);
	}
	return out.data;
}

/* Adds the anchors of a heading. The second "notes" is "notes-1". */
static void
add_heading(struct anchors *a, const struct flow_block *heading, const char *const *id)
{
	const char *name = github(a->c, heading->text), *numbered = name;

	if (heading->anchor != NULL)
		add(a, lang_fold(a->c->arena, heading->anchor), id);
	for (unsigned n = 1; find(a, numbered) != NULL && n < 1000; n++)
		numbered = arena_printf(a->c->arena, "%s-%u", name, n);
	add(a, numbered, id);
}

/* Adds the anchors of heading blocks: a link to one leads to the section that
 * contains the block. */
static void
add_blocks(struct anchors *a, const struct cut *cut, const char *const *id)
{
	for (size_t i = 0; i < cut->count; i++) {
		if (cut->blocks[i].type == BLOCK_HEADING)
			add_heading(a, &cut->blocks[i], id);
	}
}

/* Adds the anchors of a part: its heading leads to the part, a question's heading
 * to the question. */
static void
add_part(struct anchors *a, const struct cut *cut, const struct content *content)
{
	const char *const *id = cut->part == PART_TAKEAWAYS ? &takeaways_id
				: cut->part == PART_FAQS    ? &faqs_id
							    : &references_id;

	add_heading(a, cut->heading, id);
	for (size_t i = 0; i < cut->sub_count; i++)
		add_heading(a, cut->subs[i].heading, &content->faqs[i].id);
}

void
anchors_collect(
    struct ctx *c, const struct cuts *cuts, const struct content *content, struct anchors *out)
{
	*out = (struct anchors) { .c = c };
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut *cut = &cuts->list[i];
		if (cut->part != PART_NONE) {
			add_part(out, cut, content);
			continue;
		}
		if (cut->heading != NULL)
			add_heading(out, cut->heading, &cut->section->id);
		add_blocks(out, cut, &cut->section->id);
		for (size_t j = 0; j < cut->sub_count; j++) {
			const struct cut *sub = &cut->subs[j];
			add_heading(out, sub->heading, &sub->section->id);
			add_blocks(out, sub, &sub->section->id);
		}
	}
}

struct resolver {
	struct anchors *anchors;
	struct content *content;
	bool ids;
	struct losses *losses;
};

static bool
is(const char *id, const char *name)
{
	return id != NULL && strcmp(id, name) == 0;
}

/* Returns whether a section, a subsection, a question or a part has this id. */
static bool
is_id(const struct content *content, const char *name)
{
	for (size_t i = 0; i < content->section_count; i++) {
		const struct section *s = &content->sections[i];
		if (is(s->id, name))
			return true;
		for (size_t j = 0; j < s->subsection_count; j++) {
			if (is(s->subsections[j].id, name))
				return true;
		}
	}
	for (size_t i = 0; i < content->faq_count; i++) {
		if (is(content->faqs[i].id, name))
			return true;
	}
	return is(takeaways_id, name) || is(faqs_id, name) || is(references_id, name);
}

/* Returns the text of the fragment, case folded. */
static const char *
decoded(struct ctx *c, const char *fragment)
{
	const char *text = percent_decode(c->arena, fragment, strlen(fragment));

	return text == NULL ? "" : lang_fold(c->arena, text);
}

/* Returns the id that a fragment means, or NULL. */
static const char *
target(const struct resolver *r, const char *fragment)
{
	const char *const *id;

	if (r->ids && is_id(r->content, fragment))
		return fragment;
	id = find(r->anchors, decoded(r->anchors->c, fragment));
	return id == NULL ? NULL : *id;
}

/* Changes the links to anchors in one text, for anchors_resolve() (texts_visit). */
static void
resolve(void *arg, const char **text, bool marked)
{
	const struct resolver *r = arg;
	struct ctx *c = r->anchors->c;
	struct inline_token *tokens;
	bool dropping = false, changed = false;
	size_t count, kept = 0;

	if (!marked || strstr(*text, "](#") == NULL)
		return;
	tokens = inline_parse(c->arena, *text, &count);
	for (size_t i = 0; i < count; i++) {
		struct inline_token token = tokens[i];
		if (token.event == INLINE_LINK && token.text[0] == '#') {
			const char *id = target(r, token.text + 1);
			if (id == NULL)
				losses_add(r->losses, 0,
				    tr_mark(
					"the link to %s stays as text: no heading has this anchor"),
				    losses_excerpt(c, token.text, 200));
			dropping = id == NULL;
			changed = changed || id == NULL || strcmp(id, token.text + 1) != 0;
			token.text = arena_printf(c->arena, "#%s", id == NULL ? "" : id);
			token.len = strlen(token.text);
			if (dropping)
				continue;
		}
		if (token.event == INLINE_LINK_END && dropping) {
			dropping = false;
			continue;
		}
		tokens[kept++] = token;
	}
	if (changed)
		*text = pieces_write(c, r->losses, 0, tokens, kept);
}

void
anchors_resolve(struct anchors *anchors, struct content *content, bool ids, struct losses *losses)
{
	struct resolver r = { anchors, content, ids, losses };

	texts_each(content, resolve, &r);
}
