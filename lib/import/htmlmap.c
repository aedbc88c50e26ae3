#include "import/htmlmap.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "import/tagsoup.h"

/* ---- a node */

void
htmlmap_line(struct htmlmap *m, const GumboNode *node)
{
	unsigned at = 0;

	if (node->type == GUMBO_NODE_ELEMENT)
		at = node->v.element.start_pos.line;
	else if (node->type != GUMBO_NODE_TEMPLATE)
		at = node->v.text.start_pos.line;
	if (at > 0)
		m->line = from_markdown_line(m->html, at);
	if (m->pieces.count == 0)
		m->pieces.line = m->line;
}

GumboTag
htmlmap_tag(const GumboNode *node)
{
	return node->type == GUMBO_NODE_ELEMENT ? node->v.element.tag : GUMBO_TAG_LAST;
}

const char *
htmlmap_name(struct htmlmap *m, const GumboNode *node)
{
	GumboStringPiece piece = node->v.element.original_tag;
	const char *name;

	if (node->v.element.tag != GUMBO_TAG_UNKNOWN || piece.length == 0)
		return gumbo_normalized_tagname(node->v.element.tag);
	gumbo_tag_from_original_text(&piece);
	name = arena_text_n(m->c->arena, piece.data, piece.length);
	return strncmp(name, "x-", 2) == 0 ? name + 2 : name;
}

const GumboVector *
htmlmap_children(const GumboNode *node)
{
	return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE
		   ? &node->v.element.children
		   : &kGumboEmptyVector;
}

/* Adds all text of a node. A <br> becomes a newline. */
static void
collect(const GumboNode *node, struct buf *out)
{
	const GumboVector *children = htmlmap_children(node);

	if (node_is_text(node))
		buf_add_text(out, node->v.text.text);
	if (htmlmap_tag(node) == GUMBO_TAG_BR)
		buf_add_char(out, '\n');
	for (unsigned i = 0; i < children->length; i++)
		collect(children->data[i], out);
}

const char *
htmlmap_text(struct htmlmap *m, const GumboNode *node)
{
	struct buf out;

	buf_init(&out, m->c->arena, 2 * m->html->len + 16);
	collect(node, &out);
	return out.data;
}

bool
htmlmap_is_block(const GumboNode *node)
{
	GumboTag element = htmlmap_tag(node);
	const char *name;
	struct tag tag = { 0 };

	if (element == GUMBO_TAG_LAST || element == GUMBO_TAG_UNKNOWN)
		return false;
	name = gumbo_normalized_tagname(element);
	tag.name = name;
	tag.name_len = strlen(name);
	return tag_is_in(&tag, tag_blocks);
}

bool
htmlmap_has_block(const GumboNode *node)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length; i++) {
		if (htmlmap_is_block(children->data[i]) || htmlmap_has_block(children->data[i]))
			return true;
	}
	return false;
}

bool
htmlmap_has_solid(const GumboNode *node)
{
	const GumboVector *children = htmlmap_children(node);

	switch (htmlmap_tag(node)) {
	case GUMBO_TAG_PRE:
	case GUMBO_TAG_TABLE:
	case GUMBO_TAG_BLOCKQUOTE:
	case GUMBO_TAG_ASIDE:
	case GUMBO_TAG_FIGURE:
	case GUMBO_TAG_IMG:
		return true;
	default:
		break;
	}
	for (unsigned i = 0; i < children->length; i++) {
		if (htmlmap_has_solid(children->data[i]))
			return true;
	}
	return false;
}

void
htmlmap_refuse(struct htmlmap *m, const char *format, ...)
{
	va_list args;

	if (m->err != NULL)
		return;
	va_start(args, format);
	m->err = refuse(
	    m->c, ERR_INVALID, "line %u: %s.", m->line, arena_vprintf(m->c->arena, format, args));
	va_end(args);
}

const char *
htmlmap_plain(struct ctx *c, const char *html)
{
	size_t len = strlen(html);
	struct buf out;

	buf_init(&out, c->arena, 4 * len + 16);
	collect(node_parse(c, html, len, true), &out);
	return out.data;
}

/* ---- the flow */

const char *
htmlmap_fits(struct htmlmap *m, const char *text)
{
	if (text != NULL && utf8_length(text) > CONTENT_TEXT_MAX)
		htmlmap_refuse(m,
		    "a text of %zu characters begins here; at most %d fit in one paragraph, item, cell or quote",
		    utf8_length(text), CONTENT_TEXT_MAX);
	return text;
}

void
htmlmap_append(struct htmlmap *m, struct flow *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct flow_block *block = &from->blocks[i];
		*flow_add(m->c, m->flow, block->type, block->line) = *block;
	}
	from->count = 0;
}

void
htmlmap_end_paragraph(struct htmlmap *m)
{
	unsigned line = m->pieces.line;
	const char *text = htmlmap_fits(m, pieces_end(&m->pieces));

	if (text != NULL)
		flow_add(m->c, m->flow, BLOCK_PARAGRAPH, line)->text = text;
	htmlmap_append(m, &m->images);
	m->pieces.line = m->line;
}

struct flow
htmlmap_inner(struct htmlmap *m, const GumboNode *node)
{
	struct flow *outer = m->flow, inner = { 0 };

	m->flow = &inner;
	htmlmap_blocks(m, node, 0);
	m->flow = outer;
	return inner;
}

/* Adds a heading with its level and its anchor. A heading without text is dropped
 * (a loss). */
static void
heading(struct htmlmap *m, const GumboNode *node)
{
	unsigned line;
	struct flow_block *block;
	const char *text;

	htmlmap_end_paragraph(m);
	line = m->line;
	text = htmlmap_line_of(m, node);
	if (text == NULL || inline_plain(m->c->arena, text)[0] == '\0') {
		losses_add(m->losses, line, tr_mark("a heading without text was dropped"));
	} else {
		if (utf8_length(text) > CONTENT_HEADING_MAX)
			htmlmap_refuse(m, "a heading has %zu characters; at most %d are allowed",
			    utf8_length(text), CONTENT_HEADING_MAX);
		block = flow_add(m->c, m->flow, BLOCK_HEADING, line);
		block->text = text;
		block->level = (int)(htmlmap_tag(node) - GUMBO_TAG_H1) + 1;
		block->anchor = node_attribute(node, "id");
	}
	htmlmap_append(m, &m->images);
}

/* Returns the language of code: from our own attribute, or from a class as tools
 * write it. */
static const char *
code_language(struct htmlmap *m, const GumboNode *node)
{
	static const char *const prefixes[] = { "language-", "lang-", "highlight-source-" };
	const GumboVector *children = htmlmap_children(node);
	const char *text = node_attribute(node, "data-language"), *found;

	for (size_t i = 0; i < 3 && text == NULL; i++) {
		found = node_attribute(node, "class");
		found = found == NULL ? NULL : strstr(found, prefixes[i]);
		if (found != NULL)
			text = arena_text_n(m->c->arena, found + strlen(prefixes[i]),
			    strcspn(found + strlen(prefixes[i]), " \t\n"));
	}
	for (unsigned i = 0; i < children->length && text == NULL; i++) {
		if (htmlmap_tag(children->data[i]) == GUMBO_TAG_CODE)
			text = code_language(m, children->data[i]);
	}
	if (text == NULL || text[0] == '\0')
		return NULL;
	if (utf8_length(text) > 60 || utf8_forbidden(text, true) != NULL ||
	    strpbrk(text, " \t\n") != NULL) {
		losses_add(m->losses, m->line,
		    tr_mark("the language of code was dropped: it is too long"));
		return NULL;
	}
	return text;
}

/* Adds a block of code, without the newline at its end. */
static void
code(struct htmlmap *m, const GumboNode *node)
{
	char *text;
	size_t len;
	struct flow_block *block;

	htmlmap_end_paragraph(m);
	text = arena_text(m->c->arena, htmlmap_text(m, node));
	len = strlen(text);
	if (len > 0 && text[len - 1] == '\n')
		text[len - 1] = '\0';
	if (utf8_drop_forbidden(text, false))
		losses_add(m->losses, m->line,
		    tr_mark("characters that cannot be stored were dropped from code"));
	block = flow_add(m->c, m->flow, BLOCK_CODE, m->line);
	block->text = htmlmap_fits(m, text);
	block->language = code_language(m, node);
}

/* Drops the tag of an element and keeps its content. */
static void
transparent(struct htmlmap *m, const GumboNode *node)
{
	GumboTag tag = htmlmap_tag(node);
	const char *dir = node_attribute(node, "dir");

	if (tag == GUMBO_TAG_DIV && dir != NULL)
		losses_add(m->losses, m->line,
		    tr_mark(
			"<div dir=\"%s\"> was dropped, its content kept: the direction comes from the article's language"),
		    losses_excerpt(m->c, dir, 10));
	else if (tag != GUMBO_TAG_P && !(m->options->posts && tag == GUMBO_TAG_DIV))
		losses_add(m->losses, m->line,
		    tr_mark("the tag <%s> was dropped, its content kept"), htmlmap_name(m, node));
	htmlmap_end_paragraph(m);
	htmlmap_blocks(m, node, 0);
}

/* Turns a term of a definition list, or a summary, into a paragraph of strong
 * text. */
static void
strong_paragraph(struct htmlmap *m, const GumboNode *node)
{
	losses_add(m->losses, m->line, tr_mark("<%s> became a paragraph of strong text"),
	    htmlmap_name(m, node));
	htmlmap_end_paragraph(m);
	pieces_open(&m->pieces, INLINE_STRONG, NULL);
	htmlmap_inlines(m, node);
	pieces_close(&m->pieces, INLINE_STRONG_END);
	htmlmap_end_paragraph(m);
}

/* Returns whether the element is a footnote: the <x-note> that from-markdown.h writes. */
static bool
is_note(const GumboNode *node)
{
	return htmlmap_tag(node) == GUMBO_TAG_UNKNOWN && node->v.element.original_tag.length > 7 &&
	       strncmp(node->v.element.original_tag.data, "<x-note", 7) == 0;
}

/* Collects the blocks of a footnote in a flow of their own. */
static void
footnote(struct htmlmap *m, const GumboNode *node)
{
	const char *id = node_attribute(node, "data-id");
	size_t number = 0;

	for (; id != NULL && *id >= '0' && *id <= '9'; id++)
		number = number * 10 + (size_t)(*id - '0');
	if (number == 0 || number > m->html->note_count)
		BUG("a footnote without number");
	htmlmap_end_paragraph(m);
	m->footnotes[number - 1] = htmlmap_inner(m, node);
}

/* Adds a block element: a heading, list, quote, note, figure, table or code, or
 * only its content. */
static void
element(struct htmlmap *m, const GumboNode *node)
{
	switch (htmlmap_tag(node)) {
	case GUMBO_TAG_H1:
	case GUMBO_TAG_H2:
	case GUMBO_TAG_H3:
	case GUMBO_TAG_H4:
	case GUMBO_TAG_H5:
	case GUMBO_TAG_H6:
		heading(m, node);
		break;
	case GUMBO_TAG_UL:
	case GUMBO_TAG_OL:
	case GUMBO_TAG_MENU:
	case GUMBO_TAG_DIR:
		htmlmap_list(m, node);
		break;
	case GUMBO_TAG_BLOCKQUOTE:
		htmlmap_quote(m, node);
		break;
	case GUMBO_TAG_ASIDE:
		htmlmap_aside(m, node);
		break;
	case GUMBO_TAG_FIGURE:
		htmlmap_figure(m, node);
		break;
	case GUMBO_TAG_TABLE:
		htmlmap_table(m, node);
		break;
	case GUMBO_TAG_PRE:
	case GUMBO_TAG_LISTING:
		code(m, node);
		break;
	case GUMBO_TAG_DT:
	case GUMBO_TAG_SUMMARY:
		strong_paragraph(m, node);
		break;
	case GUMBO_TAG_HR:
		htmlmap_end_paragraph(m);
		if (m->flow == m->top)
			(void)flow_add(m->c, m->flow, BLOCK_RULE, m->line);
		else
			losses_add(m->losses, m->line, tr_mark("a horizontal rule was dropped"));
		break;
	default:
		transparent(m, node);
	}
}

void
htmlmap_block(struct htmlmap *m, const GumboNode *node)
{
	if (m->err != NULL || node == m->left_out)
		return;
	htmlmap_line(m, node);
	if (is_note(node))
		footnote(m, node);
	else if (htmlmap_is_block(node))
		element(m, node);
	else if (htmlmap_has_block(node))
		transparent(m, node);
	else
		htmlmap_inline(m, node);
}

void
htmlmap_blocks(struct htmlmap *m, const GumboNode *node, unsigned from)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = from; i < children->length; i++)
		htmlmap_block(m, children->data[i]);
	htmlmap_end_paragraph(m);
}

struct err *
htmlmap_flow(struct ctx *c, const struct lined_html *html, const struct document_options *options,
    const char *const *cites, struct losses *losses, struct notes *notes, struct flow *flow,
    struct flow *footnotes)
{
	struct htmlmap m = { .c = c,
		.html = html,
		.options = options,
		.cites = cites,
		.losses = losses,
		.notes = notes,
		.flow = flow,
		.top = flow,
		.footnotes = footnotes };

	pieces_init(&m.pieces, c, losses);
	htmlmap_blocks(&m, node_parse(c, html->text, html->len, true), 0);
	return m.err;
}
