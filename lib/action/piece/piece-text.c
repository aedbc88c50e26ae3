/* The lines of a piece, and texts with other lines in them. */
#include <string.h>

#include "action/piece/piece.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "import/markdown/references.h"
#include "import/markdown/unmark.h"

#define TEXT_MAX ((size_t)64 * 1024 * 1024)

/* ---- lines */

const char *
piece_line(const char *text, unsigned line)
{
	while (line > 1 && *text != '\0') {
		text += strcspn(text, "\n");
		text += *text == '\n';
		line--;
	}
	return text;
}

const char *
piece_replace(struct ctx *c, const char *text, const struct piece_spot *spot, const char *lines)
{
	const char *from = piece_line(text, spot->first);
	const char *to = piece_line(text, spot->last);
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

const char *
piece_insert(struct ctx *c, const char *text, unsigned at, const char *lines, unsigned *line)
{
	const char *rest = at > 0 ? piece_line(text, at + 1) : text;
	size_t len = (size_t)(rest - text);
	struct buf out;

	buf_init(&out, c->arena, TEXT_MAX);
	buf_add(&out, text, len);
	if (len > 0 && text[len - 1] != '\n')
		buf_add_char(&out, '\n');
	if (at > 0 && !is_empty_line(piece_line(text, at)))
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

unsigned
piece_end_of(const struct places *p, const struct places_section *s)
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
			buf_printf(out, "| %s %s", unmark_dashes(p->align, i),
			    i + 1 == p->column_count ? "|\n" : "");
	}
}

/* Writes the lines of a text, each behind `prefix`; empty ones without spaces at their
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
	buf_printf(out, "[^%s]: %s\n", note, unmark_text(c, buf_done(&text), UNMARK_LINE));
}

const char *
piece_lines(
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
