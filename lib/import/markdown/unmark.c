#include "import/markdown/unmark.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "import/markdown/references.h"

struct writer {
	struct ctx *c;
	struct buf *out;
	bool list; /* the last block was a list of this kind */
	bool ordered;
};

/* Returns a text that must not vanish: an empty one becomes a word joiner, which
 * the import reads as a text. */
static const char *
solid_text(struct writer *w, const char *text, enum unmark_place place)
{
	const char *lines = unmark_text(w->c, text, place);

	return lines[0] == '\0' ? "&#8288;" : lines;
}

/* Writes an empty line between blocks. */
static void
gap(struct writer *w)
{
	if (w->out->len > 0)
		buf_add_char(w->out, '\n');
	w->list = false;
}

/* Writes lines: the first one behind `first`, the others behind `next`. An empty
 * line gets no spaces at its end. */
static void
write_lines(struct writer *w, const char *first, const char *next, const char *text)
{
	const char *prefix = first;

	for (;;) {
		size_t len = strcspn(text, "\n"), end = strlen(prefix);
		while (len == 0 && end > 0 && prefix[end - 1] == ' ')
			end--;
		buf_add(w->out, prefix, end);
		buf_add(w->out, text, len);
		buf_add_char(w->out, '\n');
		if (text[len] == '\0')
			return;
		text += len + 1;
		prefix = next;
	}
}

/* Writes a heading: one line behind its marks. */
static void
write_heading(struct writer *w, const char *marks, const char *text)
{
	const char *line = unmark_text(w->c, text, UNMARK_LINE);

	gap(w);
	/* Text that looks like an anchor is not read as one if an empty anchor
	 * follows it. */
	buf_printf(w->out, "%s %s%s\n", marks, line, strstr(line, "{#") != NULL ? " {#}" : "");
}

/* Writes a list. `begin` precedes the first item, `indent` the others. */
static void
write_list(struct writer *w, const struct list *list, const char *begin, const char *indent)
{
	for (size_t i = 0; i < list->item_count; i++) {
		const struct list_item *item = &list->items[i];
		const char *mark = list->ordered ? arena_printf(w->c->arena, "%zu. ", i + 1) : "- ";
		const char *first =
		    arena_printf(w->c->arena, "%s%s", i == 0 ? begin : indent, mark);
		const char *next =
		    arena_printf(w->c->arena, "%s%*s", indent, (int)strlen(mark), "");
		const char *text = unmark_text(w->c, item->text, UNMARK_PARAGRAPHS);
		if (text[0] == '\0' && item->list.item_count > 0) {
			/* "- - a" */
			write_list(w, &item->list, first, next);
			continue;
		}
		write_lines(w, first, next, solid_text(w, item->text, UNMARK_PARAGRAPHS));
		write_list(w, &item->list, next, next);
	}
}

/* Begins a list. Two lists of one kind in a row would be read as one: an empty
 * comment separates them. */
static void
begin_list(struct writer *w, bool ordered)
{
	bool apart = w->list && w->ordered == ordered;

	gap(w);
	if (apart)
		buf_lit(w->out, "<!-- -->\n\n");
	w->list = true;
	w->ordered = ordered;
}

/* Writes a list, unless it is empty. */
static void
write_list_block(struct writer *w, const struct list *list)
{
	if (list->item_count == 0)
		return;
	begin_list(w, list->ordered);
	write_list(w, list, "", "");
}

/* Writes steps as a numbered list: the name, then the text as a paragraph of the
 * same item. */
static void
write_steps(struct writer *w, const struct section *s)
{
	begin_list(w, true);
	for (size_t i = 0; i < s->step_count; i++) {
		const char *first = arena_printf(w->c->arena, "%zu. ", i + 1);
		const char *next = arena_printf(w->c->arena, "%*s", (int)strlen(first), "");
		const char *text = unmark_text(w->c, s->steps[i].text, UNMARK_PARAGRAPHS);
		write_lines(w, first, next, solid_text(w, s->steps[i].name, UNMARK_LINE));
		if (text[0] == '\0')
			continue;
		buf_add_char(w->out, '\n');
		write_lines(w, next, next, text);
	}
}

/* Writes a quote: lines behind ">". */
static void
write_quote(struct writer *w, const char *text)
{
	const char *lines = solid_text(w, text, UNMARK_PARAGRAPHS);

	gap(w);
	/* An empty comment prevents that "[!" makes the quote a callout. */
	if (strncmp(lines, "\\[!", 3) == 0)
		lines = arena_printf(w->c->arena, "\\[<!-- -->%s", lines + 2);
	write_lines(w, "> ", "> ", lines);
}

/* Writes a callout as a quote that begins with [!KIND]. Its title is in the
 * object galley. */
static void
write_callout(struct writer *w, const struct callout *callout)
{
	const char *lines = unmark_text(w->c, callout->text, UNMARK_PARAGRAPHS);
	char *name = arena_text(w->c->arena, content_callout_name(callout->kind));

	for (char *p = name; *p != '\0'; p++)
		*p = (char)(*p - 'a' + 'A');
	gap(w);
	buf_printf(w->out, "> [!%s]\n", name);
	if (lines[0] != '\0')
		write_lines(w, "> ", "> ", lines);
}

/* Writes code. The fence is longer than every run of its mark in the code. It is
 * made of tildes if the language contains a backtick. */
static void
write_code(struct writer *w, const struct block *block)
{
	bool ticks = block->language != NULL && strchr(block->language, '`') != NULL;
	char mark = ticks ? '~' : '`', fence[CONTENT_TEXT_MAX + 8];
	size_t longest = 2, run = 0;

	gap(w);
	for (const char *p = block->text; *p != '\0'; p++) {
		run = *p == mark ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	memset(fence, mark, longest + 1);
	fence[longest + 1] = '\0';
	buf_add_text(w->out, fence);
	if (block->language != NULL)
		unmark_escape(w->out, block->language, "");
	buf_add_char(w->out, '\n');
	if (block->text[0] != '\0')
		buf_printf(w->out, "%s\n", block->text);
	buf_printf(w->out, "%s\n", fence);
}

bool
unmark_caption_is_title(struct ctx *c, const char *caption)
{
	const char *plain = inline_plain(c->arena, caption);
	struct buf escaped;

	buf_init(&escaped, c->arena, 2 * strlen(plain) + 1);
	inline_escape(&escaped, plain, strlen(plain));
	/* The import makes no caption of an empty title. */
	return strchr(caption, '\n') == NULL && strcmp(escaped.data, caption) == 0 &&
	       unmark_normal(c, caption) != NULL;
}

/* Writes an image on a line of its own. Its caption is the title, if Markdown can
 * say it. */
static void
write_image(struct writer *w, const struct image *image)
{
	gap(w);
	buf_printf(w->out, "![%s](", unmark_literal(w->c, image->alt));
	unmark_escape(w->out, image->url, "()<>");
	if (image->caption != NULL && unmark_caption_is_title(w->c, image->caption)) {
		buf_lit(w->out, " \"");
		unmark_escape(w->out, inline_plain(w->c->arena, image->caption), "\"");
		buf_add_char(w->out, '"');
	}
	buf_lit(w->out, ")\n");
}

/* Writes a row on one line, with bars between the cells. */
static void
write_row(struct writer *w, const char *const *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(w->out, "| %s ", unmark_text(w->c, cells[i], UNMARK_CELL));
	buf_lit(w->out, "|\n");
}

const char *
unmark_dashes(const char *align, size_t column)
{
	char one = align == NULL ? '-' : align[column];

	return one == 'l' ? ":---" : one == 'c' ? ":---:" : one == 'r' ? "---:" : "---";
}

/* Writes a table, always with a head. Its row header is in the object galley. */
static void
write_table(struct writer *w, const struct table *table)
{
	gap(w);
	write_row(w, table->columns, table->column_count);
	for (size_t i = 0; i < table->column_count; i++)
		buf_printf(w->out, "| %s ", unmark_dashes(table->align, i));
	buf_lit(w->out, "|\n");
	for (size_t r = 0; r < table->row_count; r++)
		write_row(w, table->rows[r], table->column_count);
}

/* Writes one block for content_flow(). */
static void
write_block(void *arg, const struct section *s, const struct block *block)
{
	struct writer *w = arg;

	switch (block->type) {
	case BLOCK_PARAGRAPH:
		gap(w);
		write_lines(w, "", "", solid_text(w, block->text, UNMARK_PARAGRAPH));
		break;
	case BLOCK_HEADING:
		write_heading(w, "####", block->text);
		break;
	case BLOCK_LIST:
		write_list_block(w, &block->list);
		break;
	case BLOCK_QUOTE:
		write_quote(w, block->text);
		break;
	case BLOCK_CODE:
		write_code(w, block);
		break;
	case BLOCK_IMAGE:
		write_image(w, &block->image);
		break;
	case BLOCK_TABLE:
		write_table(w, &s->tables[block->index]);
		break;
	case BLOCK_CALLOUT:
		write_callout(w, &s->callouts[block->index]);
		break;
	case BLOCK_STEPS:
		write_steps(w, s);
		break;
	case BLOCK_RULE:
		/* Dashes could head a text, or end a front matter. */
		gap(w);
		write_lines(w, "", "", "***");
		break;
	}
}

/* Writes a section: its heading, its flow, then its subsections. */
static void
write_section(struct writer *w, const struct section *s, const char *marks)
{
	if (s->heading[0] != '\0')
		write_heading(w, marks, s->heading);
	content_flow(s, write_block, w);
	for (size_t i = 0; i < s->subsection_count; i++)
		write_section(w, &s->subsections[i], "###");
}

static void
write_label(struct writer *w, const char *label)
{
	gap(w);
	buf_printf(w->out, "## %s\n", unmark_literal(w->c, label));
}

/* Writes the takeaways as a list under their label. */
static void
write_takeaways(struct writer *w, const struct content *content)
{
	if (content->takeaway_count == 0)
		return;
	write_label(w, content->labels.takeaways);
	begin_list(w, false);
	for (size_t i = 0; i < content->takeaway_count; i++)
		write_lines(w, "- ", "  ", solid_text(w, content->takeaways[i], UNMARK_PARAGRAPHS));
}

/* Writes the questions under their label. Each is a heading of the third level,
 * and its answer follows. */
static void
write_faqs(struct writer *w, const struct content *content)
{
	if (content->faq_count > 0)
		write_label(w, content->labels.faqs);
	for (size_t i = 0; i < content->faq_count; i++) {
		const char *answer = unmark_text(w->c, content->faqs[i].answer, UNMARK_PARAGRAPHS);
		write_heading(w, "###", content->faqs[i].question);
		if (answer[0] == '\0')
			continue;
		gap(w);
		write_lines(w, "", "", answer);
	}
}

/* Writes the references as footnotes, one on each line, in the order of the
 * content. */
static void
write_references(struct writer *w, const struct content *content)
{
	if (content->reference_count > 0)
		gap(w);
	for (size_t i = 0; i < content->reference_count; i++) {
		const struct reference *r = &content->references[i];
		struct buf text;
		buf_init(&text, w->c->arena, 4 * CONTENT_BYTES_MAX);
		references_write(&text, r);
		buf_printf(w->out, "[^%s]: %s\n", r->id, unmark_text(w->c, text.data, UNMARK_LINE));
	}
}

void
unmark_body(struct ctx *c, const struct content *content, struct buf *out)
{
	struct writer w = { .c = c, .out = out };
	bool lead = content->section_count > 0 && content->sections[0].heading[0] == '\0';

	if (lead)
		write_section(&w, &content->sections[0], "##");
	write_takeaways(&w, content);
	for (size_t i = lead ? 1 : 0; i < content->section_count; i++)
		write_section(&w, &content->sections[i], "##");
	write_faqs(&w, content);
	write_references(&w, content);
}
