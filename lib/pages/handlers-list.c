/* The list of a workspace's articles: 20, the newest first, of all of them or of one language, tag
 * or section; and their feeds. */
#include <stddef.h>
#include <string.h>

#include "article/listed.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "content/lang.h"
#include "pages/feed.h"
#include "pages/handlers.h"
#include "pages/page-item.h"
#include "pages/page-layout.h"
#include "pages/page-words.h"
#include "pages/pages-answer.h"
#include "pages/say.h"
#include "screen/tr.h"
#include "web/cursor.h"

#define PAGE 20

/* The indexes of the route's parameters. */
enum { BEFORE, LANGUAGE, TAG, SECTION, PARAMETERS };

/* Where a page begins: behind this article. */
struct place {
	int64_t created_at;
	const char *uuid;
};

static const struct cursor_field fields[] = {
	{ CURSOR_NUMBER, offsetof(struct place, created_at) },
	{ CURSOR_TEXT, offsetof(struct place, uuid) },
	{ .kind = CURSOR_END },
};

static const struct {
	enum listed_kind kind;
	const char *name; /* of the cursor's list, too */
	const char *words;
} filters[PARAMETERS] = {
	[BEFORE] = { LISTED_ALL, "pages", NULL },
	[LANGUAGE] = { LISTED_LANGUAGE, "pages-language", tr_mark("Language:") },
	[TAG] = { LISTED_TAG, "pages-tag", tr_mark("Tag:") },
	[SECTION] = { LISTED_SECTION, "pages-section", tr_mark("Section:") },
};

/* What is shown. */
struct page {
	struct listed found[PAGE];
	size_t count;
	bool more;
	struct item *items; /* those of `found` that can be shown */
	size_t item_count;
};

/* What is asked for. */
struct question {
	int filter; /* BEFORE: none */
	const char *value; /* NULL without a filter */
	bool after; /* `from` is set */
	struct place from;
};

/* Reads the parameters; false if they are wrong. */
static bool
read_question(struct ctx *c, const struct site *s, struct question *out)
{
	const struct param_value *given = s->r->param;

	memset(out, 0, sizeof(*out));
	for (int i = LANGUAGE; i < PARAMETERS; i++) {
		if (given[i].text == NULL)
			continue;
		if (out->filter != BEFORE)
			return false;
		out->filter = i;
		out->value = given[i].text;
		if (i == LANGUAGE && lang_clean(c->arena, out->value) == NULL)
			return false;
	}
	out->after = given[BEFORE].text != NULL;
	return !out->after ||
	       cursor_decode(c, given[BEFORE].text, filters[out->filter].name, fields, &out->from);
}

/* ---- the page */

static void
write_cover(struct hwrite *w, const struct item *item)
{
	if (item->cover == NULL)
		return;
	hwrite_open(w, H_IMG);
	hwrite_attr(w, A_CLASS, "cover");
	hwrite_address(w, A_SRC, item->cover);
	hwrite_attr(w, A_ALT, "");
	if (item->cover_width > 0) {
		hwrite_number(w, A_WIDTH, item->cover_width);
		hwrite_number(w, A_HEIGHT, item->cover_height);
	}
	hwrite_attr(w, A_LOADING, "lazy");
}

/* Writes the date and the time that reading takes. */
static void
write_facts(struct ctx *c, struct hwrite *w, const struct item *item)
{
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "facts");
	words_date(c, w, item->language, item->article.first_published_at);
	hwrite_text(w, " ");
	words_minutes(c, w, item->language, item->minutes);
	hwrite_close(w, H_P);
}

static void
write_item(struct ctx *c, struct hwrite *w, const struct site *s, const struct item *item)
{
	hwrite_open(w, H_LI);
	hwrite_language(w, item->language);
	write_cover(w, item);
	hwrite_open(w, H_H2);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, item_address(c, s->w, s->home, item->language, item->slug));
	hwrite_text(w, item->title);
	hwrite_close(w, H_A);
	hwrite_close(w, H_H2);
	write_facts(c, w, item);
	if (item->description[0] != '\0')
		hwrite_element(w, H_P, item->description);
	hwrite_close(w, H_LI);
}

/* Returns the address of the list with this cursor, or of its beginning (NULL). */
static const char *
list_address(struct ctx *c, struct site *s, const char *cursor)
{
	s->r->param[BEFORE].text = cursor;
	return site_address(c, s, "");
}

static void
write_way(struct hwrite *w, const struct site *s, const char *address, const char *words)
{
	hwrite_open(w, H_LI);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, address);
	words_text(w, s->w->settings.language, words);
	hwrite_close(w, H_A);
	hwrite_close(w, H_LI);
}

static void
write_ways(struct ctx *c, struct hwrite *w, struct site *s, const struct question *q,
    const struct page *page)
{
	const char *language = s->w->settings.language;

	if (!q->after && !page->more)
		return;
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "ways");
	hwrite_attr(w, A_ARIA_LABELLEDBY, "ways");
	hwrite_open(w, H_H2);
	hwrite_attr(w, A_ID, "ways");
	hwrite_attr(w, A_CLASS, "unseen");
	words_text(w, language, tr_mark("More articles"));
	hwrite_close(w, H_H2);
	hwrite_open(w, H_UL);
	if (q->after)
		write_way(w, s, list_address(c, s, NULL), tr_mark("Newest articles"));
	if (page->more) {
		const struct listed *last = &page->found[page->count - 1];
		const struct place place = { last->created_at, last->uuid };
		write_way(w, s,
		    list_address(c, s, cursor_encode(c, filters[q->filter].name, fields, &place)),
		    tr_mark("Older articles"));
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
}

/* Writes what the list is of: a value that an article has, never what a stranger made up. */
static void
write_heading(struct hwrite *w, const struct site *s, const struct question *q)
{
	hwrite_open(w, H_H1);
	words_text(w, s->w->settings.language, filters[q->filter].words);
	hwrite_text(w, " ");
	hwrite_element(w, H_BDI, s->r->param[q->filter].text);
	hwrite_close(w, H_H1);
}

static void
write_list(struct ctx *c, struct site *s, const struct question *q, const struct page *page,
    struct reply *reply)
{
	const char *language = s->w->settings.language;
	bool some = q->filter != BEFORE && page->item_count > 0;
	struct hwrite w;

	layout_begin(c, &w, s,
	    &(struct layout) { .language = language,
		.title =
		    some ? arena_printf(c->arena, "%s – %s", s->r->param[q->filter].text, s->title)
			 : s->title,
		.top = !some },
	    &reply->body);
	if (some)
		write_heading(&w, s, q);
	if (page->item_count == 0)
		words_element(&w, H_P, NULL, language, tr_mark("Nothing is published here yet."));
	else {
		hwrite_open(&w, H_UL);
		hwrite_attr(&w, A_CLASS, "list");
	}
	for (size_t i = 0; i < page->item_count; i++)
		write_item(c, &w, s, &page->items[i]);
	if (page->item_count > 0)
		hwrite_close(&w, H_UL);
	write_ways(c, &w, s, q, page);
	layout_end(&w);
}

static void
read_items(struct ctx *c, struct site *s, struct page *page)
{
	page->items = arena_array(c->arena, PAGE, sizeof(*page->items));
	page->item_count = 0;
	for (size_t i = 0; i < page->count; i++)
		page->item_count += item_listed(
		    c, s, page->found[i].uuid, ITEM_LINE, &page->items[page->item_count]);
}

void
handlers_list(struct ctx *c, struct site *s, struct reply *reply)
{
	struct page page;
	struct question q;

	if (!read_question(c, s, &q)) {
		say_wrong(c, s, reply);
		return;
	}
	words_begin(c, s->w->settings.language);
	page.count =
	    listed_page(c, &(struct listed_of) { s->w->id, filters[q.filter].kind, q.value },
		q.from.created_at, q.from.uuid, page.found, PAGE, &page.more);
	read_items(c, s, &page);
	send_begin(reply, s->w->embed_origins);
	write_list(c, s, &q, &page, reply);
	s->fleeting |= page.count == 0 && q.filter != BEFORE;
}

/* ---- the feeds */

void
handlers_feed(struct ctx *c, struct site *s, struct reply *reply)
{
	const char *language = s->r->param[0].text;

	if (language != NULL && lang_clean(c->arena, language) == NULL) {
		say_wrong(c, s, reply);
		return;
	}
	send_begin(reply, NULL);
	feed_answer(c, s->r,
	    &(struct feed_asked) { .workspace = s->w,
		.title = s->title,
		.below = arena_printf(c->arena, "%s/%s/", root_address(c), s->word),
		.language = language },
	    strcmp(s->path, "feed.json") == 0, reply);
}
