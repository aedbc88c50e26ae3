#include <string.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "site/compare.h"

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

void
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
