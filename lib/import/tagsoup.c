#include "import/tagsoup.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"

/* ---- the tree */

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

const char tag_blocks[] =
    " address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead title tr ul ";

static bool
is_alpha(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

static bool
is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\f' || ch == '\r';
}

/* Reads one attribute at `p`, where no space, "/" or ">" is. Returns where it
 * ends, or NULL if it is not an attribute or `end` comes first. This is stricter
 * than the standard, which allows "<" and quotes in names: so a tag that is not
 * closed is noticed at the next tag. */
static const char *
attribute_read(const char *p, const char *end, struct tag_attribute *out)
{
	const char *quote;

	out->name = p;
	while (p < end && !is_blank(*p) && strchr("/>=<\"'", *p) == NULL)
		p++;
	out->name_len = (size_t)(p - out->name);
	out->value = p;
	out->value_len = 0;
	if (out->name_len == 0)
		return NULL;
	while (p < end && is_blank(*p))
		p++;
	if (p == end || *p != '=')
		return p < end ? p : NULL;
	for (p++; p < end && is_blank(*p); p++)
		;
	if (p == end)
		return NULL;
	if (*p == '"' || *p == '\'') {
		quote = memchr(p + 1, *p, (size_t)(end - p - 1));
		if (quote == NULL)
			return NULL;
		out->value = p + 1;
		out->value_len = (size_t)(quote - out->value);
		return quote + 1;
	}
	for (out->value = p; p < end && !is_blank(*p) && *p != '>'; p++) {
		if (*p == '<' || *p == '"' || *p == '\'')
			return NULL;
	}
	out->value_len = (size_t)(p - out->value);
	return p < end ? p : NULL;
}

bool
tag_attribute(const struct tag *tag, const char **p, struct tag_attribute *out)
{
	while (*p < tag->end && (is_blank(**p) || **p == '/'))
		++*p;
	if (**p == '>')
		return false;
	*p = attribute_read(*p, tag->end, out);
	return true;
}

bool
tag_read(const char *p, const char *end, struct tag *tag)
{
	struct tag_attribute attribute;

	memset(tag, 0, sizeof(*tag));
	if (end - p < 3 || *p != '<')
		return false;
	tag->closing = p[1] == '/';
	tag->name = p + (tag->closing ? 2 : 1);
	if (!is_alpha(*tag->name))
		return false;
	for (p = tag->name; p < end && !is_blank(*p) && *p != '/' && *p != '>';)
		p++;
	tag->name_len = (size_t)(p - tag->name);
	tag->attributes = p;
	while (p != NULL) {
		tag->self_closing = false;
		for (; p < end && (is_blank(*p) || *p == '/'); p++)
			tag->self_closing = *p == '/';
		if (p == end)
			return false;
		if (*p == '>')
			break;
		p = attribute_read(p, end, &attribute);
	}
	if (p == NULL)
		return false;
	tag->end = p + 1;
	return true;
}

bool
tag_is(const struct tag *tag, const char *name)
{
	return strlen(name) == tag->name_len && strncasecmp(tag->name, name, tag->name_len) == 0;
}

bool
tag_is_in(const struct tag *tag, const char *names)
{
	const char *p = names;

	while (*p == ' ' && p[1] != '\0') {
		size_t len = strcspn(++p, " ");
		if (len == tag->name_len && strncasecmp(p, tag->name, len) == 0)
			return true;
		p += len;
	}
	return false;
}
