#include "site/page.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "import/tagsoup.h"

#define SPACES " \t\n\f\r"

/* Returns the list with room for one more element. A list has room for a power of
 * two. */
static void *
grown(struct ctx *c, void *list, size_t count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return list;
	return arena_grow(c->arena, list, count * size, (count == 0 ? 1 : 2 * count) * size);
}

void
page_texts_add(struct ctx *c, struct page_texts *texts, const char *text)
{
	texts->list = grown(c, texts->list, texts->count, sizeof(*texts->list));
	texts->list[texts->count++] = text;
}

bool
page_texts_have(const struct page_texts *texts, const char *text)
{
	for (size_t i = 0; i < texts->count; i++) {
		if (strcasecmp(texts->list[i], text) == 0)
			return true;
	}
	return false;
}

const char *
page_meta(const struct page *p, const char *name, size_t n)
{
	for (size_t i = 0; i < p->meta_count; i++) {
		if (strcasecmp(p->metas[i].name, name) == 0 && n-- == 0)
			return p->metas[i].content;
	}
	return NULL;
}

/* ---- the tree */

static const GumboVector *
children_of(const GumboNode *node)
{
	if (node->type == GUMBO_NODE_DOCUMENT)
		return &node->v.document.children;
	return node->type == GUMBO_NODE_ELEMENT ? &node->v.element.children : &kGumboEmptyVector;
}

/* Returns the node after `node` in reading order, below `top`; NULL at the end. A
 * tree may be as deep as its page is long, so no function here calls itself. */
static const GumboNode *
next_of(const GumboNode *node, const GumboNode *top)
{
	const GumboVector *children = children_of(node);

	if (children->length > 0)
		return children->data[0];
	for (; node != top; node = node->parent) {
		size_t at = node->index_within_parent + 1;
		children = children_of(node->parent);
		if (at < children->length)
			return children->data[at];
	}
	return NULL;
}

/* Returns the tag of a node, or GUMBO_TAG_LAST for a node that is not an HTML
 * element: an SVG has titles, too. */
static GumboTag
tag_of(const GumboNode *node)
{
	if (node->type != GUMBO_NODE_ELEMENT ||
	    node->v.element.tag_namespace != GUMBO_NAMESPACE_HTML)
		return GUMBO_TAG_LAST;
	return node->v.element.tag;
}

/* Returns all text below a node, unchanged. */
static const char *
text_of(struct ctx *c, const GumboNode *top)
{
	const GumboNode *node = top;
	struct buf out;

	buf_init(&out, c->arena, (size_t)64 * 1024 * 1024);
	for (; node != NULL; node = next_of(node, top)) {
		if (node_is_text(node))
			buf_add_text(&out, node->v.text.text);
	}
	return buf_done(&out);
}

/* Returns the text on one line, without spaces at its ends. */
static const char *
single(struct ctx *c, const char *text)
{
	struct buf out;

	buf_init(&out, c->arena, strlen(text));
	for (text += strspn(text, SPACES); *text != '\0';) {
		size_t len = strcspn(text, SPACES);
		if (out.len > 0)
			buf_add_char(&out, ' ');
		buf_add(&out, text, len);
		text += len;
		text += strspn(text, SPACES);
	}
	return buf_done(&out);
}

/* Returns whether a list of words, as in rel and class, has this one. */
static bool
has_word(const char *words, const char *word)
{
	size_t len;

	for (; words != NULL && *words != '\0'; words += len) {
		words += strspn(words, SPACES);
		len = strcspn(words, SPACES);
		if (len == strlen(word) && strncasecmp(words, word, len) == 0)
			return true;
	}
	return false;
}

static const char *
nearest(const GumboNode *node, const char *name)
{
	const char *value = NULL;

	for (; node != NULL && value == NULL; node = node->parent)
		value = node_attribute(node, name);
	return value;
}

/* ---- what a page tells about its article */

struct reading {
	struct ctx *c;
	struct page *page;
};

/* Notes an element that search engines ignore in this place. */
static void
check_place(struct reading *r, const GumboNode *node, const char *name)
{
	if (page_texts_have(&r->page->strays, name))
		return;
	for (; node != NULL; node = node->parent) {
		if (tag_of(node) == GUMBO_TAG_HEAD)
			return;
	}
	page_texts_add(r->c, &r->page->strays, name);
}

static void
read_meta(struct reading *r, const GumboNode *node)
{
	static const char *const placed[] = { "robots", "description" };
	const char *name = node_attribute(node, "name");
	const char *content = node_attribute(node, "content");
	struct page *p = r->page;

	if (name == NULL)
		name = node_attribute(node, "property");
	if (name == NULL || content == NULL)
		return;
	p->metas = grown(r->c, p->metas, p->meta_count, sizeof(*p->metas));
	p->metas[p->meta_count++] =
	    (struct page_meta) { single(r->c, name), single(r->c, content) };
	for (size_t i = 0; i < sizeof(placed) / sizeof(placed[0]); i++) {
		if (strcasecmp(name, placed[i]) == 0)
			check_place(r, node, placed[i]);
	}
}

static void
read_heading(struct reading *r, const GumboNode *node)
{
	struct page *p = r->page;

	if (p->headings.count == 0) {
		p->heading_language = nearest(node, "lang");
		p->heading_direction = nearest(node, "dir");
	}
	page_texts_add(r->c, &p->headings, single(r->c, text_of(r->c, node)));
}

static void
read_script(struct reading *r, const GumboNode *node)
{
	const char *type = node_attribute(node, "type");

	if (type != NULL && strncasecmp(type, "application/ld+json", 19) == 0)
		page_texts_add(r->c, &r->page->json_ld, text_of(r->c, node));
}

static void
read_link(struct reading *r, const GumboNode *node)
{
	const char *href = node_attribute(node, "href");

	if (href == NULL || !has_word(node_attribute(node, "rel"), "canonical"))
		return;
	page_texts_add(r->c, &r->page->canonicals, single(r->c, href));
	check_place(r, node, "canonical");
}

static void
read_element(struct reading *r, const GumboNode *node)
{
	struct page *p = r->page;

	switch (tag_of(node)) {
	case GUMBO_TAG_HTML:
		p->language = node_attribute(node, "lang");
		p->direction = node_attribute(node, "dir");
		break;
	case GUMBO_TAG_BODY:
		if (p->direction == NULL)
			p->direction = node_attribute(node, "dir");
		break;
	case GUMBO_TAG_TITLE:
		page_texts_add(r->c, &p->titles, single(r->c, text_of(r->c, node)));
		check_place(r, node, "title");
		break;
	case GUMBO_TAG_META:
		read_meta(r, node);
		break;
	case GUMBO_TAG_LINK:
		read_link(r, node);
		break;
	case GUMBO_TAG_SCRIPT:
		read_script(r, node);
		break;
	case GUMBO_TAG_H1:
		read_heading(r, node);
		break;
	case GUMBO_TAG_ARTICLE:
		p->articles += has_word(node_attribute(node, "class"), "ab-article");
		break;
	default:
		break;
	}
}

void
page_read(struct ctx *c, const char *html, size_t len, struct page *out)
{
	struct reading r = { c, out };
	const GumboNode *root, *node;

	memset(out, 0, sizeof(*out));
	root = node_parse(c, html, len, false);
	for (node = root; node != NULL; node = next_of(node, root))
		read_element(&r, node);
}
