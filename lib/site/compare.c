#include "site/compare.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/url.h"
#include "export/facts.h"

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
		    "write it between <head> and </head>; an element before it that belongs into the body ends the head");
}

void
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
