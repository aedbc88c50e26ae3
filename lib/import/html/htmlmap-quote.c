#include "import/html/htmlmap.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"

const char *
htmlmap_flow_text(struct htmlmap *m, const struct flow *flow, struct flow *rest)
{
	return htmlmap_fits(m, flow_text(m->c, m->losses, flow->blocks, flow->count, rest));
}

/* Returns the text with which the quote's first paragraph begins, or NULL. */
static const GumboNode *
first_text(const GumboNode *node)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length; i++) {
		const GumboNode *child = children->data[i];
		if (child->type == GUMBO_NODE_WHITESPACE)
			continue;
		if (child->type == GUMBO_NODE_TEXT)
			return child;
		return htmlmap_tag(child) == GUMBO_TAG_P ? first_text(child) : NULL;
	}
	return NULL;
}

/* Returns the text behind the mark up to the end of the line, as the title.
 * Returns NULL if the line continues with marks; then all of it is the text. */
static const char *
alert_title(struct htmlmap *m, const GumboNode *first, const char *p)
{
	size_t len = strcspn(p, "\n");
	struct pieces pieces;

	if (p[len] == '\0' && first->parent != NULL &&
	    first->index_within_parent + 1 < htmlmap_children(first->parent)->length)
		return NULL;
	pieces_init(&pieces, m->c, m->losses);
	pieces.line = m->line;
	pieces_text(&pieces, arena_text_n(m->c->arena, p, len));
	return pieces_end(&pieces);
}

/* A quote is a callout if it begins with "[!TIP]" or another kind, alone on its
 * line or with a title behind it (as Obsidian writes it). Sets m->skip, so that
 * the mark and the title are not read again as text. */
static bool
alert(struct htmlmap *m, const GumboNode *node, struct callout *out)
{
	const GumboNode *first = first_text(node);
	const char *text = first == NULL ? "" : first->v.text.text, *p, *close;

	p = text + strspn(text, " \n");
	close = strchr(p, ']');
	if (p[0] != '[' || p[1] != '!' || close == NULL ||
	    !content_callout_kind(
		arena_text_n(m->c->arena, p + 2, (size_t)(close - p) - 2), &out->kind))
		return false;
	p = close + 1;
	/* "[!TIP]-" and "[!TIP]+" can be folded in other programs. Here they are
	 * always open. */
	if (*p == '-' || *p == '+')
		p++;
	out->title = alert_title(m, first, p);
	if (out->title != NULL)
		p += strcspn(p, "\n");
	m->begun = first;
	m->skip = (size_t)(p - text);
	return true;
}

/* Returns the first child with this tag, or NULL. A quote's footer names its
 * source. */
static void
add_callout(struct htmlmap *m, struct callout *callout, unsigned line, const char *says_moved,
    const struct flow *inner)
{
	struct flow rest = { 0 };
	const char *text = htmlmap_flow_text(m, inner, &rest);
	bool moved = false;

	for (size_t i = 0; i < rest.count; i++)
		moved = moved || rest.blocks[i].type != BLOCK_IMAGE;
	if (moved)
		losses_add(m->losses, line, "%s", tr_for(m->c, says_moved));
	if (callout->title != NULL && utf8_length(callout->title) > CONTENT_HEADING_MAX)
		htmlmap_refuse(
		    m, "the title of a note has more than %d characters", CONTENT_HEADING_MAX);
	callout->text = text == NULL ? "" : text;
	flow_add(m->c, m->flow, BLOCK_CALLOUT, line)->callout = *callout;
	htmlmap_append(m, &rest);
}

/* Returns the footer of a quote, which names its source. */
static const GumboNode *
find_child(const GumboNode *node, GumboTag tag)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length; i++) {
		if (htmlmap_tag(children->data[i]) == tag)
			return children->data[i];
	}
	return NULL;
}

void
htmlmap_quote(struct htmlmap *m, const GumboNode *node)
{
	const GumboNode *outer = m->left_out;
	struct callout callout = { 0 };
	struct flow inner, rest = { 0 };
	const char *text, *cite = NULL;
	unsigned line;

	htmlmap_end_paragraph(m);
	line = m->line;
	if (alert(m, node, &callout)) {
		inner = htmlmap_inner(m, node);
		add_callout(m, &callout, line,
		    tr_mark("code, tables and notes in a note stand after it now"), &inner);
		return;
	}
	m->left_out = find_child(node, GUMBO_TAG_FOOTER);
	if (m->left_out != NULL)
		cite = htmlmap_text_of(m, m->left_out);
	inner = htmlmap_inner(m, node);
	m->left_out = outer;
	text = htmlmap_flow_text(m, &inner, &rest);
	if (text == NULL && cite != NULL) {
		flow_add(m->c, m->flow, BLOCK_PARAGRAPH, line)->text = cite;
	} else if (text != NULL) {
		struct flow_block *block = flow_add(m->c, m->flow, BLOCK_QUOTE, line);
		block->text = text;
		block->cite = cite;
	}
	if (rest.count > 0)
		losses_add(m->losses, line,
		    tr_mark("pictures, code, tables and notes in a quote stand after it now"));
	htmlmap_append(m, &rest);
}

void
htmlmap_aside(struct htmlmap *m, const GumboNode *node)
{
	struct callout callout = { .kind = CALLOUT_NOTE };
	struct flow inner;
	unsigned line;

	htmlmap_end_paragraph(m);
	line = m->line;
	inner = htmlmap_inner(m, node);
	if (inner.count == 0)
		return;
	if (inner.blocks[0].type == BLOCK_HEADING) {
		callout.title = inner.blocks[0].text;
		inner.blocks++;
		inner.count--;
	}
	if (callout.title == NULL)
		losses_add(m->losses, line, tr_mark("<aside> became a note"));
	else
		losses_add(m->losses, line,
		    tr_mark("<aside> became a note, its heading the note's title"));
	add_callout(m, &callout, line,
	    tr_mark("code, tables and notes in an aside stand after it now"), &inner);
}

/* Returns the block of a figure that gets its caption: the last image, else the
 * last table, else the last quote. Returns NULL if there is none. */
static struct flow_block *
captioned(struct flow *flow)
{
	static const enum block_type order[] = { BLOCK_IMAGE, BLOCK_TABLE, BLOCK_QUOTE };

	for (size_t k = 0; k < 3; k++) {
		for (size_t i = flow->count; i > 0; i--) {
			if (flow->blocks[i - 1].type == order[k])
				return &flow->blocks[i - 1];
		}
	}
	return NULL;
}

/* Returns the first element in the node that has the class, or the tag; NULL if
 * there is none. */
static const GumboNode *
find_inside(const GumboNode *node, const char *class, GumboTag tag)
{
	const GumboVector *children = htmlmap_children(node);
	const GumboNode *found = NULL;

	for (unsigned i = 0; i < children->length && found == NULL; i++) {
		const GumboNode *child = children->data[i];
		const char *has = node_attribute(child, "class");
		if (class != NULL ? has != NULL && strstr(has, class) != NULL
				  : htmlmap_tag(child) == tag)
			return child;
		found = find_inside(child, class, tag);
	}
	return found;
}

/* Turns Ghost's card for a link into a link with the other page's title. */
static bool
bookmark(struct htmlmap *m, const GumboNode *node)
{
	const char *class = node_attribute(node, "class"), *href, *address;
	const GumboNode *link, *title;

	if (!m->options->posts || class == NULL || strstr(class, "kg-bookmark-card") == NULL)
		return false;
	link = find_inside(node, NULL, GUMBO_TAG_A);
	href = link == NULL ? NULL : node_attribute(link, "href");
	address = href == NULL ? NULL : htmlmap_link(m, href);
	if (address == NULL)
		return false;
	title = find_inside(link, "kg-bookmark-title", GUMBO_TAG_LAST);
	losses_add(m->losses, m->line, "a bookmark card became a link");
	pieces_open(&m->pieces, INLINE_LINK, address);
	pieces_text(&m->pieces, title == NULL ? address : htmlmap_text(m, title));
	pieces_close(&m->pieces, INLINE_LINK_END);
	htmlmap_end_paragraph(m);
	return true;
}

void
htmlmap_figure(struct htmlmap *m, const GumboNode *node)
{
	const GumboNode *outer = m->left_out;
	const GumboNode *caption = find_child(node, GUMBO_TAG_FIGCAPTION);
	const char *text = NULL, **place;
	struct flow_block *block;
	struct flow inner;

	htmlmap_end_paragraph(m);
	if (bookmark(m, node))
		return;
	m->left_out = caption;
	inner = htmlmap_inner(m, node);
	m->left_out = outer;
	if (caption != NULL)
		text = htmlmap_text_of(m, caption);
	block = captioned(&inner);
	if (text != NULL && block != NULL) {
		place = block->type == BLOCK_IMAGE   ? &block->image.caption
			: block->type == BLOCK_TABLE ? &block->table.caption
						     : &block->cite;
		if (*place != NULL)
			losses_add(m->losses, m->line,
			    tr_mark("a caption was dropped in favour of the figure's: \"%s\""),
			    losses_excerpt(m->c, *place, 60));
		*place = text;
	} else if (text != NULL) {
		flow_add(m->c, &inner, BLOCK_PARAGRAPH, m->line)->text = text;
	}
	htmlmap_append(m, &inner);
	htmlmap_append(m, &m->images);
}
