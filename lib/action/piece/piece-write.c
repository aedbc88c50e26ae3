/* The change of one piece of a text. */
#include <string.h>

#include "action/article/write.h"
#include "action/piece/piece-change.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "content/lang.h"
#include "import/markdown/over.h"

static struct err *
misread(struct changing *g, const char *param)
{
	struct err *err = refuse(g->c, ERR_INVALID,
	    tr_mark(
		"As Markdown this begins something else than you mean: a heading, a list or another block. Put a backslash before the mark that does it."));

	err->param = param;
	return err;
}

/* ---- the text */

/* Returns a label that no footnote has: "r1". */
static const char *
new_label(struct changing *g)
{
	const struct content *content = &g->before.content;

	for (size_t n = content->reference_count + 1;; n++) {
		const char *label = arena_printf(g->c->arena, "r%zu", n);
		size_t i = 0;
		while (
		    i < content->reference_count && strcmp(content->references[i].id, label) != 0)
			i++;
		if (i == content->reference_count &&
		    strstr(g->before.text, arena_printf(g->c->arena, "[^%s]", label)) == NULL)
			return label;
	}
}

/* Returns the label of the footnote that begins the line. */
static const char *
label_at(struct changing *g, unsigned line)
{
	const char *at = piece_line(g->before.text, line);

	at += strspn(at, " ");
	if (strncmp(at, "[^", 2) != 0)
		return NULL;
	return arena_text_n(g->c->arena, at + 2, strcspn(at + 2, "]\n"));
}

static unsigned
lines_of(const char *text)
{
	unsigned n = 1;

	for (; *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

/* Returns the last line of everything but the footnotes at the end. */
static unsigned
end_of_text(const struct places *p)
{
	unsigned end = 0;

	for (size_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].kind != PLACES_NOTE && p->nodes[i].last > end)
			end = p->nodes[i].last;
	}
	return end;
}

static struct err *
no_place(struct changing *g)
{
	struct err *err = refuse(g->c, ERR_INVALID,
	    tr_mark("This place is not in the text any more. Choose another one."));

	err->param = "place";
	return err;
}

/* Two lists in a row would be one: an empty comment keeps them apart. */
static const char *
keep_apart(struct changing *g, const char *lines, unsigned at)
{
	const struct places *p = &g->before.places;
	bool before = false, after = false;

	for (size_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].kind != PLACES_LIST)
			continue;
		before = before || p->nodes[i].last == at;
		after = after || (p->nodes[i].first > at && (i == 0 || p->nodes[i - 1].last <= at));
	}
	return arena_printf(g->c->arena, "%s%s%s", before ? "<!-- -->\n\n" : "", lines,
	    after ? "\n\n<!-- -->" : "");
}

static struct err *
insert_in_section(struct changing *g, const char **out)
{
	struct piece_write *w = g->w;
	const struct places *p = &g->before.places;
	const struct places_section *s = NULL;
	const char *lines = piece_lines(g->c, w->key.kind, &w->piece, NULL, NULL);
	unsigned at = 0;

	if (strcmp(w->place, "top") != 0) {
		s = places_section(p, w->place);
		if (s == NULL)
			return no_place(g);
		at = piece_end_of(p, s);
	}
	if (w->key.kind == PIECE_STEPS)
		lines = keep_apart(g, lines, at);
	*out = piece_insert(g->c, g->before.text, at, lines, &g->line);
	if (strncmp(lines, "<!--", 4) == 0)
		g->line += 2;
	g->changed = at;
	return NULL;
}

/* A question goes behind the others, the first one under the usual heading. */
static void
insert_question(struct changing *g, const char **out)
{
	const struct places *p = &g->before.places;
	const char *lines = piece_lines(g->c, PIECE_QUESTION, &g->w->piece, NULL, "###");
	bool first = p->faq_count == 0;

	g->changed = first ? end_of_text(p) : piece_end_of_faqs(p, p->faq_count - 1);
	if (first)
		lines = arena_printf(
		    g->c->arena, "## %s\n\n%s", lang_label(g->s->language, LANG_FAQS), lines);
	*out = piece_insert(g->c, g->before.text, g->changed, lines, &g->line);
	g->line += first ? 2 : 0;
}

/* Puts the mark of a footnote behind a paragraph. */
static struct err *
cite(struct changing *g, const char *label, const char **text)
{
	struct piece_key key = { .kind = PIECE_BLOCK };
	const struct places_section *s;
	const struct places_node *node = NULL;
	const char *at;
	struct buf out;

	if (strcmp(g->w->place, "none") == 0)
		return NULL;
	if (piece_key_read(g->c, arena_printf(g->c->arena, "text-%s", g->w->place), &key)) {
		s = places_section(&g->before.places, key.section);
		if (s != NULL && key.index < s->body_count)
			node = places_node(&g->before.places, s->body[key.index], PLACES_PARAGRAPH);
	}
	if (node == NULL)
		return no_place(g);
	at = piece_line(*text, node->last);
	at += strcspn(at, "\n");
	while (at > *text && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	buf_init(&out, g->c->arena, (size_t)64 * 1024 * 1024);
	buf_add(&out, *text, (size_t)(at - *text));
	/* A backslash would take the mark for a text. */
	buf_printf(&out, "%s[^%s]", at > *text && at[-1] == '\\' ? " " : "", label);
	buf_add_text(&out, at);
	*text = buf_done(&out);
	return NULL;
}

static struct err *
insert_source(struct changing *g, const char **out)
{
	const char *label = new_label(g), *text = g->before.text;
	const char *lines = piece_lines(g->c, PIECE_SOURCE, &g->w->piece, label, NULL);
	const struct places *p = &g->before.places;
	struct err *err = cite(g, label, &text);
	unsigned at = 0;

	for (size_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].last > at)
			at = p->nodes[i].last;
	}
	g->changed = at;
	*out = piece_insert(g->c, text, at, lines, &g->line);
	return err;
}

static struct err *
replace(struct changing *g, const char **out)
{
	struct ctx *c = g->c;
	const struct piece_write *w = g->w;
	const char *label = NULL, *at = piece_line(g->before.text, g->spot.first);
	const char *marks = arena_text_n(c->arena, at, strspn(at, "#"));
	const char *lines;

	if (w->key.kind == PIECE_SOURCE)
		label = label_at(g, g->spot.first);
	if (w->key.kind == PIECE_QUESTION && marks[0] == '\0')
		marks = "###";
	lines = piece_lines(c, w->key.kind, &w->piece, label, marks);
	*out = piece_replace(c, g->before.text, &g->spot, lines);
	g->line = g->spot.first;
	g->changed = g->spot.first - 1;
	return NULL;
}

static struct err *
make_text(struct changing *g, const char **out)
{
	if (g->w->removes) {
		*out = piece_cut(g->c, &g->before, &g->w->key, &g->spot, &g->changed);
		return NULL;
	}
	if (!g->w->key.is_new)
		return replace(g, out);
	switch (g->w->key.kind) {
	case PIECE_QUESTION:
		insert_question(g, out);
		return NULL;
	case PIECE_SOURCE:
		return insert_source(g, out);
	default:
		return insert_in_section(g, out);
	}
}

/* ---- the change */

/* Checks what was put in by hand as a provider's content is checked. */
static struct err *
check(struct changing *g, struct content *out)
{
	struct buf json;
	json_t *root;
	struct err *err;

	buf_init(&json, g->c->arena, 4 * (size_t)CONTENT_BYTES_MAX);
	content_to_json(&g->after.content, NULL, &json);
	if (buf_full(&json))
		return refuse(g->c, ERR_INVALID, tr_mark("The article is longer than %d MiB."),
		    CONTENT_BYTES_MAX >> 20);
	err = jread_parse(g->c, "content", json.data, json.len, &root);
	if (err == NULL)
		err = content_from_json(g->c, "content", root, g->s->language, out);
	if (err != NULL)
		err->param = NULL;
	return err;
}

static struct err *
read_after(struct changing *g, const char *text, struct content *out)
{
	const char *param = g->w->key.kind == PIECE_SOURCE ? "title" : NULL;
	struct err *err;

	g->after.text = text;
	g->moved = (int)lines_of(text) - (int)lines_of(g->before.text);
	g->after.places.head = g->before.places.head;
	err = over_places(
	    g->c, g->settings, g->s, g->s->title, text, &g->after.content, &g->after.places);
	if (err != NULL)
		return err;
	piece_keep_own(g);
	if (g->w->removes)
		return piece_is_gone(g)
			   ? check(g, out)
			   : refuse(g->c, ERR_INVALID,
				 tr_mark(
				     "This cannot be taken out here: the text around it would become something else. Remove it in the text of the article."));
	if (g->w->key.kind != PIECE_BLOCK && (!piece_same_sections(g) || !piece_patch(g)))
		return misread(g, param);
	return check(g, out);
}

/* The change for write_article(): the piece in the text as it is now. */
static struct err *
change(struct ctx *c, void *arg, const struct settings *settings, const struct snapshot *s,
    const char *shown, struct content *out, const char **text)
{
	struct changing g = { .c = c, .w = arg, .settings = settings, .s = s };
	char seen[PIECE_SEEN];
	struct piece now = { .title = NULL };
	struct err *err = piece_find(c, settings, s, shown, &g.w->key, &g.before, &g.spot);

	if (err != NULL)
		return err;
	(void)piece_fill(c, &g.before, &g.w->key, &g.spot, &now);
	piece_seen(&now, seen);
	if (!g.w->key.is_new && strcmp(seen, g.w->seen) != 0) {
		err = refuse(c, ERR_CONFLICT,
		    tr_mark(
			"Somebody else changed this since you opened it. What you typed is still here: send it again to put it in the place of theirs."));
		err->param = "seen";
		return err;
	}
	/* No form shows it. Other columns have none. */
	g.w->piece.align = now.column_count == g.w->piece.column_count ? now.align : NULL;
	err = make_text(&g, text);
	return err != NULL ? err : read_after(&g, *text, out);
}

struct err *
piece_write(struct ctx *c, struct piece_write *w)
{
	struct write *write = arena_alloc(c->arena, sizeof(*write));
	struct err *err;

	write->id = w->id;
	write->person = w->person;
	write->change = change;
	write->change_arg = w;
	err = write_article(c, write);
	w->saved = write->saved;
	return err;
}
