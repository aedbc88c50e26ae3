#include "import/markdown/to-markdown.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "import/markdown/references.h"
#include "import/pieces.h"

/* ---- texts */

struct writer {
	struct ctx *c;
	struct buf out;
	enum to_markdown_place place;
	bool line_start;
	bool cite_first; /* the last token was a citation at the beginning of its line */
	bool cite_last; /* the last token was a citation */
	bool link_next; /* a link or a citation follows this text */
	int marks; /* open marks */
	bool in_link; /* one of them is a link */
};

const char *
to_markdown_normal(struct ctx *c, const char *text)
{
	struct losses losses = { .c = c };
	size_t count;
	struct inline_token *tokens = inline_parse(c->arena, text, &count);
	struct pieces pieces;

	pieces_init(&pieces, c, &losses);
	for (size_t i = 0; i < count; i++) {
		char *copy = arena_text_n(c->arena, tokens[i].text, tokens[i].len), *line = copy,
		     *newline;
		switch (tokens[i].event) {
		case INLINE_TEXT:
			while ((newline = strchr(line, '\n')) != NULL) {
				*newline = '\0';
				pieces_text(&pieces, line);
				pieces_break(&pieces);
				line = newline + 1;
			}
			pieces_text(&pieces, line);
			break;
		case INLINE_CODE:
			pieces_code(&pieces, copy);
			break;
		case INLINE_CITE:
			pieces_cite(&pieces, copy);
			break;
		case INLINE_STRONG:
		case INLINE_EMPHASIS:
		case INLINE_LINK:
			pieces_open(&pieces, tokens[i].event, copy);
			break;
		default:
			pieces_close(&pieces, tokens[i].event);
		}
	}
	return pieces_end(&pieces);
}

static bool
is_word(char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z');
}

/* Returns whether the byte needs a backslash wherever it is. `before` and `after`
 * are its neighbours in the same text, or NUL at its ends. */
static bool
is_special(const struct writer *w, char ch, char before, char after)
{
	switch (ch) {
	case '\\':
	case '`':
	case '*':
	case '[':
	case ']':
	case '<':
		return true;
	case '_':
		return !is_word(before) || !is_word(after);
	case '~':
		return before == '~' || after == '~';
	case '&':
		return after == '#' || is_word(after);
	case '!':
		return after == '\0' && w->link_next;
	case ':':
		return before == '\0' && w->cite_first;
	case '(':
		return before == '\0' && w->cite_last;
	case '|':
		return w->place == TO_MARKDOWN_CELL;
	case '#':
		return after == '\0' && w->place == TO_MARKDOWN_LINE;
	default:
		return false;
	}
}

/* Returns whether the byte would begin a block at the beginning of a line. */
static bool
begins_block(char ch, char after)
{
	bool alone = after == ' ' || after == '\n' || after == '\0';

	switch (ch) {
	case '#':
	case '-':
		return after == ch || alone;
	case '+':
		return alone;
	case '=':
	case '>':
	case '|':
	case ':':
		return true;
	default:
		return false;
	}
}

/* Returns how many digits begin a list, as in "12.", if they are at the beginning
 * of a line; else 0. */
static size_t
list_digits(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && p[n] >= '0' && p[n] <= '9')
		n++;
	return n > 0 && p + n < end && (p[n] == '.' || p[n] == ')') ? n : 0;
}

/* Writes the end of a line. */
static void
line_end(struct writer *w)
{
	buf_add_text(&w->out, w->place == TO_MARKDOWN_CELL   ? "<br>"
			      : w->place == TO_MARKDOWN_LINE ? " "
							     : "\\\n");
	w->line_start = w->place != TO_MARKDOWN_CELL;
}

/* Writes newlines: the end of a paragraph if there are two or more and no mark is
 * open, else hard line breaks. */
static const char *
newlines(struct writer *w, const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && p[n] == '\n')
		n++;
	if (n == 2 && w->marks == 0 && w->place == TO_MARKDOWN_PARAGRAPHS) {
		buf_lit(&w->out, "\n\n");
		w->line_start = true;
	} else {
		for (size_t i = 0; i < n; i++)
			line_end(w);
	}
	return p + n;
}

/* Returns whether what was written ends with these letters, in any case, and no letter is
 * before them. */
static bool
ends_with(const struct buf *out, const char *letters)
{
	size_t len = strlen(letters);

	return out->len >= len && strncasecmp(out->data + out->len - len, letters, len) == 0 &&
	       (out->len == len || !isalpha((unsigned char)out->data[out->len - len - 1]));
}

/* Returns whether the byte at `p` would make a link of a bare address. Within the brackets of
 * a link none is made. */
static bool
begins_address(const struct writer *w, const char *p, const char *end)
{
	if (w->in_link)
		return false;
	if (*p == '.')
		return ends_with(&w->out, "www");
	return *p == ':' && end - p >= 3 && p[1] == '/' && p[2] == '/' &&
	       (ends_with(&w->out, "http") || ends_with(&w->out, "https") ||
		   ends_with(&w->out, "ftp"));
}

/* Writes literal text. A backslash precedes every character that Markdown would
 * read as a mark or, at the beginning of a line, as a block. */
static void
write_text(struct writer *w, const char *text, size_t len)
{
	const char *end = text + len, *p = text;

	while (p < end) {
		char before = p > text ? p[-1] : '\0';
		char after = p + 1 < end ? p[1] : '\0';
		size_t digits = w->line_start ? list_digits(p, end) : 0;
		if (*p == '\n') {
			p = newlines(w, p, end);
			continue;
		}
		if (digits > 0) {
			buf_add(&w->out, p, digits);
			p += digits;
			buf_add_char(&w->out, '\\');
		} else if (is_special(w, *p, before, after) || begins_address(w, p, end) ||
			   (w->line_start && begins_block(*p, after))) {
			buf_add_char(&w->out, '\\');
		}
		buf_add_char(&w->out, *p++);
		w->line_start = w->cite_first = w->cite_last = false;
	}
}

/* Writes code. In a cell, a bar needs an odd number of backslashes before it, so
 * that it does not end the cell. */
static void
write_code(struct writer *w, const char *code, size_t len)
{
	size_t from = w->out.len, slashes = 0;
	const char *written;

	inline_escape_code(&w->out, code, len);
	if (w->place != TO_MARKDOWN_CELL || memchr(code, '|', len) == NULL)
		return;
	written = arena_text(w->c->arena, w->out.data + from);
	w->out.len = from;
	for (; *written != '\0'; written++) {
		if (*written == '|')
			buf_add_text(&w->out, slashes % 2 == 0 ? "\\" : "\\\\");
		slashes = *written == '\\' ? slashes + 1 : 0;
		buf_add_char(&w->out, *written);
	}
}

/* Appends an address, a title or a code's language: a backslash before those of
 * its characters that are `special`. */
static void
to_markdown_escape(struct buf *out, const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		/* The parser decodes references before it looks for backslashes. */
		if (*text == '&') {
			buf_lit(out, "&amp;");
			continue;
		}
		if (*text == '\\' || strchr(special, *text) != NULL)
			buf_add_char(out, '\\');
		buf_add_char(out, *text);
	}
}

/* Writes one token as Markdown. *address keeps the address of the open link. */
static void
write_token(struct writer *w, const struct inline_token *token, const char **address)
{
	switch (token->event) {
	case INLINE_TEXT:
		write_text(w, token->text, token->len);
		return;
	case INLINE_CODE:
		write_code(w, token->text, token->len);
		break;
	case INLINE_CITE:
		buf_printf(&w->out, "[^%.*s]", (int)token->len, token->text);
		w->cite_first = w->line_start;
		w->cite_last = true;
		w->line_start = false;
		return;
	case INLINE_STRONG:
	case INLINE_STRONG_END:
		buf_lit(&w->out, "**");
		w->marks += token->event == INLINE_STRONG ? 1 : -1;
		break;
	case INLINE_EMPHASIS:
	case INLINE_EMPHASIS_END:
		buf_lit(&w->out, "*");
		w->marks += token->event == INLINE_EMPHASIS ? 1 : -1;
		break;
	case INLINE_LINK:
		buf_lit(&w->out, "[");
		*address = arena_text_n(w->c->arena, token->text, token->len);
		w->marks++;
		w->in_link = true;
		break;
	case INLINE_LINK_END:
		buf_lit(&w->out, "](");
		to_markdown_escape(&w->out, *address, "()<>");
		buf_lit(&w->out, ")");
		w->marks--;
		w->in_link = false;
		break;
	}
	w->line_start = w->cite_first = w->cite_last = false;
}

static void
writer_init(struct writer *w, struct ctx *c, enum to_markdown_place place, size_t len)
{
	*w = (struct writer) { .c = c, .place = place, .line_start = true };
	/* In a cell a newline takes four bytes. Code grows by its backticks. */
	buf_init(&w->out, c->arena, 8 * len + 64);
}

const char *
to_markdown_text(struct ctx *c, const char *text, enum to_markdown_place place)
{
	const char *normal = to_markdown_normal(c, text), *address = "";
	struct inline_token *tokens;
	struct writer w;
	size_t count;

	if (normal == NULL)
		return "";
	tokens = inline_parse(c->arena, normal, &count);
	writer_init(&w, c, place, strlen(normal));
	for (size_t i = 0; i < count; i++) {
		w.link_next = i + 1 < count && (tokens[i + 1].event == INLINE_LINK ||
						   tokens[i + 1].event == INLINE_CITE);
		write_token(&w, &tokens[i], &address);
	}
	return buf_done(&w.out);
}

const char *
to_markdown_literal(struct ctx *c, const char *text)
{
	struct writer w;

	writer_init(&w, c, TO_MARKDOWN_LINE, strlen(text));
	write_text(&w, text, strlen(text));
	return buf_done(&w.out);
}

/* ---- sections and blocks */

struct body_writer {
	struct ctx *c;
	struct buf *out;
	bool list; /* the last block was a list of this kind */
	bool ordered;
};

/* Returns a text that must not vanish: an empty one becomes a word joiner, which
 * the import reads as a text. */
static const char *
solid_text(struct body_writer *w, const char *text, enum to_markdown_place place)
{
	const char *lines = to_markdown_text(w->c, text, place);

	return lines[0] == '\0' ? "&#8288;" : lines;
}

/* Writes an empty line between blocks. */
static void
gap(struct body_writer *w)
{
	if (w->out->len > 0)
		buf_add_char(w->out, '\n');
	w->list = false;
}

/* Writes lines: the first one after `first`, the others after `next`. An empty
 * line gets no spaces at its end. */
static void
write_lines(struct body_writer *w, const char *first, const char *next, const char *text)
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

/* Writes a heading: one line after its marks. */
static void
write_heading(struct body_writer *w, const char *marks, const char *text)
{
	const char *line = to_markdown_text(w->c, text, TO_MARKDOWN_LINE);

	gap(w);
	/* Text that looks like an anchor is not read as one if an empty anchor
	 * follows it. */
	buf_printf(w->out, "%s %s%s\n", marks, line, strstr(line, "{#") != NULL ? " {#}" : "");
}

/* Writes a list. `begin` precedes the first item, `indent` the others. */
static void
write_list(struct body_writer *w, const struct list *list, const char *begin, const char *indent)
{
	for (size_t i = 0; i < list->item_count; i++) {
		const struct list_item *item = &list->items[i];
		const char *mark = list->ordered ? arena_printf(w->c->arena, "%zu. ", i + 1) : "- ";
		const char *first =
		    arena_printf(w->c->arena, "%s%s", i == 0 ? begin : indent, mark);
		const char *next =
		    arena_printf(w->c->arena, "%s%*s", indent, (int)strlen(mark), "");
		const char *text = to_markdown_text(w->c, item->text, TO_MARKDOWN_PARAGRAPHS);
		if (text[0] == '\0' && item->list.item_count > 0) {
			/* "- - a" */
			write_list(w, &item->list, first, next);
			continue;
		}
		write_lines(w, first, next, solid_text(w, item->text, TO_MARKDOWN_PARAGRAPHS));
		write_list(w, &item->list, next, next);
	}
}

/* Begins a list. Two lists of one kind in a row would be read as one: an empty
 * comment separates them. */
static void
begin_list(struct body_writer *w, bool ordered)
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
write_list_block(struct body_writer *w, const struct list *list)
{
	if (list->item_count == 0)
		return;
	begin_list(w, list->ordered);
	write_list(w, list, "", "");
}

/* Writes steps as a numbered list: the name, then the text as a paragraph of the
 * same item. */
static void
write_steps(struct body_writer *w, const struct section *s)
{
	begin_list(w, true);
	for (size_t i = 0; i < s->step_count; i++) {
		const char *first = arena_printf(w->c->arena, "%zu. ", i + 1);
		const char *next = arena_printf(w->c->arena, "%*s", (int)strlen(first), "");
		const char *text = to_markdown_text(w->c, s->steps[i].text, TO_MARKDOWN_PARAGRAPHS);
		write_lines(w, first, next, solid_text(w, s->steps[i].name, TO_MARKDOWN_LINE));
		if (text[0] == '\0')
			continue;
		buf_add_char(w->out, '\n');
		write_lines(w, next, next, text);
	}
}

/* Writes a quote: lines after ">". */
static void
write_quote(struct body_writer *w, const char *text)
{
	const char *lines = solid_text(w, text, TO_MARKDOWN_PARAGRAPHS);

	gap(w);
	/* An empty comment prevents that "[!" makes the quote a callout. */
	if (strncmp(lines, "\\[!", 3) == 0)
		lines = arena_printf(w->c->arena, "\\[<!-- -->%s", lines + 2);
	write_lines(w, "> ", "> ", lines);
}

/* Writes a callout as a quote that begins with [!KIND]. Its title is in the
 * object galley. */
static void
write_callout(struct body_writer *w, const struct callout *callout)
{
	const char *lines = to_markdown_text(w->c, callout->text, TO_MARKDOWN_PARAGRAPHS);
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
write_code_block(struct body_writer *w, const struct block *block)
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
		to_markdown_escape(w->out, block->language, "");
	buf_add_char(w->out, '\n');
	if (block->text[0] != '\0')
		buf_printf(w->out, "%s\n", block->text);
	buf_printf(w->out, "%s\n", fence);
}

bool
to_markdown_caption_is_title(struct ctx *c, const char *caption)
{
	const char *plain = inline_plain(c->arena, caption);
	struct buf escaped;

	buf_init(&escaped, c->arena, 2 * strlen(plain) + 1);
	inline_escape(&escaped, plain, strlen(plain));
	/* The import makes no caption of an empty title. */
	return strchr(caption, '\n') == NULL && strcmp(escaped.data, caption) == 0 &&
	       to_markdown_normal(c, caption) != NULL;
}

/* Writes an image on a line of its own. Its caption is the title, if Markdown can
 * say it. */
static void
write_image(struct body_writer *w, const struct image *image)
{
	gap(w);
	buf_printf(w->out, "![%s](", to_markdown_literal(w->c, image->alt));
	to_markdown_escape(w->out, image->url, "()<>");
	if (image->caption != NULL && to_markdown_caption_is_title(w->c, image->caption)) {
		buf_lit(w->out, " \"");
		to_markdown_escape(w->out, inline_plain(w->c->arena, image->caption), "\"");
		buf_add_char(w->out, '"');
	}
	buf_lit(w->out, ")\n");
}

/* Writes a row on one line, with bars between the cells. */
static void
write_row(struct body_writer *w, const char *const *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_printf(w->out, "| %s ", to_markdown_text(w->c, cells[i], TO_MARKDOWN_CELL));
	buf_lit(w->out, "|\n");
}

const char *
to_markdown_dashes(const char *align, size_t column)
{
	char one = align == NULL ? '-' : align[column];

	return one == 'l' ? ":---" : one == 'c' ? ":---:" : one == 'r' ? "---:" : "---";
}

/* Writes a table, always with a head. Its row header is in the object galley. */
static void
write_table(struct body_writer *w, const struct table *table)
{
	gap(w);
	write_row(w, table->columns, table->column_count);
	for (size_t i = 0; i < table->column_count; i++)
		buf_printf(w->out, "| %s ", to_markdown_dashes(table->align, i));
	buf_lit(w->out, "|\n");
	for (size_t r = 0; r < table->row_count; r++)
		write_row(w, table->rows[r], table->column_count);
}

/* Writes one block for content_flow(). */
static void
write_block(void *arg, const struct section *s, const struct block *block)
{
	struct body_writer *w = arg;

	switch (block->type) {
	case BLOCK_PARAGRAPH:
		gap(w);
		write_lines(w, "", "", solid_text(w, block->text, TO_MARKDOWN_PARAGRAPH));
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
		write_code_block(w, block);
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
write_section(struct body_writer *w, const struct section *s, const char *marks)
{
	if (s->heading[0] != '\0')
		write_heading(w, marks, s->heading);
	content_flow(s, write_block, w);
	for (size_t i = 0; i < s->subsection_count; i++)
		write_section(w, &s->subsections[i], "###");
}

static void
write_label(struct body_writer *w, const char *label)
{
	gap(w);
	buf_printf(w->out, "## %s\n", to_markdown_literal(w->c, label));
}

/* Writes the takeaways as a list under their label. */
static void
write_takeaways(struct body_writer *w, const struct content *content)
{
	if (content->takeaway_count == 0)
		return;
	write_label(w, content->labels.takeaways);
	begin_list(w, false);
	for (size_t i = 0; i < content->takeaway_count; i++)
		write_lines(
		    w, "- ", "  ", solid_text(w, content->takeaways[i], TO_MARKDOWN_PARAGRAPHS));
}

/* Writes the questions under their label. Each is a heading of the third level,
 * and its answer follows. */
static void
write_faqs(struct body_writer *w, const struct content *content)
{
	if (content->faq_count > 0)
		write_label(w, content->labels.faqs);
	for (size_t i = 0; i < content->faq_count; i++) {
		const char *answer =
		    to_markdown_text(w->c, content->faqs[i].answer, TO_MARKDOWN_PARAGRAPHS);
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
write_references(struct body_writer *w, const struct content *content)
{
	if (content->reference_count > 0)
		gap(w);
	for (size_t i = 0; i < content->reference_count; i++) {
		const struct reference *r = &content->references[i];
		struct buf text;
		buf_init(&text, w->c->arena, 4 * CONTENT_BYTES_MAX);
		references_write(&text, r);
		buf_printf(w->out, "[^%s]: %s\n", r->id,
		    to_markdown_text(w->c, text.data, TO_MARKDOWN_LINE));
	}
}

void
to_markdown_body(struct ctx *c, const struct content *content, struct buf *out)
{
	struct body_writer w = { .c = c, .out = out };
	bool lead = content->section_count > 0 && content->sections[0].heading[0] == '\0';

	if (lead)
		write_section(&w, &content->sections[0], "##");
	write_takeaways(&w, content);
	for (size_t i = lead ? 1 : 0; i < content->section_count; i++)
		write_section(&w, &content->sections[i], "##");
	write_faqs(&w, content);
	write_references(&w, content);
}
