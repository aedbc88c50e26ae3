#include "import/html/htmlmap.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/tagsoup.h"

void
htmlmap_line(struct htmlmap *m, const GumboNode *node)
{
	unsigned at = 0;

	if (node->type == GUMBO_NODE_ELEMENT)
		at = node->v.element.start_pos.line;
	else if (node->type != GUMBO_NODE_TEMPLATE)
		at = node->v.text.start_pos.line;
	if (at > 0)
		m->line = weave_line(m->woven, at);
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

	buf_init(&out, m->c->arena, 2 * m->woven->len + 16);
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
