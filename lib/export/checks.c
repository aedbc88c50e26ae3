#include "export/checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/url.h"
#include "export/facts.h"
#include "export/html-text.h"
#include "export/html.h"

/* ---- the rendered headings */

/* A heading of the rendered html. */
struct heading {
	int level;
	const char *text; /* as readers see it */
	const char *folded; /* NULL until it is needed */
	const char *at; /* in the html */
};

/* Returns the place after the next `mark`, or NULL if there is none before
 * `end`. */
static const char *
behind(const char *p, const char *end, const char *mark)
{
	const char *at = memmem(p, (size_t)(end - p), mark, strlen(mark));

	return at == NULL ? NULL : at + strlen(mark);
}

/* Adds the character that an entity means. The entity ends with ";". Returns
 * the place after it. */
static const char *
add_entity(struct buf *out, const char *p)
{
	size_t len = strcspn(p, ";") + 1;

	buf_add_char(out, strncmp(p, "&lt;", 4) == 0   ? '<'
			  : strncmp(p, "&gt;", 4) == 0 ? '>'
						       : '&');
	return p + len;
}

/* Returns the text between two tags, without elements. The number of a citation
 * does not belong to it. */
static const char *
seen_text(struct arena *a, const char *p, const char *end)
{
	struct buf out;

	buf_init(&out, a, (size_t)(end - p));
	while (p < end) {
		if (strncmp(p, "<sup", 4) == 0)
			p = behind(p, end, "</sup>");
		else if (*p == '<')
			p = behind(p, end, ">");
		else if (*p == '&')
			p = add_entity(&out, p);
		else
			buf_add_char(&out, *p++);
		if (p == NULL)
			break;
	}
	return buf_done(&out);
}

/* Finds the next heading of the html from *p on. Returns false if there is none.
 * In html every "<" is markup. */
static bool
next_heading(const struct checks *k, const char **p, struct heading *heading)
{
	const char *end = k->h->out.data + k->h->out.len;
	const char *from, *to;

	while ((*p = behind(*p, end, "<h")) != NULL) {
		if (**p < '1' || **p > '6')
			continue;
		from = behind(*p, end, ">");
		if (from == NULL)
			return false;
		to = memmem(from, (size_t)(end - from), "</h", 3);
		if (to == NULL)
			return false;
		heading->level = **p - '0';
		heading->text = seen_text(k->arena, from, to);
		heading->folded = NULL;
		heading->at = from;
		*p = to;
		return true;
	}
	return false;
}

const char *
checks_one_h1(const struct checks *k)
{
	const char *p = k->h->out.data;
	struct heading heading;
	int count = 0;

	while (next_heading(k, &p, &heading))
		count += heading.level == 1;
	if (count == 1)
		return NULL;
	return arena_printf(k->arena, tr_for(k->c, "There are %d h1 headings."), count);
}

const char *
checks_levels(const struct checks *k)
{
	const char *p = k->h->out.data;
	struct heading heading;
	int last = 0;

	while (next_heading(k, &p, &heading)) {
		if (heading.level > last + 1)
			return arena_printf(k->arena, tr_for(k->c, "%s is an h%d after an h%d."),
			    checks_excerpt(k, heading.text), heading.level, last);
		last = heading.level;
	}
	return NULL;
}

/* Orders by text, then by place: the order of equal headings must not depend on
 * the C library. */
static int
by_text(const void *a, const void *b)
{
	const struct heading *x = a, *y = b;
	int order = strcmp(x->folded, y->folded);

	if (order != 0)
		return order;
	return x->at < y->at ? -1 : x->at > y->at;
}

static const char *
checks_headings_differ(const struct checks *k)
{
	const char *p = k->h->out.data;
	struct heading *headings = NULL;
	size_t count = 0, cap = 0;
	struct heading heading;

	while (next_heading(k, &p, &heading)) {
		if (count == cap) {
			headings = arena_grow(k->arena, headings, cap * sizeof(heading),
			    (2 * cap + 64) * sizeof(heading));
			cap = 2 * cap + 64;
		}
		heading.folded = lang_fold(k->arena, heading.text);
		headings[count++] = heading;
	}
	if (count > 0)
		qsort(headings, count, sizeof(*headings), by_text);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(headings[i - 1].folded, headings[i].folded) == 0)
			return arena_printf(k->arena, tr_for(k->c, "The heading %s stands twice."),
			    checks_excerpt(k, headings[i].text));
	}
	return NULL;
}

/* ---- citations, references, links */

static const char *
checks_two_references(const struct checks *k)
{
	size_t count = k->f->content->reference_count;

	if (count >= 2)
		return NULL;
	return count == 0 ? tr_for(k->c, "There are no references.")
			  : tr_for(k->c, "There is one reference.");
}

static bool
is_reference(const struct content *content, const char *id, size_t len)
{
	for (size_t i = 0; i < content->reference_count; i++) {
		if (strlen(content->references[i].id) == len &&
		    memcmp(content->references[i].id, id, len) == 0)
			return true;
	}
	return false;
}

/* Check 18, for one text: each citation must name a reference of the list. */
static const char *
check_citations(const struct checks *k, const char *raw, const char *place)
{
	struct inline_token *tokens;
	size_t count;

	if (strstr(raw, "[^") == NULL)
		return NULL;
	tokens = inline_parse(k->arena, raw, &count);
	for (size_t i = 0; i < count; i++) {
		if (tokens[i].event == INLINE_CITE &&
		    !is_reference(k->f->content, tokens[i].text, tokens[i].len))
			return arena_printf(k->arena,
			    tr_for(k->c, "[^%.*s] in %s cites no listed reference."),
			    (int)tokens[i].len, tokens[i].text, place);
	}
	return NULL;
}

/* A check of one text with inline marks. */
typedef const char *text_check(const struct checks *k, const char *raw, const char *place);

/* Calls `check` for every text but code, and for the cover's caption, until one
 * fails. */
static const char *
each_text(const struct checks *k, text_check *check)
{
	const char *caption = k->f->content->image_caption;
	const char *reason = NULL;

	for (size_t i = 0; i < k->text_count && reason == NULL; i++) {
		if (k->texts[i].kind != CONTENT_IS_CODE)
			reason = check(k, k->texts[i].raw, k->texts[i].place);
		if (reason != NULL)
			*k->text = i + 1;
	}
	if (reason == NULL && caption != NULL)
		reason = check(k, caption, "the cover's caption");
	return reason;
}

static const char *
checks_citations(const struct checks *k)
{
	return each_text(k, check_citations);
}

static const char *
name_of(const struct checks *k, const struct reference *reference)
{
	return arena_printf(
	    k->arena, "%s ([^%s])", checks_excerpt(k, reference->title), reference->id);
}

static const char *
checks_cited(const struct checks *k)
{
	const struct content *content = k->f->content;

	for (size_t i = 0; i < content->reference_count; i++) {
		if (k->h->numbers[i] == 0)
			return arena_printf(k->arena,
			    tr_for(k->c, "The reference %s is cited nowhere."),
			    name_of(k, &content->references[i]));
	}
	return NULL;
}

/* A reference, and host and path of its address. */
struct target {
	const char *key;
	const struct reference *reference;
};

/* Orders by key, then as they are listed: the order of equal ones must not depend
 * on the C library. */
static int
by_key(const void *a, const void *b)
{
	const struct target *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	if (order != 0)
		return order;
	return x->reference < y->reference ? -1 : x->reference > y->reference;
}

/* Returns host and path of an address. Two references have one address if these
 * are equal: scheme, query, fragment and slashes at the end do not count. */
static const char *
key_of(struct arena *a, const char *url)
{
	const char *host = strstr(url, "//");
	size_t len;

	host = host == NULL ? url : host + 2;
	len = strcspn(host, "?#");
	while (len > 0 && host[len - 1] == '/')
		len--;
	return arena_text_n(a, host, len);
}

static const char *
checks_references_unique(const struct checks *k)
{
	const struct content *content = k->f->content;
	struct target *targets = arena_array(k->arena, content->reference_count, sizeof(*targets));
	size_t count = 0;

	for (size_t i = 0; i < content->reference_count; i++) {
		const struct reference *r = &content->references[i];
		if (r->url == NULL)
			continue;
		if (strncmp(r->url, "https:", 6) != 0)
			return arena_printf(k->arena,
			    tr_for(k->c, "The reference %s does not use https."), name_of(k, r));
		targets[count].reference = r;
		targets[count++].key = key_of(k->arena, r->url);
	}
	if (count > 0)
		qsort(targets, count, sizeof(*targets), by_key);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(targets[i - 1].key, targets[i].key) == 0)
			return arena_printf(k->arena,
			    tr_for(k->c, "The references %s and %s have one address."),
			    name_of(k, targets[i - 1].reference), name_of(k, targets[i].reference));
	}
	return NULL;
}

/* Returns whether a link that url_clean() made has a public host: a name with a
 * dot, or an IPv6 address in brackets. A mailto: link passes, too. */
static bool
is_public(const struct checks *k, const char *url)
{
	const char *host = url_host(k->arena, url);

	return host == NULL ? strncmp(url, "mailto:", 7) == 0 : strpbrk(host, ".[") != NULL;
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the ids in the rendered article, without their prefix, sorted. */
static const char **
ids_of(const struct checks *k, size_t *count)
{
	const char *mark = arena_printf(k->arena, " id=\"%s-", k->f->prefix);
	const char *p = k->h->out.data, *end = p + k->h->out.len;
	const char **ids = NULL;
	size_t cap = 0;

	*count = 0;
	while ((p = memmem(p, (size_t)(end - p), mark, strlen(mark))) != NULL) {
		if (*count == cap) {
			ids = arena_grow(
			    k->arena, ids, cap * sizeof(*ids), (2 * cap + 64) * sizeof(*ids));
			cap = 2 * cap + 64;
		}
		p += strlen(mark);
		ids[(*count)++] = arena_text_n(k->arena, p, strcspn(p, "\""));
	}
	if (*count > 0)
		qsort(ids, *count, sizeof(*ids), by_id);
	return ids;
}

static bool
has_target(const struct checks *k, const char *fragment)
{
	return k->id_count > 0 &&
	       bsearch(&fragment, k->ids, k->id_count, sizeof(*k->ids), by_id) != NULL;
}

/* Check 21, for one link: it must have a text that shows something. A link to a
 * fragment needs an element with that id; another link needs a public host. */
static const char *
check_link(const struct checks *k, const struct inline_token *token, const char *place)
{
	const char *url = arena_text_n(k->arena, token->text, token->len);
	bool empty = true;

	for (const struct inline_token *t = token; t->event != INLINE_LINK_END; t++) {
		if (t->event == INLINE_TEXT || t->event == INLINE_CODE)
			empty = empty && invisible_text(t->text, t->len);
	}
	if (empty)
		return arena_printf(
		    k->arena, tr_for(k->c, "The link to %s in %s has no text."), url, place);
	if (url[0] == '#' && !has_target(k, url + 1))
		return arena_printf(k->arena,
		    tr_for(k->c,
			"The link to %s in %s leads nowhere: no section, question or reference has this id."),
		    url, place);
	if (url[0] != '#' && !is_public(k, url))
		return arena_printf(
		    k->arena, tr_for(k->c, "The link to %s in %s has no public host."), url, place);
	return NULL;
}

/* Returns whether a text contains a "](" that no backslash before it makes plain
 * text: the author meant a link there. */
static bool
means_link(const char *raw)
{
	for (const char *p = raw; (p = strstr(p, "](")) != NULL; p += 2) {
		if (p == raw || p[-1] != '\\')
			return true;
	}
	return false;
}

/* Check 21, for one text: all of its links must pass, and no text may look like a
 * link whose address was refused. */
static const char *
check_links(const struct checks *k, const char *raw, const char *place)
{
	struct inline_token *tokens;
	const char *reason = NULL;
	size_t count;

	if (!means_link(raw))
		return NULL;
	tokens = inline_parse(k->arena, raw, &count);
	for (size_t i = 0; i < count && reason == NULL; i++) {
		if (tokens[i].event == INLINE_LINK)
			reason = check_link(k, &tokens[i], place);
		else if (tokens[i].event == INLINE_TEXT &&
			 memmem(tokens[i].text, tokens[i].len, "](", 2) != NULL)
			reason = arena_printf(k->arena,
			    tr_for(k->c,
				"A link in %s is shown as text, because this is not an address: %s."),
			    place,
			    checks_excerpt(
				k, arena_text_n(k->arena, tokens[i].text, tokens[i].len)));
	}
	return reason;
}

static const char *
checks_links(const struct checks *k)
{
	const struct content *content = k->f->content;
	struct checks with_ids = *k;
	const char *reason;

	with_ids.ids = ids_of(k, &with_ids.id_count);
	reason = each_text(&with_ids, check_links);
	for (size_t i = 0; i < content->reference_count && reason == NULL; i++) {
		const struct reference *r = &content->references[i];
		if (r->url != NULL && !is_public(k, r->url))
			reason = arena_printf(k->arena,
			    tr_for(k->c, "The reference %s has no public host."), name_of(k, r));
	}
	return reason;
}

/* ---- title, description, cover, settings */

#define TITLE_MIN 20
#define TITLE_MAX 70
#define DESCRIPTION_MIN 70
#define DESCRIPTION_MAX 160
#define ALT_MIN 5
#define ALT_MAX 250
#define WIDTH_MIN 1200
#define EXCERPT_MAX 50 /* code points */

/* Returns the words of a text without case and punctuation. They are equal for
 * texts that readers take for the same. */
static const char *
normalised(const struct checks *k, const char *text)
{
	const char *p = lang_fold(k->arena, text);
	struct buf out;
	bool gap = false;

	buf_init(&out, k->arena, strlen(p));
	while (*p != '\0') {
		uint32_t cp = utf8_next(&p);
		if (!lang_is_word(cp)) {
			gap = out.len > 0;
			continue;
		}
		if (gap)
			buf_add_char(&out, ' ');
		gap = false;
		buf_add_code_point(&out, cp);
	}
	return buf_done(&out);
}

/* Returns whether two texts have the same words, without case and punctuation. */
static bool
is_same(const struct checks *k, const char *a, const char *b)
{
	return strcmp(normalised(k, a), normalised(k, b)) == 0;
}

const char *
checks_excerpt(const struct checks *k, const char *text)
{
	const char *begin = facts_cut(k->c, text, EXCERPT_MAX);
	bool cut = utf8_length(text) > EXCERPT_MAX;

	return arena_printf(k->arena, "\"%s%s\"", begin, cut ? " …" : "");
}

/* A text passes if it has `min` to `max` code points. */
static const char *
check_length(const struct checks *k, const char *what, const char *text, size_t min, size_t max)
{
	size_t len = utf8_length(text);

	if (len >= min && len <= max)
		return NULL;
	return arena_printf(k->arena, tr_for(k->c, "%s has %zu characters; %zu to %zu are good."),
	    what, len, min, max);
}

/* Check 1: the title, not the meta title, has 20 to 70 characters. */
static const char *
title_length(const struct checks *k)
{
	return check_length(
	    k, tr_for(k->c, "The title"), k->f->snapshot->title, TITLE_MIN, TITLE_MAX);
}

/* Check 2: the description in seo, whether written or derived, has 70 to 160
 * characters. */
static const char *
description_length(const struct checks *k)
{
	return check_length(k, tr_for(k->c, "The meta description"), k->f->description,
	    DESCRIPTION_MIN, DESCRIPTION_MAX);
}

/* Check 3: the description must not have the same words as the title or the meta
 * title. */
static const char *
description_differs(const struct checks *k)
{
	if (is_same(k, k->f->description, k->f->title) ||
	    is_same(k, k->f->description, k->f->snapshot->title))
		return tr_for(k->c, "The meta description only repeats the title.");
	return NULL;
}

/* Check 7: there are at least three sections. */
static const char *
three_sections(const struct checks *k)
{
	size_t count = k->f->content->section_count;

	if (count >= 3)
		return NULL;
	return arena_printf(k->arena,
	    tr_count_for(k->c, "There is %zu section.", "There are %zu sections.", (int64_t)count),
	    count);
}

/* Check 14: there is a cover, and it has an address. */
static const char *
cover_present(const struct checks *k)
{
	if (k->f->image.url != NULL)
		return NULL;
	if (k->f->snapshot->image != NULL)
		return tr_for(k->c, "The cover image has no address until public_url is set.");
	return tr_for(k->c, "There is no cover image.");
}

/* Check 15: the cover's alternative text has 5 to 250 characters, and not the
 * same words as the title. */
static const char *
cover_text(const struct checks *k)
{
	const char *alt = k->f->image.alt;

	if (k->f->image.url == NULL)
		return tr_for(k->c, "There is no cover image.");
	if (is_same(k, alt, k->f->snapshot->title))
		return tr_for(k->c, "The cover's alternative text only repeats the title.");
	return check_length(k, tr_for(k->c, "The cover's alternative text"), alt, ALT_MIN, ALT_MAX);
}

/* Check 16: the cover is at least 1200 pixels wide. An unknown width fails. */
static const char *
cover_width(const struct checks *k)
{
	if (k->f->image.url == NULL)
		return tr_for(k->c, "There is no cover image.");
	if (k->f->image.width == 0)
		return tr_for(k->c, "The cover's width is not known.");
	if (k->f->image.width >= WIDTH_MIN)
		return NULL;
	return arena_printf(
	    k->arena, tr_for(k->c, "The cover is %lld pixels wide."), (long long)k->f->image.width);
}

/* Check 22: the article has a canonical address. */
static const char *
canonical(const struct checks *k)
{
	if (k->f->canonical != NULL)
		return NULL;
	if (k->f->settings->website == NULL)
		return tr_for(
		    k->c, "The workspace has no website, and the article no published URL.");
	return tr_for(
	    k->c, "The workspace has no address pattern, and the article no published URL.");
}

/* Check 23: the workspace has a publisher's name and a logo. */
static const char *
publisher(const struct checks *k)
{
	if (k->f->settings->publisher_name == NULL)
		return tr_for(k->c, "The workspace has no publisher name.");
	if (k->f->settings->publisher_logo_url == NULL)
		return tr_for(k->c, "The workspace has no publisher logo.");
	return NULL;
}

/* Check 24: the recommended properties of an article are there (docs/export.md
 * §4). A draft needs no dates: publishing gives it some. */
static const char *
structured_data(const struct checks *k)
{
	const struct facts *f = k->f;
	bool draft = !f->source->published;
	const struct {
		const char *name;
		bool present;
	} properties[] = {
		{ "headline", f->heading[0] != '\0' },
		{ "author.name", f->author[0] != '\0' },
		{ "author.url", f->author_url != NULL },
		{ "image", f->image.url != NULL },
		{ "datePublished", draft || f->published_time[0] != '\0' },
		{ "dateModified", draft || f->modified_time[0] != '\0' },
		{ "publisher.name", f->brand[0] != '\0' },
	};
	struct buf missing;

	buf_init(&missing, k->arena, 200);
	for (size_t i = 0; i < sizeof(properties) / sizeof(*properties); i++) {
		if (!properties[i].present)
			buf_printf(
			    &missing, "%s%s", missing.len > 0 ? ", " : "", properties[i].name);
	}
	if (missing.len == 0)
		return NULL;
	return arena_printf(k->arena, tr_for(k->c, "Missing: %s."), buf_done(&missing));
}

static const struct {
	const char *label;
	const char *(*check)(const struct checks *k);
	enum export_about about;
} list[EXPORT_CHECKS] = {
	{ tr_mark("Title is between 20 and 70 characters"), title_length, EXPORT_TITLE },
	{ tr_mark("Meta description is between 70 and 160 characters"), description_length,
	    EXPORT_DESCRIPTION },
	{ tr_mark("Title and description differ"), description_differs, EXPORT_DESCRIPTION },
	{ tr_mark("Exactly one H1 heading"), checks_one_h1, EXPORT_TEXT },
	{ tr_mark("Heading levels are not skipped"), checks_levels, EXPORT_TEXT },
	{ tr_mark("No duplicate headings"), checks_headings_differ, EXPORT_TEXT },
	{ tr_mark("At least three sections"), three_sections, EXPORT_TEXT },
	{ tr_mark("Every section has text"), checks_section_text, EXPORT_TEXT },
	{ tr_mark("Article has enough text"), checks_enough_text, EXPORT_TEXT },
	{ tr_mark("Sentences are readable"), checks_sentences, EXPORT_TEXT },
	{ tr_mark("No repeated paragraphs"), checks_repeats, EXPORT_TEXT },
	{ tr_mark("No placeholder text"), checks_placeholders, EXPORT_TEXT },
	{ tr_mark("Text matches the article language"), checks_language, EXPORT_TEXT },
	{ tr_mark("Cover image is present"), cover_present, EXPORT_COVER },
	{ tr_mark("Cover image has alternative text"), cover_text, EXPORT_COVER },
	{ tr_mark("Cover image is at least 1200 pixels wide"), cover_width, EXPORT_COVER },
	{ tr_mark("At least two references"), checks_two_references, EXPORT_TEXT },
	{ tr_mark("Every citation points to a listed reference"), checks_citations, EXPORT_TEXT },
	{ tr_mark("Every listed reference is cited"), checks_cited, EXPORT_TEXT },
	{ tr_mark("References use HTTPS and are unique"), checks_references_unique, EXPORT_TEXT },
	{ tr_mark("Links are valid"), checks_links, EXPORT_TEXT },
	{ tr_mark("Canonical address is configured"), canonical, EXPORT_SETTINGS },
	{ tr_mark("Publisher name and logo are configured"), publisher, EXPORT_SETTINGS },
	{ tr_mark("Structured data is complete"), structured_data, EXPORT_AUTHOR },
};

enum export_about
export_check_about(const char *label)
{
	size_t i = 0;

	while (i < EXPORT_CHECKS - 1 && strcmp(list[i].label, label) != 0)
		i++;
	return list[i].about;
}

void
checks_at(const struct checks *k, const char *raw)
{
	for (size_t i = 0; i < k->text_count; i++) {
		if (k->texts[i].raw == raw) {
			*k->text = i + 1;
			return;
		}
	}
}

/* ---- the list is run */

struct gathering {
	struct checks *k;
	const char *place; /* of the last text, as content_walk() calls it */
	struct checks_text *texts;
	size_t count, cap;
};

/* Returns the name of a place (content_walk()) in the language of the one who reads it. */
static const char *
say_place(const struct checks *k, const char *place)
{
	static const char *const words[] = { tr_mark("summary"), tr_mark("takeaways"),
		tr_mark("the beginning") };
	const char *rest = place + strcspn(place, " ") + 1;

	if (k->c->say == NULL)
		return place;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], place) == 0)
			return tr_for(k->c, words[i]);
	}
	if (strncmp(place, "section ", 8) == 0)
		return arena_printf(k->arena, tr_for(k->c, "section %s"), rest);
	if (strncmp(place, "subsection ", 11) == 0)
		return arena_printf(k->arena, tr_for(k->c, "subsection %s"), rest);
	if (strncmp(place, "question ", 9) == 0)
		return arena_printf(k->arena, tr_for(k->c, "question %s"), rest);
	return place;
}

/* Collects each text with its place, in reading order; equal places share one copy. */
static void
gather(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	struct gathering *g = arg;
	struct arena *a = g->k->arena;
	struct checks_text *t;

	if (g->count == g->cap) {
		size_t cap = g->cap == 0 ? 64 : g->cap * 2;
		g->texts = arena_grow(a, g->texts, g->cap * sizeof(*t), cap * sizeof(*t));
		g->cap = cap;
	}
	t = &g->texts[g->count++];
	t->kind = kind;
	t->raw = text;
	t->plain = kind == CONTENT_IS_CODE ? text : inline_plain(a, text);
	if (g->place != NULL && strcmp(g->place, place) == 0) {
		t->place = t[-1].place;
		return;
	}
	g->place = arena_text(a, place);
	t->place = say_place(g->k, g->place);
}

void
checks_run(const struct facts *f, const struct html *h, struct export_check checks[EXPORT_CHECKS])
{
	struct checks k = { .arena = f->c->arena, .c = f->c, .f = f, .h = h };
	struct gathering g = { .k = &k };
	size_t text;

	content_walk(f->content, gather, &g);
	k.texts = g.texts;
	k.text_count = g.count;
	k.text = &text;
	for (size_t i = 0; i < EXPORT_CHECKS; i++) {
		text = 0;
		checks[i].label = list[i].label;
		checks[i].reason = list[i].check(&k);
		checks[i].text = text;
		checks[i].passed = checks[i].reason == NULL;
	}
}
