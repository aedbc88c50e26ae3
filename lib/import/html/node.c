#include "import/html/node.h"

#include "base/arena.h"
#include "base/ctx.h"

static void *
allocate(void *arena, size_t size)
{
	return arena_alloc(arena, size);
}

static void
release(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

const GumboNode *
node_parse(struct ctx *c, const char *html, size_t len, bool fragment)
{
	GumboOptions gumbo = kGumboDefaultOptions;

	gumbo.allocator = allocate;
	gumbo.deallocator = release;
	gumbo.userdata = c->arena;
	gumbo.max_errors = 0;
	if (fragment)
		gumbo.fragment_context = GUMBO_TAG_DIV;
	return gumbo_parse_with_options(&gumbo, html, len)->root;
}

const char *
node_attribute(const GumboNode *node, const char *name)
{
	GumboAttribute *attribute;

	if (node->type != GUMBO_NODE_ELEMENT)
		return NULL;
	attribute = gumbo_get_attribute(&node->v.element.attributes, name);
	return attribute == NULL ? NULL : attribute->value;
}

bool
node_is_text(const GumboNode *node)
{
	return node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA ||
	       node->type == GUMBO_NODE_WHITESPACE;
}
