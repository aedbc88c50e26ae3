#include "action/article/piece-look.h"

#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "action/article/article-writing.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "import/markdown/body.h"
#include "import/markdown/references.h"
#include "import/markdown/to-markdown.h"

#define EXCERPT 50 /* characters of a paragraph */

/* ---- what the pieces are called */

static const char *const names[PIECE_KINDS] = { "table", "steps", "note", "question", "source",
	"text" };

static bool
has_section(enum piece_kind kind)
{
	return kind != PIECE_QUESTION && kind != PIECE_SOURCE;
}

/* Reads a number from 1; false if the text is not such a number. */
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

/* ---- where it is */

unsigned
piece_end_of_faqs(const struct places *p, size_t index)
{
	unsigned end = p->faqs[index];

	for (size_t i = 0; i < p->node_count; i++) {
		const struct places_node *n = &p->nodes[i];
		if (n->first < p->faqs[index])
			continue;
		if (n->kind == PLACES_NOTE ||
		    (n->kind == PLACES_HEADING && n->first > p->faqs[index]))
			break;
		end = n->last;
	}
	return end;
}

/* Whether the content has the piece. */
static bool
exists(const struct content *content, const struct piece_key *key)
{
	const struct section *s;

	if (key->kind == PIECE_QUESTION)
		return key->index < content->faq_count;
	if (key->kind == PIECE_SOURCE)
		return key->index < content->reference_count;
	s = content_section(content, key->section);
	if (s == NULL)
		return false;
	switch (key->kind) {
	case PIECE_TABLE:
		return key->index < s->table_count;
	case PIECE_STEPS:
		return s->step_count > 0;
	case PIECE_NOTE:
		return key->index < s->callout_count;
	default:
		return key->index < s->body_count;
	}
}

/* Returns the line of a piece, and the kind of its node; 0: not known. */
static unsigned
line_in(const struct placed_text *t, const struct piece_key *key, enum places_kind *kind)
{
	const struct places *p = &t->places;
	const struct places_section *at;
	size_t i = key->index;

	*kind = key->kind == PIECE_QUESTION ? PLACES_HEADING : PLACES_NOTE;
	if (key->kind == PIECE_QUESTION)
		return p->faq_count == t->content.faq_count ? p->faqs[i] : 0;
	if (key->kind == PIECE_SOURCE)
		return i < p->reference_count ? p->references[i] : 0;
	at = places_section(p, key->section);
	if (at == NULL)
		return 0;
	switch (key->kind) {
	case PIECE_TABLE:
		*kind = PLACES_TABLE;
		return i < at->table_count ? at->tables[i] : 0;
	case PIECE_STEPS:
		*kind = PLACES_LIST;
		return at->steps;
	case PIECE_NOTE:
		*kind = PLACES_QUOTE;
		return i < at->callout_count ? at->callouts[i] : 0;
	default:
		*kind = PLACES_OTHER;
		return i < at->body_count ? at->body[i] : 0;
	}
}

static bool
locate(const struct placed_text *t, const struct piece_key *key, struct piece_spot *spot)
{
	enum places_kind kind;
	unsigned line = line_in(t, key, &kind);
	const struct places_node *node = places_node(&t->places, line, kind);

	if (node == NULL)
		return false;
	*spot = (struct piece_spot) { node->first, node->last };
	if (key->kind == PIECE_QUESTION)
		spot->last = piece_end_of_faqs(&t->places, key->index);
	return true;
}

static struct err *
read_text(struct ctx *c, const struct settings *settings, const struct snapshot *s,
    const char *text, struct placed_text *out)
{
	out->text = text;
	return body_places(c, settings, s, s->title, text, &out->content, &out->places);
}

/* Reads the text with this piece, and no other, as the content is written. */
static struct err *
rewrite(struct ctx *c, const struct settings *settings, const struct snapshot *s, const char *shown,
    const struct piece_key *key, struct placed_text *out, struct piece_spot *spot)
{
	const char *text = NULL;
	struct err *err = read_text(c, settings, s, body_text(c, &s->content), out);

	if (err == NULL && shown != NULL && exists(&out->content, key) && locate(out, key, spot))
		text = body_carry(c, settings, s, shown, s, spot->first);
	if (text != NULL)
		err = read_text(c, settings, s, text, out);
	if (err == NULL && (text == NULL || !exists(&out->content, key) || !locate(out, key, spot)))
		err = refuse(c, ERR_INVALID,
		    tr_mark(
			"This is written in a way that has no form. Change it in the text of the article."));
	return err;
}

struct err *
piece_find(struct ctx *c, const struct settings *settings, const struct snapshot *s,
    const char *shown, const struct piece_key *key, struct placed_text *out,
    struct piece_spot *spot)
{
	struct err *err;

	*spot = (struct piece_spot) { 0 };
	out->places = (struct places) { 0 };
	err = read_text(c, settings, s, shown != NULL ? shown : body_text(c, &s->content), out);
	if (err != NULL || key->is_new)
		return err;
	if (!exists(&out->content, key)) {
		err = refuse(c, ERR_NOT_FOUND, tr_mark("This is not in the article any more."));
		err->param = "piece";
		return err;
	}
	if (locate(out, key, spot))
		return NULL;
	return rewrite(c, settings, s, shown, key, out, spot);
}

/* ---- what it says */

static void
make_rows(struct ctx *c, struct piece *p, size_t rows, size_t columns)
{
	p->row_count = rows;
	p->column_count = columns;
	p->rows = arena_array(c->arena, rows, sizeof(*p->rows));
	for (size_t r = 0; r < rows; r++)
		p->rows[r] = arena_array(c->arena, columns, sizeof(**p->rows));
}

static void
fill_table(struct ctx *c, const struct table *t, struct piece *p)
{
	p->title = text_or_empty(t->caption);
	p->row_header = t->row_header;
	p->align = t->align;
	make_rows(c, p, t->row_count + 1, t->column_count);
	for (size_t r = 0; r < p->row_count; r++) {
		for (size_t i = 0; i < p->column_count; i++)
			p->rows[r][i] = to_markdown_text(
			    c, r == 0 ? t->columns[i] : t->rows[r - 1][i], TO_MARKDOWN_CELL);
	}
}

static void
fill_pair(struct ctx *c, const char *line, const char *text, const char **out)
{
	out[0] = to_markdown_text(c, line, TO_MARKDOWN_LINE);
	out[1] = to_markdown_text(c, text, TO_MARKDOWN_PARAGRAPHS);
}

static void
fill_source(const struct reference *r, struct piece *p)
{
	p->title = r->title;
	p->url = text_or_empty(r->url);
	p->publisher = text_or_empty(r->publisher);
	p->published = text_or_empty(r->published);
	p->accessed = text_or_empty(r->accessed);
}

/* Returns the lines of a spot as they are. */
static const char *
lines_at(struct ctx *c, const char *text, const struct piece_spot *spot)
{
	const char *from = places_text(text, spot->first);
	const char *to = places_text(text, spot->last);

	return arena_text_n(c->arena, from, (size_t)(to - from) + strcspn(to, "\n"));
}

bool
piece_fill(struct ctx *c, const struct placed_text *t, const struct piece_key *key,
    const struct piece_spot *spot, struct piece *out)
{
	const struct content *content = &t->content;
	const struct section *s;

	*out = (struct piece) {
		.title = "", .text = "", .url = "", .publisher = "", .published = "", .accessed = ""
	};
	if (key->is_new)
		return true;
	if (!exists(content, key))
		return false;
	s = key->section != NULL ? content_section(content, key->section) : NULL;
	switch (key->kind) {
	case PIECE_TABLE:
		fill_table(c, &s->tables[key->index], out);
		break;
	case PIECE_STEPS:
		make_rows(c, out, s->step_count, 2);
		for (size_t i = 0; i < s->step_count; i++)
			fill_pair(c, s->steps[i].name, s->steps[i].text, out->rows[i]);
		break;
	case PIECE_NOTE:
		out->title = text_or_empty(s->callouts[key->index].title);
		out->callout = s->callouts[key->index].kind;
		out->text =
		    to_markdown_text(c, s->callouts[key->index].text, TO_MARKDOWN_PARAGRAPHS);
		break;
	case PIECE_QUESTION:
		make_rows(c, out, 1, 2);
		fill_pair(c, content->faqs[key->index].question, content->faqs[key->index].answer,
		    out->rows[0]);
		break;
	case PIECE_SOURCE:
		fill_source(&content->references[key->index], out);
		break;
	default:
		out->text = lines_at(c, t->text, spot);
	}
	return true;
}

void
piece_seen(const struct piece *p, char out[PIECE_SEEN])
{
	struct digest d;

	digest_begin(&d, (PIECE_SEEN - 1) / 2, "galley piece 1");
	digest_text(&d, p->title);
	digest_text(&d, p->text);
	digest_text(&d, p->url);
	digest_text(&d, p->publisher);
	digest_text(&d, p->published);
	digest_text(&d, p->accessed);
	digest_int(&d, p->row_header);
	digest_int(&d, p->callout);
	digest_int(&d, (int64_t)p->row_count);
	digest_int(&d, (int64_t)p->column_count);
	for (size_t r = 0; r < p->row_count; r++) {
		for (size_t i = 0; i < p->column_count; i++)
			digest_text(&d, p->rows[r][i]);
	}
	digest_end_hex(&d, out);
}

/* ---- where a new one can go */

static void
add_place(struct piece_view *v, const char *value, const char *heading, const char *excerpt)
{
	v->places[v->place_count++] = (struct piece_place) { value, heading, excerpt };
}

/* Sections: the piece goes after their text. A section has steps once at most. */
static void
list_sections(
    struct ctx *c, const struct placed_text *t, enum piece_kind kind, struct piece_view *v)
{
	const struct places *p = &t->places;

	if (p->count == 0 || p->sections[0].heading[0] != '\0')
		add_place(v, "top", "", NULL);
	for (size_t i = 0; i < p->count; i++) {
		const struct section *s = content_section(&t->content, p->sections[i].id);
		if (s != NULL && (kind != PIECE_STEPS || s->step_count == 0))
			add_place(v, p->sections[i].id,
			    inline_plain(c->arena, p->sections[i].heading), NULL);
	}
}

static const char *
excerpt_of(struct ctx *c, const char *text)
{
	const char *plain = inline_plain(c->arena, text);
	size_t len = utf8_prefix(plain, EXCERPT);

	return arena_printf(c->arena, "%.*s%s", (int)len, plain, plain[len] != '\0' ? "…" : "");
}

/* Paragraphs: a source is cited after them. */
static void
list_paragraphs(struct ctx *c, const struct placed_text *t, struct piece_view *v)
{
	const struct places *p = &t->places;

	for (size_t i = 0; i < p->count; i++) {
		const struct places_section *at = &p->sections[i];
		const struct section *s = content_section(&t->content, at->id);
		for (size_t j = 0;
		     s != NULL && j < s->body_count && s->body_count == at->body_count; j++) {
			if (s->body[j].type == BLOCK_PARAGRAPH &&
			    places_node(p, at->body[j], PLACES_PARAGRAPH) != NULL)
				add_place(v, arena_printf(c->arena, "%s-%zu", at->id, j + 1),
				    inline_plain(c->arena, at->heading),
				    excerpt_of(c, s->body[j].text));
		}
	}
}

static void
list_places(struct ctx *c, const struct placed_text *t, enum piece_kind kind, struct piece_view *v)
{
	size_t room = 1;

	for (size_t i = 0; i < t->places.count; i++)
		room += 1 + t->places.sections[i].body_count;
	v->places = arena_array(c->arena, room, sizeof(*v->places));
	if (kind == PIECE_SOURCE)
		list_paragraphs(c, t, v);
	else if (kind != PIECE_QUESTION)
		list_sections(c, t, kind, v);
}

/* Reads the working copy, and its text as it was typed (NULL: nobody typed one). */
static struct err *
read_present(struct ctx *c, const struct workspace *w, const char *id,
    const struct article **article, const struct snapshot **s, const char **shown)
{
	struct article *a;
	struct side side;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_article_in(c, w, id, &a));
	writing_present(c, a, &side);
	*article = a;
	action_commit(c);
	(void)writing_text(c, &w->settings, &side);
	*s = side.snapshot;
	*shown = side.shown;
	return NULL;
}

struct err *
piece_look(struct ctx *c, const struct workspace *w, const char *id, const struct piece_key *key,
    struct piece_view *out)
{
	const struct snapshot *s;
	const char *shown;
	struct placed_text t;
	struct piece_spot spot;

	*out = (struct piece_view) { 0 };
	TRY(read_present(c, w, id, &out->article, &s, &shown));
	TRY(piece_find(c, &w->settings, s, shown, key, &t, &spot));
	(void)piece_fill(c, &t, key, &spot, &out->piece);
	piece_seen(&out->piece, out->seen);
	out->line = spot.first;
	if (key->is_new)
		list_places(c, &t, key->kind, out);
	return NULL;
}

struct err *
piece_spots(struct ctx *c, const struct workspace *w, const char *id, const char *const *keys,
    size_t count, struct piece_spot *out)
{
	struct placed_text t = { .places = { 0 } };
	const struct article *article;
	const struct snapshot *s;
	struct piece_key key;
	const char *shown;

	TRY(read_present(c, w, id, &article, &s, &shown));
	TRY(read_text(c, &w->settings, s, shown != NULL ? shown : body_text(c, &s->content), &t));
	for (size_t i = 0; i < count; i++) {
		if (keys[i] == NULL || !piece_key_read(c, keys[i], &key) || key.is_new ||
		    !exists(&t.content, &key) || !locate(&t, &key, &out[i]))
			out[i] = (struct piece_spot) { 0 };
	}
	return NULL;
}
