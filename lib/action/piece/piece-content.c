/* The content behind a change of a piece: what Markdown has no form for goes into it. */
#include "action/piece/piece-change.h"
#include "base/ctx.h"
#include "import/galley/extra.h"

/* Returns the line of `before` that is this line of `after`; 0: none. */
static unsigned
line_before(const struct changing *g, unsigned line)
{
	if (line <= g->changed)
		return line;
	return line == g->line ? 0 : (unsigned)((int)line - g->moved);
}

void
piece_keep_own(struct changing *g)
{
	for (size_t i = 0; i < g->after.places.count; i++) {
		const struct places_section *now = &g->after.places.sections[i];
		const struct places_section *was = places_section(&g->before.places, now->id);
		struct section *s = piece_section(&g->after.content, now->id);
		const struct section *old = piece_section(&g->before.content, now->id);
		for (size_t k = 0; s != NULL && k < s->table_count && k < now->table_count; k++) {
			unsigned line = line_before(g, now->tables[k]);
			s->tables[k].caption = NULL;
			s->tables[k].row_header = false;
			for (size_t n = 0; old != NULL && was != NULL && n < old->table_count;
			     n++) {
				if (line == 0 || was->tables[n] != line)
					continue;
				s->tables[k].caption = old->tables[n].caption;
				s->tables[k].row_header = old->tables[n].row_header;
			}
		}
		for (size_t k = 0; s != NULL && k < s->callout_count && k < now->callout_count;
		     k++) {
			unsigned line = line_before(g, now->callouts[k]);
			s->callouts[k].title = NULL;
			for (size_t n = 0; old != NULL && was != NULL && n < old->callout_count;
			     n++) {
				if (line != 0 && was->callouts[n] == line)
					s->callouts[k].title = old->callouts[n].title;
			}
		}
	}
}

static const char *
or_null(const char *text)
{
	return text[0] != '\0' ? text : NULL;
}

/* Gives the table of this line what its form says. */
static bool
patch_table(
    const struct piece *p, struct section *s, const struct places_section *at, unsigned line)
{
	for (size_t k = 0; k < s->table_count && k < at->table_count; k++) {
		struct table *t = &s->tables[k];
		if (at->tables[k] != line || t->column_count != p->column_count ||
		    t->row_count + 1 != p->row_count)
			continue;
		t->caption = or_null(p->title);
		t->row_header = p->row_header;
		return true;
	}
	return false;
}

static bool
patch_note(const struct piece *p, struct section *s, const struct places_section *at, unsigned line)
{
	for (size_t k = 0; k < s->callout_count && k < at->callout_count; k++) {
		if (at->callouts[k] != line || s->callouts[k].kind != p->callout)
			continue;
		s->callouts[k].title = or_null(p->title);
		return true;
	}
	return false;
}

/* Makes steps of the list in this line. */
static bool
patch_steps(struct ctx *c, const struct piece *p, struct section *s,
    const struct places_section *at, unsigned line)
{
	if (at->steps == line)
		return s->step_count == p->row_count;
	for (size_t i = 0; i < s->body_count && i < at->body_count; i++) {
		if (at->body[i] == line && s->step_count == 0 &&
		    s->body[i].list.item_count == p->row_count)
			return extra_make_steps(c, s, &s->body[i]);
	}
	return false;
}

static bool
patch_source(struct changing *g)
{
	const struct piece *p = &g->w->piece;

	for (size_t i = 0; i < g->after.places.reference_count; i++) {
		struct reference *r = &g->after.content.references[i];
		if (g->after.places.references[i] != g->line)
			continue;
		*r = (struct reference) { .id = r->id,
			.title = p->title,
			.url = or_null(p->url),
			.publisher = or_null(p->publisher),
			.published = or_null(p->published),
			.accessed = or_null(p->accessed) };
		return true;
	}
	return false;
}

bool
piece_patch(struct changing *g)
{
	const struct places *p = &g->after.places;
	enum piece_kind kind = g->w->key.kind;
	size_t more = g->w->key.is_new && kind == PIECE_QUESTION;
	bool found = false;

	if (g->after.content.faq_count != g->before.content.faq_count + more)
		return false;
	if (kind == PIECE_SOURCE)
		return patch_source(g);
	for (size_t i = 0; kind == PIECE_QUESTION && i < p->faq_count; i++)
		found = found || p->faqs[i] == g->line;
	for (size_t i = 0; i < p->count && !found; i++) {
		const struct places_section *at = &p->sections[i];
		struct section *s = piece_section(&g->after.content, at->id);
		if (s == NULL)
			continue;
		found = kind == PIECE_TABLE  ? patch_table(&g->w->piece, s, at, g->line)
			: kind == PIECE_NOTE ? patch_note(&g->w->piece, s, at, g->line)
					     : kind == PIECE_STEPS &&
						   patch_steps(g->c, &g->w->piece, s, at, g->line);
	}
	return found;
}

bool
piece_same_sections(const struct changing *g)
{
	size_t was = g->before.places.count, now = g->after.places.count;
	bool lead = now > 0 && g->after.places.sections[0].heading[0] == '\0';

	if (g->w->removes && was == now + 1)
		return g->before.places.sections[0].heading[0] == '\0';
	return now == was || (now == was + 1 && g->w->key.is_new && lead);
}

struct counting {
	enum piece_kind kind;
	size_t count;
};

static void
count_kind(void *arg, const struct piece_key *key, const char *label)
{
	struct counting *n = arg;

	(void)label;
	n->count += key->kind == n->kind;
}

static size_t
count(const struct changing *g, const struct content *content)
{
	struct counting n = { .kind = g->w->key.kind };

	piece_each(g->c, content, count_kind, &n);
	return n.count;
}

bool
piece_is_gone(const struct changing *g)
{
	return piece_same_sections(g) &&
	       count(g, &g->after.content) + 1 == count(g, &g->before.content);
}
