#include "export/checks/checks.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/lang.h"

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
