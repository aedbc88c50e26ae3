#include "doctor/page-compare.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/url.h"
#include "export/facts.h"
#include "import/tagsoup.h"
#include "system/harden.h"

#define SPACES " \t\n\f\r"

/* ---- a page */

/* Returns the list with room for one more element. A list has room for a power of
 * two. */
static void *
grown(struct ctx *c, void *list, size_t count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return list;
	return arena_grow(c->arena, list, count * size, (count == 0 ? 1 : 2 * count) * size);
}

/* Adds a text, which must be in the arena. */
static void
page_texts_add(struct ctx *c, struct page_texts *texts, const char *text)
{
	texts->list = grown(c, texts->list, texts->count, sizeof(*texts->list));
	texts->list[texts->count++] = text;
}

/* Returns whether a text is in the list; upper and lower case are equal. */
static bool
page_texts_have(const struct page_texts *texts, const char *text)
{
	for (size_t i = 0; i < texts->count; i++) {
		if (strcasecmp(texts->list[i], text) == 0)
			return true;
	}
	return false;
}

/* Returns the n-th content (from 0) of the meta elements with this name, or NULL. */
static const char *
page_meta(const struct page *p, const char *name, size_t n)
{
	for (size_t i = 0; i < p->meta_count; i++) {
		if (strcasecmp(p->metas[i].name, name) == 0 && n-- == 0)
			return p->metas[i].content;
	}
	return NULL;
}

/* ---- the tree of a page */

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

/* ---- findings */

#define QUOTED_MAX 120 /* code points */

void
compare_tell(struct page_report *r, const char *check, const char *expected, const char *found,
    const char *fix)
{
	if (r->count == PAGE_FINDINGS_MAX)
		return;
	r->findings[r->count++] = (struct page_finding) { check, expected, found, fix };
}

const char *
compare_quote(struct ctx *c, const char *text)
{
	const char *line, *bad;
	struct buf out;

	if (text == NULL)
		return "none";
	line = facts_cut(c, text, QUOTED_MAX);
	buf_init(&out, c->arena, 3 * strlen(line) + 16);
	buf_add_char(&out, '"');
	while ((bad = utf8_forbidden(line, true)) != NULL) {
		buf_add(&out, line, (size_t)(bad - line));
		buf_lit(&out, "\xEF\xBF\xBD");
		line = bad + utf8_sequence(bad);
	}
	buf_add_text(&out, line);
	buf_add_text(&out, utf8_length(text) > QUOTED_MAX ? "…\"" : "\"");
	return buf_done(&out);
}

static const char *
times(struct ctx *c, size_t count)
{
	return count == 2 ? "two of them" : arena_printf(c->arena, "%zu of them", count);
}

/* ---- what a page has once */

/* Returns the address in the form that is compared: absolute and clean. */
static const char *
clean(struct ctx *c, const char *base, const char *address)
{
	const char *whole, *cleaned;

	if (address == NULL)
		return NULL;
	whole = url_resolve(c->arena, base, address);
	cleaned = whole == NULL ? NULL : url_clean_web(c->arena, whole);
	return cleaned != NULL ? cleaned : address;
}

static bool
differ(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

static void
check_title(struct page_report *r, const struct page *expected, const struct page *found)
{
	const char *should = expected->titles.list[0];

	if (found->titles.count > 1)
		compare_tell(r, "title", "one title element", times(r->c, found->titles.count),
		    "head_html brings the title: the template must not have one of its own");
	if (found->titles.count == 0 || !page_texts_have(&found->titles, should))
		compare_tell(r, "title", compare_quote(r->c, should),
		    compare_quote(r->c, found->titles.count == 0 ? NULL : found->titles.list[0]),
		    "write head_html, or seo.title escaped and with nothing added");
}

static void
check_canonical(struct page_report *r, const struct page *expected, const struct page *found,
    const struct page_header *header)
{
	const char *should = expected->canonicals.count == 0
				 ? NULL
				 : clean(r->c, header->address, expected->canonicals.list[0]);
	const char *is = found->canonicals.count == 0
			     ? NULL
			     : clean(r->c, header->address, found->canonicals.list[0]);

	if (found->canonicals.count > 1)
		compare_tell(r, "canonical", "one canonical link",
		    times(r->c, found->canonicals.count),
		    "head_html brings it: switch off that of the template or of its SEO plugin");
	if (should != NULL && differ(should, is))
		compare_tell(r, "canonical", compare_quote(r->c, should), compare_quote(r->c, is),
		    "write head_html or seo.canonical; if the page's own address is right, correct the workspace's website and address_pattern, or the article's published_url");
	is = clean(r->c, header->address, header->canonical);
	if (should != NULL && is != NULL && differ(should, is))
		compare_tell(r, "canonical", compare_quote(r->c, should),
		    arena_printf(r->c->arena, "%s in the header Link", compare_quote(r->c, is)),
		    "have the web server leave that header out");
}

/* ---- meta elements */

static const struct {
	const char *check;
	const char *name;
	const char *where; /* its place in the API's answer */
	bool needed; /* a customer's own template may leave out the others */
} metas[] = {
	{ "description", "description", "seo.description", true },
	{ "image", "og:image", "seo.openGraph.images", true },
	{ "image", "og:image:alt", "seo.openGraph.images", false },
	{ "image", "twitter:image", "seo.twitter.images", false },
	{ "social", "og:title", "seo.openGraph.title", false },
	{ "social", "og:description", "seo.openGraph.description", false },
	{ "social", "og:url", "seo.openGraph.url", false },
	{ "social", "og:type", "seo.openGraph.type", false },
	{ "social", "og:locale", "seo.openGraph.locale", false },
	{ "social", "twitter:card", "seo.twitter.card", false },
	{ "social", "twitter:title", "seo.twitter.title", false },
	{ "social", "twitter:description", "seo.twitter.description", false },
	{ "dates", "article:published_time", "seo.openGraph.publishedTime", false },
	{ "dates", "article:modified_time", "seo.openGraph.modifiedTime", false },
};

static size_t
count_meta(const struct page *p, const char *name)
{
	size_t n = 0;

	while (page_meta(p, name, n) != NULL)
		n++;
	return n;
}

static void
check_metas(struct page_report *r, const struct page *expected, const struct page *found)
{
	struct arena *a = r->c->arena;

	for (size_t i = 0; i < sizeof(metas) / sizeof(metas[0]); i++) {
		const char *name = metas[i].name;
		const char *should = page_meta(expected, name, 0);
		const char *is = page_meta(found, name, 0);
		size_t count = count_meta(found, name);
		if (count > 1)
			compare_tell(r, metas[i].check,
			    arena_printf(a, "one meta element %s", name), times(r->c, count),
			    "head_html brings it: switch off that of the template or of its SEO plugin");
		if (should == NULL || (is == NULL && !metas[i].needed))
			continue;
		if (differ(should, is))
			compare_tell(r, metas[i].check,
			    arena_printf(a, "%s %s", name, compare_quote(r->c, should)),
			    compare_quote(r->c, is),
			    arena_printf(a, "write head_html, or %s; is the page's copy old?",
				metas[i].where));
	}
}

/* ---- robots */

void
compare_split(struct ctx *c, const char *text, struct page_texts *out)
{
	size_t len;

	for (; text != NULL && *text != '\0'; text += len) {
		text += strspn(text, ", \t");
		len = strcspn(text, ",");
		if (len > 0)
			page_texts_add(c, out, arena_text_n(c->arena, text, len));
	}
}

static const char *
first_missing(const struct page_texts *from, const struct page_texts *in)
{
	for (size_t i = 0; i < from->count; i++) {
		if (!page_texts_have(in, from->list[i]))
			return from->list[i];
	}
	return NULL;
}

/* Returns whether a directive keeps a page, or a part of it, out of search
 * results. */
static bool
is_restriction(const char *directive)
{
	static const char *const words[] = { "noindex", "nofollow", "none", "nosnippet",
		"noimageindex", "max-snippet:0", "max-image-preview:none", "unavailable_after" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strncasecmp(directive, words[i], strlen(words[i])) == 0)
			return true;
	}
	return false;
}

/* Compares a second source of robots directives: it may repeat those of the page,
 * but must forbid nothing more. */
static void
check_second_voice(struct page_report *r, const char *voice, const struct page_texts *directives,
    const struct page_texts *expected, const char *fix)
{
	for (size_t i = 0; i < directives->count; i++) {
		const char *said = directives->list[i];
		if (is_restriction(said) && !page_texts_have(expected, said))
			compare_tell(r, "robots", arena_printf(r->c->arena, "no %s", voice),
			    compare_quote(r->c, said), fix);
	}
}

static void
check_robots(struct page_report *r, const struct page *expected, const struct page *found,
    const struct page_header *header)
{
	const char *should = page_meta(expected, "robots", 0);
	const char *is = page_meta(found, "robots", 0);
	struct page_texts wanted = { 0 }, given = { 0 }, google = { 0 };

	compare_split(r->c, should, &wanted);
	compare_split(r->c, is, &given);
	compare_split(r->c, page_meta(found, "googlebot", 0), &google);
	if (count_meta(found, "robots") > 1)
		compare_tell(r, "robots", "one meta element robots",
		    times(r->c, count_meta(found, "robots")),
		    "head_html brings it: switch off that of the template");
	if (first_missing(&wanted, is != NULL ? &given : &header->robots) != NULL ||
	    first_missing(&given, &wanted) != NULL)
		compare_tell(r, "robots", compare_quote(r->c, should), compare_quote(r->c, is),
		    "write head_html or seo.robots as it is");
	check_second_voice(r, "more in the header X-Robots-Tag", &header->robots, &wanted,
	    "have the web server leave that header out; a staging site's settings often come along");
	check_second_voice(r, "more in the meta element googlebot", &google, &wanted,
	    "take it out of the template");
}

/* ---- the page around the article */

static void
check_language(struct page_report *r, const struct page *expected, const struct page *found)
{
	const char *should = expected->heading_language;
	const char *inner = found->heading_language;

	if (found->language == NULL || strcasecmp(should, found->language) != 0)
		compare_tell(r, "language",
		    arena_printf(r->c->arena, "<html lang=%s>", compare_quote(r->c, should)),
		    compare_quote(r->c, found->language), "write seo.language there");
	else if (inner != NULL && strcasecmp(should, inner) != 0)
		compare_tell(r, "language",
		    arena_printf(
			r->c->arena, "lang=%s around the heading", compare_quote(r->c, should)),
		    compare_quote(r->c, inner), "take lang off the element that is nearer to it");
}

static const char *
direction(const char *dir)
{
	return dir != NULL && strcasecmp(dir, "rtl") == 0 ? "rtl" : "ltr";
}

static void
check_direction(struct page_report *r, const struct page *expected, const struct page *found)
{
	const char *should = direction(expected->heading_direction);
	bool outside = differ(should, direction(found->direction));

	if (outside)
		compare_tell(r, "direction", arena_printf(r->c->arena, "<html dir=\"%s\">", should),
		    compare_quote(r->c, found->direction),
		    "the language is written in that direction: say so there");
	else if (found->headings.count > 0 && differ(should, direction(found->heading_direction)))
		compare_tell(r, "direction",
		    arena_printf(r->c->arena, "dir=\"%s\" around the heading", should),
		    compare_quote(r->c, found->heading_direction),
		    "take dir off the element that is nearer to it");
}

static void
check_heading(struct page_report *r, const struct page *expected, const struct page *found)
{
	const char *should = expected->headings.list[0];
	size_t count = found->headings.count;

	if (count == 0)
		compare_tell(r, "h1", compare_quote(r->c, should), "none",
		    "show html, or the title as the page's h1");
	else if (!page_texts_have(&found->headings, should))
		compare_tell(r, "h1", compare_quote(r->c, should),
		    compare_quote(r->c, found->headings.list[0]),
		    "show html, or the title, as it is; is the page's copy old?");
	if (count > 1)
		compare_tell(r, "h1", "one h1",
		    arena_printf(r->c->arena, "%zu: %s, %s", count,
			compare_quote(r->c, found->headings.list[0]),
			compare_quote(r->c, found->headings.list[1])),
		    "html brings its own: make the site's name or the template's headline another element");
	if (found->articles > 1)
		compare_tell(r, "article", "the article once", times(r->c, found->articles),
		    "show html once");
}

static void
check_strays(struct page_report *r, const struct page *found)
{
	for (size_t i = 0; i < found->strays.count; i++)
		compare_tell(r, "head",
		    arena_printf(r->c->arena, "%s in the head", found->strays.list[i]),
		    "it in the body, where search engines ignore it",
		    "write it between <head> and </head>; an element before it that belongs in the body ends the head");
}

/* ---- structured data */

#define FORM_MAX 2000 /* bytes of a value that is shown */

static const char write_it[] =
    "write head_html; or json_ld, encoded with < > & as \\u00XX, into one script element of type application/ld+json";

/* Returns the content of a script element, or NULL if it is not JSON. */
static json_t *
parse(struct ctx *c, const char *text)
{
	json_t *json;

	if (jread_parse(c, "json_ld", text, strlen(text), &json) != NULL)
		return NULL;
	return json;
}

/* ---- where two values differ first */

struct place {
	struct ctx *c;
	const char *path; /* "@graph[6].headline" */
	json_t *expected, *found; /* NULL: absent */
};

static bool find(struct place *p, json_t *expected, json_t *found);

static bool
found_below(struct place *p, const char *step, json_t *expected, json_t *found)
{
	const char *path = p->path;

	p->path = arena_printf(p->c->arena, "%s%s", path, step);
	if (find(p, expected, found))
		return true;
	p->path = path;
	return false;
}

static bool
find_in_object(struct place *p, json_t *expected, json_t *found)
{
	struct arena *a = p->c->arena;
	const char *dot = p->path[0] == '\0' ? "" : ".";
	const char *name;
	json_t *value;

	json_object_foreach(expected, name, value) {
		if (found_below(
			p, arena_printf(a, "%s%s", dot, name), value, json_object_get(found, name)))
			return true;
	}
	json_object_foreach(found, name, value) {
		if (json_object_get(expected, name) == NULL)
			return found_below(p, arena_printf(a, "%s%s", dot, name), NULL, value);
	}
	return false;
}

static bool
find_in_array(struct place *p, json_t *expected, json_t *found)
{
	size_t count = json_array_size(expected);

	if (json_array_size(found) > count)
		count = json_array_size(found);
	for (size_t i = 0; i < count; i++) {
		if (found_below(p, arena_printf(p->c->arena, "[%zu]", i),
			json_array_get(expected, i), json_array_get(found, i)))
			return true;
	}
	return false;
}

/* Goes to the first difference. Returns false if there is none. The depth is what
 * jread_parse() allows. */
static bool
find(struct place *p, json_t *expected, json_t *found)
{
	if (json_is_object(expected) && json_is_object(found))
		return find_in_object(p, expected, found);
	if (json_is_array(expected) && json_is_array(found))
		return find_in_array(p, expected, found);
	p->expected = expected;
	p->found = found;
	return expected == NULL || found == NULL || !json_equal(expected, found);
}

static const char *
shown(struct ctx *c, const json_t *value)
{
	char form[FORM_MAX];
	size_t len;

	if (value == NULL)
		return "nothing";
	if (json_is_string(value))
		return compare_quote(c, json_string_value(value));
	if (json_is_object(value) || json_is_array(value))
		return json_is_object(value) ? "an object" : "a list";
	len = json_dumpb(value, form, sizeof(form), JSON_ENCODE_ANY);
	return arena_text_n(c->arena, form, len < FORM_MAX ? len : 0);
}

static void
tell_difference(struct page_report *r, json_t *expected, json_t *found)
{
	struct place p = { .c = r->c, .path = "" };

	if (!find(&p, expected, found))
		return;
	compare_tell(r, "json_ld",
	    arena_printf(r->c->arena, "%s %s", p.path, shown(r->c, p.expected)),
	    shown(r->c, p.found), "write head_html or json_ld as it is; is the page's copy old?");
}

/* ---- which of a page's scripts are about the article */

static bool
is_posting(const json_t *type)
{
	const char *name = json_string_value(type);
	size_t len = name == NULL ? 0 : strlen(name);

	if (json_is_array(type)) {
		for (size_t i = 0; i < json_array_size(type); i++) {
			if (is_posting(json_array_get(type, i)))
				return true;
		}
	}
	return (len >= 7 && strcmp(name + len - 7, "Article") == 0) ||
	       (len >= 11 && strcmp(name + len - 11, "BlogPosting") == 0);
}

/* Returns whether a document, or a node of its graph, describes an article. Other
 * nodes, as a shop's own Organization, may be beside ours. */
static bool
is_about_article(const json_t *json)
{
	const json_t *nodes = json_is_array(json) ? json : json_object_get(json, "@graph");

	if (is_posting(json_object_get(json, "@type")))
		return true;
	for (size_t i = 0; i < json_array_size(nodes); i++) {
		const json_t *node = json_array_get(nodes, i);
		if (is_posting(json_object_get(node, "@type")))
			return true;
	}
	return false;
}

/* Compares only the structured data. */
static void
compare_json(struct page_report *r, const struct page *expected, const struct page *found)
{
	json_t *should = parse(r->c, expected->json_ld.list[0]);
	json_t *nearest = NULL;
	size_t about = 0;
	bool right = false, broken = false;

	for (size_t i = 0; i < found->json_ld.count; i++) {
		const char *text = found->json_ld.list[i];
		json_t *json = parse(r->c, text);
		broken = broken || json == NULL;
		if (json == NULL)
			compare_tell(r, "json_ld", "JSON", compare_quote(r->c, text), write_it);
		if (!is_about_article(json))
			continue;
		about++;
		nearest = json;
		right = right || json_equal(should, json) != 0;
	}
	if (about > 1)
		compare_tell(r, "json_ld", "the article described once",
		    arena_printf(r->c->arena, "%zu descriptions", about),
		    "head_html brings it: switch off that of the template or of its SEO plugin");
	if (right || (nearest == NULL && broken))
		return;
	if (nearest == NULL)
		compare_tell(r, "json_ld", "the article's structured data", "none", write_it);
	else
		tell_difference(r, should, nearest);
}

/* ---- the whole, in a process of its own */

/* Compares the page with the expected one; adds the findings to *r. */
static void
compare_page(struct page_report *r, const struct page *expected, const struct page *found,
    const struct page_header *header)
{
	check_strays(r, found);
	check_title(r, expected, found);
	check_canonical(r, expected, found, header);
	check_robots(r, expected, found, header);
	check_language(r, expected, found);
	check_direction(r, expected, found);
	check_heading(r, expected, found);
	check_metas(r, expected, found);
	compare_json(r, expected, found);
}

#define CPU_S 5 /* seconds; a page of 4 MiB takes one or two */
#define FOUND_MAX ((size_t)1024 * 1024)

/* Runs in the child: reads the page, compares, and writes each finding as four
 * texts, each with a NUL at its end. */
static _Noreturn void
compare_and_tell(struct ctx *c, const struct page *expected, const char *html, size_t len,
    const struct page_header *header, int out)
{
	const struct rlimit cpu = { CPU_S, CPU_S }, core = { 0, 0 };
	struct page_report report = { .c = c };
	struct page found;
	bool told = true;

	if (setrlimit(RLIMIT_CPU, &cpu) != 0 || setrlimit(RLIMIT_CORE, &core) != 0)
		_exit(1);
	/* A stranger made the page. */
	(void)harden_confine(NULL, 0, false);
	page_read(c, html, len, &found);
	compare_page(&report, expected, &found, header);
	for (size_t i = 0; i < report.count && told; i++) {
		const struct page_finding *f = &report.findings[i];
		const char *texts[] = { f->check, f->expected, f->found, f->fix };
		for (size_t t = 0; t < 4 && told; t++)
			told = fileio_write_all(out, texts[t], strlen(texts[t]) + 1);
	}
	_exit(told ? 0 : 1);
}

/* Returns the next text that the child wrote; "" at the end. */
static const char *
next_text(const char **p, const char *end)
{
	const char *text = *p;

	*p += strlen(text);
	if (*p < end)
		(*p)++;
	return text;
}

static void
read_all(int fd, struct buf *out)
{
	char block[4096];
	ssize_t got;

	while ((got = read(fd, block, sizeof(block))) != 0) {
		if (got < 0 && errno != EINTR)
			break;
		if (got > 0)
			buf_add(out, block, (size_t)got);
	}
}

void
compare_apart(struct page_report *r, const struct page *expected, const char *html, size_t len,
    const struct page_header *header)
{
	const char *p, *end;
	int ends[2], status;
	struct buf out;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		die("pipe: %s", strerror(errno));
	child = fork();
	if (child < 0)
		die("fork: %s", strerror(errno));
	if (child == 0)
		compare_and_tell(r->c, expected, html, len, header, ends[1]);
	close(ends[1]);
	buf_init(&out, r->c->arena, FOUND_MAX);
	read_all(ends[0], &out);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	end = out.data + out.len;
	for (p = out.data; p < end && status == 0;) {
		const char *check = next_text(&p, end);
		const char *should = next_text(&p, end);
		const char *is = next_text(&p, end);
		compare_tell(r, check, should, is, next_text(&p, end));
	}
	if (status != 0)
		compare_tell(r, "answer", "a page that can be read",
		    "one that takes too long, or too much memory",
		    "are its elements nested without end?");
}
