#include "action/piece/piece.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"

static const char *const names[PIECE_KINDS] = { "table", "steps", "note", "question", "source",
	"text" };

static bool
has_section(enum piece_kind kind)
{
	return kind != PIECE_QUESTION && kind != PIECE_SOURCE;
}

/* Reads a number from 1; false if the text is none. */
static bool
read_index(const char *text, size_t *out)
{
	size_t len = strlen(text);

	if (len == 0 || len > 6 || text[0] == '0' || strspn(text, "0123456789") != len)
		return false;
	*out = (size_t)strtoul(text, NULL, 10) - 1;
	return true;
}

bool
piece_key_read(struct ctx *c, const char *text, struct piece_key *out)
{
	size_t len = strcspn(text, "-");
	char *rest, *last;

	*out = (struct piece_key) { .is_new = text[len] == '\0' };
	while (out->kind < PIECE_KINDS &&
	       (strlen(names[out->kind]) != len || strncmp(text, names[out->kind], len) != 0))
		out->kind++;
	if (out->kind == PIECE_KINDS)
		return false;
	if (out->is_new)
		return out->kind != PIECE_BLOCK;
	/* It goes into an address. */
	if (text[strspn(
		text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")] != '\0')
		return false;
	rest = arena_text(c->arena, text + len + 1);
	if (out->kind == PIECE_STEPS) {
		out->section = rest;
		return rest[0] != '\0';
	}
	if (!has_section(out->kind))
		return read_index(rest, &out->index);
	last = strrchr(rest, '-');
	if (last == NULL || last == rest)
		return false;
	*last = '\0';
	out->section = rest;
	return read_index(last + 1, &out->index);
}

const char *
piece_key_write(struct ctx *c, const struct piece_key *key)
{
	const char *name = names[key->kind];

	if (key->is_new)
		return name;
	if (key->kind == PIECE_STEPS)
		return arena_printf(c->arena, "%s-%s", name, key->section);
	if (!has_section(key->kind))
		return arena_printf(c->arena, "%s-%zu", name, key->index + 1);
	return arena_printf(c->arena, "%s-%s-%zu", name, key->section, key->index + 1);
}

struct section *
piece_section(const struct content *content, const char *id)
{
	for (size_t i = 0; i < content->section_count; i++) {
		struct section *s = &content->sections[i];
		if (strcmp(s->id, id) == 0)
			return s;
		for (size_t j = 0; j < s->subsection_count; j++) {
			if (strcmp(s->subsections[j].id, id) == 0)
				return &s->subsections[j];
		}
	}
	return NULL;
}

/* ---- all pieces */

struct listing {
	struct ctx *c;
	void (*each)(void *arg, const struct piece_key *key, const char *label);
	void *arg;
};

static void
tell(const struct listing *l, enum piece_kind kind, const char *section, size_t index,
    const char *label)
{
	const struct piece_key key = { .kind = kind, .section = section, .index = index };

	l->each(l->arg, &key, label != NULL ? inline_plain(l->c->arena, label) : "");
}

/* A table with more cells than a form can send is changed as a block. */
static void
tell_table(const struct listing *l, const struct section *s, const struct block *b)
{
	const struct table *t = &s->tables[b->index];
	const char *label = t->caption != NULL ? t->caption : t->columns[0];

	if ((t->row_count + 1) * t->column_count <= PIECE_CELLS_MAX)
		tell(l, PIECE_TABLE, s->id, b->index, label);
	else if (b >= s->body && b < s->body + s->body_count)
		tell(l, PIECE_BLOCK, s->id, (size_t)(b - s->body), label);
}

static void
tell_block(void *arg, const struct section *s, const struct block *b)
{
	const struct listing *l = arg;

	if (b->type == BLOCK_TABLE)
		tell_table(l, s, b);
	else if (b->type == BLOCK_STEPS && 2 * s->step_count <= PIECE_CELLS_MAX)
		tell(l, PIECE_STEPS, s->id, 0, s->steps[0].name);
	else if (b->type == BLOCK_CALLOUT)
		tell(l, PIECE_NOTE, s->id, b->index,
		    s->callouts[b->index].title != NULL ? s->callouts[b->index].title
							: s->callouts[b->index].text);
}

void
piece_each(struct ctx *c, const struct content *content,
    void (*each)(void *arg, const struct piece_key *key, const char *label), void *arg)
{
	struct listing l = { .c = c, .each = each, .arg = arg };

	for (size_t i = 0; i < content->section_count; i++) {
		const struct section *s = &content->sections[i];
		content_flow(s, tell_block, &l);
		for (size_t j = 0; j < s->subsection_count; j++)
			content_flow(&s->subsections[j], tell_block, &l);
	}
	for (size_t i = 0; i < content->faq_count; i++)
		tell(&l, PIECE_QUESTION, NULL, i, content->faqs[i].question);
	for (size_t i = 0; i < content->reference_count; i++)
		tell(&l, PIECE_SOURCE, NULL, i, content->references[i].title);
}
