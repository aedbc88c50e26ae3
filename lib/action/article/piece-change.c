#include "action/article/piece-change.h"

#include <string.h>

#include "action/article/article-writing.h"
#include "action/article/block-facts.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "content/lang.h"
#include "import/markdown/body.h"
#include "import/markdown/extra.h"
#include "import/markdown/references.h"
#include "import/markdown/to-markdown.h"

#define TEXT_MAX ((size_t)64 * 1024 * 1024)

/* The change of a piece while it is made: first the text, then the content that is read from it. */
struct changing {
	struct ctx *c;
	struct piece_write *w;
	const struct settings *settings;
	const struct snapshot *s; /* the working copy */
	struct placed_text before, after;
	struct piece_spot spot; /* of the piece in `before` */
	unsigned line; /* of the piece in `after` */
};

/* ---- lines */

/* Returns the text with other lines in the place of these. */
static const char *
replace_lines(struct ctx *c, const char *text, const struct piece_spot *spot, const char *lines)
{
	const char *from = places_text(text, spot->first);
	const char *to = places_text(text, spot->last);
	struct buf out;

	to += strcspn(to, "\n");
	buf_init(&out, c->arena, TEXT_MAX);
	buf_add(&out, text, (size_t)(from - text));
	buf_add_text(&out, lines);
	buf_add_text(&out, to);
	return buf_done(&out);
}

static bool
is_empty_line(const char *line)
{
	return line[strspn(line, " \t")] == '\n' || line[strspn(line, " \t")] == '\0';
}

/* Returns the text with these lines after the line `at` (0: first), with empty lines around them;
 * *line is where they begin then. */
static const char *
insert_lines(struct ctx *c, const char *text, unsigned at, const char *lines, unsigned *line)
{
	const char *rest = at > 0 ? places_text(text, at + 1) : text;
	size_t len = (size_t)(rest - text);
	struct buf out;

	buf_init(&out, c->arena, TEXT_MAX);
	buf_add(&out, text, len);
	if (len > 0 && text[len - 1] != '\n')
		buf_add_char(&out, '\n');
	if (at > 0 && !is_empty_line(places_text(text, at)))
		buf_add_char(&out, '\n');
	*line = 1;
	for (size_t i = 0; i < out.len; i++)
		*line += out.data[i] == '\n';
	buf_printf(&out, "%s\n", lines);
	if (rest[0] != '\0' && !is_empty_line(rest))
		buf_add_char(&out, '\n');
	buf_add_text(&out, rest);
	return buf_done(&out);
}

/* ---- where a part ends */

/* Whether the line is that of a heading inside of the section. */
static bool
is_own(const struct places_section *s, unsigned line)
{
	for (size_t i = 0; i < s->body_count; i++) {
		if (s->body[i] == line)
			return true;
	}
	return false;
}

/* Returns the last line of the text of a section, without its subsections. */
static unsigned
end_of_section(const struct places *p, const struct places_section *s)
{
	unsigned end = s->line;

	for (size_t i = 0; i < p->node_count; i++) {
		const struct places_node *n = &p->nodes[i];
		if (n->first <= s->line)
			continue;
		if (n->kind == PLACES_NOTE || (n->kind == PLACES_HEADING && !is_own(s, n->first)))
			break;
		end = n->last;
	}
	return end;
}

/* ---- a piece as Markdown */

/* Writes a cell: a bar that nothing escapes gets a backslash, an end of a line is <br>. */
static void
write_cell(struct buf *out, const char *text)
{
	size_t slashes = 0;

	for (; *text != '\0'; text++) {
		if (*text == '|' && slashes % 2 == 0)
			buf_add_char(out, '\\');
		slashes = *text == '\\' ? slashes + 1 : 0;
		if (*text == '\n')
			buf_lit(out, "<br>");
		else
			buf_add_char(out, *text);
	}
}

static void
write_table(struct buf *out, const struct piece *p)
{
	for (size_t r = 0; r < p->row_count; r++) {
		for (size_t i = 0; i < p->column_count; i++) {
			buf_lit(out, "| ");
			write_cell(out, p->rows[r][i]);
			buf_add_char(out, ' ');
		}
		buf_lit(out, "|\n");
		for (size_t i = 0; r == 0 && i < p->column_count; i++)
			buf_printf(out, "| %s %s", to_markdown_dashes(p->align, i),
			    i + 1 == p->column_count ? "|\n" : "");
	}
}

/* Writes the lines of a text, each after `prefix`; empty ones without spaces at their
 * end. */
static void
write_behind(struct buf *out, const char *prefix, const char *text)
{
	size_t end = strlen(prefix);

	while (end > 0 && prefix[end - 1] == ' ')
		end--;
	for (;;) {
		size_t len = strcspn(text, "\n");
		buf_add(out, prefix, len > 0 ? strlen(prefix) : end);
		buf_add(out, text, len);
		buf_add_char(out, '\n');
		if (text[len] == '\0')
			return;
		text += len + 1;
	}
}

/* Writes a text that is one line of an item: a mark that would begin a block gets a
 * backslash, because a person who fills in a field means the text. */
static void
write_item(struct buf *out, const char *text)
{
	size_t digits = strspn(text, "0123456789"), marks = strspn(text, "#");
	bool alone = text[0] != '\0' && (text[1] == ' ' || text[1] == '\0');

	if (digits > 0 && (text[digits] == '.' || text[digits] == ')')) {
		buf_add(out, text, digits);
		text += digits;
		buf_add_char(out, '\\');
	} else if (text[0] == '>' || (marks > 0 && strchr(" ", text[marks]) != NULL) ||
		   (alone && strchr("-+*", text[0]) != NULL) || strncmp(text, "```", 3) == 0 ||
		   strncmp(text, "~~~", 3) == 0) {
		buf_add_char(out, '\\');
	}
	buf_printf(out, "%s\n", text);
}

static void
write_steps(struct ctx *c, struct buf *out, const struct piece *p)
{
	for (size_t r = 0; r < p->row_count; r++) {
		const char *number = arena_printf(c->arena, "%zu. ", r + 1);
		const char *next = arena_printf(c->arena, "%*s", (int)strlen(number), "");
		buf_add_text(out, number);
		write_item(out, p->rows[r][0]);
		if (p->rows[r][1][0] == '\0')
			continue;
		buf_add_char(out, '\n');
		write_behind(out, next, p->rows[r][1]);
	}
}

static void
write_note(struct ctx *c, struct buf *out, const struct piece *p)
{
	char *name = arena_text(c->arena, content_callout_name(p->callout));

	for (char *q = name; *q != '\0'; q++)
		*q = (char)(*q - 'a' + 'A');
	buf_printf(out, "> [!%s]\n", name);
	if (p->text[0] != '\0')
		write_behind(out, "> ", p->text);
}

static const char *
or_null(const char *text)
{
	return text[0] != '\0' ? text : NULL;
}

static void
write_source(struct ctx *c, struct buf *out, const struct piece *p, const char *note)
{
	const struct reference r = { .title = p->title,
		.url = or_null(p->url),
		.publisher = or_null(p->publisher),
		.published = or_null(p->published) };
	struct buf text;

	buf_init(&text, c->arena, TEXT_MAX);
	references_write(&text, &r);
	buf_printf(
	    out, "[^%s]: %s\n", note, to_markdown_text(c, buf_done(&text), TO_MARKDOWN_LINE));
}

/* Returns the lines of a piece, without a newline at the end (arena); `note` is the label of
 * a source's footnote, `marks` are those of a question's heading. */
static const char *
write_lines(
    struct ctx *c, enum piece_kind kind, const struct piece *p, const char *note, const char *marks)
{
	struct buf out;

	buf_init(&out, c->arena, TEXT_MAX);
	switch (kind) {
	case PIECE_TABLE:
		write_table(&out, p);
		break;
	case PIECE_STEPS:
		write_steps(c, &out, p);
		break;
	case PIECE_NOTE:
		write_note(c, &out, p);
		break;
	case PIECE_QUESTION:
		buf_printf(&out, "%s %s\n", marks, p->rows[0][0]);
		if (p->rows[0][1][0] != '\0')
			buf_printf(&out, "\n%s\n", p->rows[0][1]);
		break;
	case PIECE_SOURCE:
		write_source(c, &out, p, note);
		break;
	default:
		buf_add_text(&out, p->text);
		return buf_done(&out);
	}
	if (out.len > 0)
		out.len--;
	return arena_text_n(c->arena, out.data, out.len);
}

/* ---- the content that Markdown has no form for */

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

/* Gives the piece in `after` what its form says and Markdown cannot. Returns whether the piece is
 * there as its form says it. */
static bool
patch(struct changing *g)
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
		struct section *s = content_section(&g->after.content, at->id);
		if (s == NULL)
			continue;
		found = kind == PIECE_TABLE  ? patch_table(&g->w->piece, s, at, g->line)
			: kind == PIECE_NOTE ? patch_note(&g->w->piece, s, at, g->line)
					     : kind == PIECE_STEPS &&
						   patch_steps(g->c, &g->w->piece, s, at, g->line);
	}
	return found;
}

/* Returns whether the sections are the same; a new one may only be that before the first
 * heading. */
static bool
has_same_sections(const struct changing *g)
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

/* Returns whether `after` has one piece less of this kind, and the same sections. */
static bool
is_gone(const struct changing *g)
{
	return has_same_sections(g) &&
	       count(g, &g->after.content) + 1 == count(g, &g->before.content);
}

/* ---- the text without a piece */

/* Returns the node before a line, or after it; NULL: there is no such node. */
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

/* The heading over the questions is not a section's; it goes with the last question. */
static unsigned
first_line(const struct placed_text *t, const struct piece_key *key, unsigned first)
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

/* Returns the text without the lines of the piece. A source goes with its marks, the last question
 * with the heading over it. */
static const char *
cut_piece(struct ctx *c, const struct placed_text *t, const struct piece_key *key,
    const struct piece_spot *spot)
{
	unsigned first = first_line(t, key, spot->first);
	const char *from = places_text(t->text, first);
	const char *rest = places_text(t->text, spot->last + 1);
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
	if (key->kind != PIECE_SOURCE)
		return buf_done(&out);
	return drop_marks(c, &t->places, buf_done(&out), mark_of(c, from));
}

static struct err *
misread(struct changing *g, const char *param)
{
	struct err *err = refuse(g->c, ERR_INVALID,
	    tr_mark(
		"As Markdown this begins something else than you mean: a heading, a list or another block. Put a backslash before the mark that does it."));

	err->param = param;
	return err;
}

/* ---- the text with the piece */

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
	const char *at = places_text(g->before.text, line);

	at += strspn(at, " ");
	if (strncmp(at, "[^", 2) != 0)
		return NULL;
	return arena_text_n(g->c->arena, at + 2, strcspn(at + 2, "]\n"));
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
	const char *lines = write_lines(g->c, w->key.kind, &w->piece, NULL, NULL);
	unsigned at = 0;

	if (strcmp(w->place, "top") != 0) {
		s = places_section(p, w->place);
		if (s == NULL)
			return no_place(g);
		at = end_of_section(p, s);
	}
	if (w->key.kind == PIECE_STEPS)
		lines = keep_apart(g, lines, at);
	*out = insert_lines(g->c, g->before.text, at, lines, &g->line);
	if (strncmp(lines, "<!--", 4) == 0)
		g->line += 2;
	return NULL;
}

/* A question goes after the others, the first one under the usual heading. */
static void
insert_question(struct changing *g, const char **out)
{
	const struct places *p = &g->before.places;
	const char *lines = write_lines(g->c, PIECE_QUESTION, &g->w->piece, NULL, "###");
	bool first = p->faq_count == 0;
	unsigned at = first ? end_of_text(p) : piece_end_of_faqs(p, p->faq_count - 1);

	if (first)
		lines = arena_printf(
		    g->c->arena, "## %s\n\n%s", lang_label(g->s->language, LANG_FAQS), lines);
	*out = insert_lines(g->c, g->before.text, at, lines, &g->line);
	g->line += first ? 2 : 0;
}

/* Puts the mark of a footnote after a paragraph. */
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
	at = places_text(*text, node->last);
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
	const char *lines = write_lines(g->c, PIECE_SOURCE, &g->w->piece, label, NULL);
	const struct places *p = &g->before.places;
	struct err *err = cite(g, label, &text);
	unsigned at = 0;

	for (size_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].last > at)
			at = p->nodes[i].last;
	}
	*out = insert_lines(g->c, text, at, lines, &g->line);
	return err;
}

static struct err *
replace(struct changing *g, const char **out)
{
	struct ctx *c = g->c;
	const struct piece_write *w = g->w;
	const char *label = NULL, *at = places_text(g->before.text, g->spot.first);
	const char *marks = arena_text_n(c->arena, at, strspn(at, "#"));
	const char *lines;

	if (w->key.kind == PIECE_SOURCE)
		label = label_at(g, g->spot.first);
	if (w->key.kind == PIECE_QUESTION && marks[0] == '\0')
		marks = "###";
	lines = write_lines(c, w->key.kind, &w->piece, label, marks);
	*out = replace_lines(c, g->before.text, &g->spot, lines);
	g->line = g->spot.first;
	return NULL;
}

static struct err *
make_text(struct changing *g, const char **out)
{
	if (g->w->removes) {
		*out = cut_piece(g->c, &g->before, &g->w->key, &g->spot);
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

static struct err *
read_after(struct changing *g, const char *text, struct content *out)
{
	const char *param = g->w->key.kind == PIECE_SOURCE ? "title" : NULL;

	g->after.text = text;
	g->after.places.head = g->before.places.head;
	TRY(body_places(
	    g->c, g->settings, g->s, g->s->title, text, &g->after.content, &g->after.places));
	block_facts_carry(g->c, &g->before, &g->after);
	if (g->w->removes)
		return is_gone(g)
			   ? block_facts_check(g->c, &g->after.content, g->s->language, out)
			   : refuse(g->c, ERR_INVALID,
				 tr_mark(
				     "This cannot be taken out here: the text around it would become something else. Remove it in the text of the article."));
	if (g->w->key.kind != PIECE_BLOCK && (!has_same_sections(g) || !patch(g)))
		return misread(g, param);
	return block_facts_check(g->c, &g->after.content, g->s->language, out);
}

/* The change for write_article(): the piece in the text as it is now. */
static struct err *
change(struct ctx *c, void *arg, const struct settings *settings, const struct snapshot *s,
    const char *shown, struct content *out, const char **text)
{
	struct changing g = { .c = c, .w = arg, .settings = settings, .s = s };
	char seen[PIECE_SEEN];
	struct piece now = { .title = NULL };
	struct err *err = NULL;

	TRY(piece_find(c, settings, s, shown, &g.w->key, &g.before, &g.spot));
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
