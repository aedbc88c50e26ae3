/* Takes a piece out of a text: its lines, and what is nothing without it. */
#include <string.h>

#include "action/piece/piece.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"

#define TEXT_MAX ((size_t)64 * 1024 * 1024)

/* Returns the node before a line, or behind it; NULL: there is none. */
static const struct places_node *
node_before(const struct places *p, unsigned line)
{
	const struct places_node *found = NULL;

	for (size_t i = 0; i < p->node_count && p->nodes[i].last < line; i++)
		found = &p->nodes[i];
	return found;
}

static const struct places_node *
node_behind(const struct places *p, unsigned line)
{
	for (size_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].first > line)
			return &p->nodes[i];
	}
	return NULL;
}

/* The heading over the questions is none of a section; it goes with the last question. */
static unsigned
first_line(const struct piece_text *t, const struct piece_key *key, unsigned first)
{
	const struct places_node *n = node_before(&t->places, first);

	if (key->kind != PIECE_QUESTION || t->content.faq_count != 1 || n == NULL ||
	    n->kind != PLACES_HEADING)
		return first;
	for (size_t i = 0; i < t->places.count; i++) {
		if (t->places.sections[i].line == n->first)
			return first;
	}
	return n->first;
}

static bool
are_lists(const struct places_node *a, const struct places_node *b)
{
	return a != NULL && b != NULL && a->kind == PLACES_LIST && b->kind == PLACES_LIST;
}

/* Returns a text without the marks of a footnote. What code says is no mark. */
static const char *
drop_marks(struct ctx *c, const struct places *p, const char *text, const char *mark)
{
	size_t len = strlen(mark), node = 0;
	unsigned line = 1;
	bool code = false;
	struct buf out;

	buf_init(&out, c->arena, TEXT_MAX);
	for (const char *at = text; *at != '\0'; at++) {
		while (node < p->node_count && p->nodes[node].last < line)
			node++;
		if (*at == '`')
			code = !code;
		if (!code && strncmp(at, mark, len) == 0 &&
		    (node == p->node_count || p->nodes[node].first > line ||
			p->nodes[node].kind != PLACES_OTHER)) {
			at += len - 1;
			continue;
		}
		buf_add_char(&out, *at);
		if (*at == '\n') {
			line++;
			code = false;
		}
	}
	return buf_done(&out);
}

static const char *
mark_of(struct ctx *c, const char *line)
{
	line += strspn(line, " ");
	return arena_printf(c->arena, "%.*s]", (int)strcspn(line, "]\n"), line);
}

const char *
piece_cut(struct ctx *c, const struct piece_text *t, const struct piece_key *key,
    const struct piece_spot *spot, unsigned *kept)
{
	unsigned first = first_line(t, key, spot->first);
	const char *from = piece_line(t->text, first);
	const char *rest = piece_line(t->text, spot->last + 1);
	size_t before = (size_t)(from - t->text);
	struct buf out;

	while (rest[strspn(rest, " \t")] == '\n')
		rest += strspn(rest, " \t") + 1;
	/* Nothing follows: the empty line before it goes. */
	while (*rest == '\0' && before > 1 && t->text[before - 1] == '\n' &&
	       t->text[before - 2] == '\n')
		before--;
	buf_init(&out, c->arena, TEXT_MAX);
	buf_add(&out, t->text, before);
	/* Two lists in a row would be one: an empty comment keeps them apart. */
	if (are_lists(node_before(&t->places, first), node_behind(&t->places, spot->last)))
		buf_lit(&out, "<!-- -->\n\n");
	buf_add_text(&out, rest);
	*kept = first - 1;
	if (key->kind != PIECE_SOURCE)
		return buf_done(&out);
	return drop_marks(c, &t->places, buf_done(&out), mark_of(c, from));
}
