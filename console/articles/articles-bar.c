/* The toolbar of the list of articles (docs/console.md §4.3): a tab for each state, the search, the
 * filter in a menu, and below it what the list leaves out. */
#include <inttypes.h>
#include <string.h>

#include "articles-screen.h"
#include "../all.h"
#include "article/thumbs.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "console/choices.h"
#include "editor-screen.h"
#include "screen/tr.h"

static const char *const status_labels[] = { [BROWSING_ALL] = tr_mark("All"),
	[BROWSING_DRAFT] = tr_mark("Drafts"),
	[BROWSING_REVIEW] = tr_mark("In review"),
	[BROWSING_SCHEDULED] = tr_mark("Scheduled"),
	[BROWSING_PUBLISHED] = tr_mark("Published"),
	[BROWSING_CHANGED] = tr_mark("Changed"),
	[BROWSING_TRASH] = tr_mark("Trash") };

/* Returns how many articles a list has, as a text: "12", "500+"; NULL where that is not counted. */
static const char *
count_of(const struct articles *l, enum browsing_status status)
{
	const struct browse_counts *n = &l->browsing.counts;
	const int64_t counts[][2] = { [BROWSING_ALL] = { n->drafts, n->published },
		[BROWSING_DRAFT] = { n->drafts },
		[BROWSING_REVIEW] = { n->in_review },
		[BROWSING_SCHEDULED] = { n->scheduled },
		[BROWSING_PUBLISHED] = { n->published } };
	int64_t count = 0;
	bool more = false;

	if (status > BROWSING_PUBLISHED)
		return NULL;
	for (size_t i = 0; i < 2; i++) {
		bool many = counts[status][i] > BROWSE_COUNTED;
		count += many ? BROWSE_COUNTED : counts[status][i];
		more = more || many;
	}
	return arena_printf(
	    l->p->c->arena, "%s%s", tr_number(l->p->c->arena, count), more ? "+" : "");
}

static void
write_tab(struct hwrite *w, const struct articles *l, enum browsing_status status)
{
	const char *count = count_of(l, status);

	@ <a href={articles_of_status(l, status, true)}
	@     aria-current={l->browsing.status == status ? "page" : NULL}>
	@ {=tr(status_labels[status])}
	if (count != NULL)
		@ {=" "}<small>{=count}</small>
	@ </a>
}

/* The same twice: in a row, and on a phone as a menu. What changed has no room in the row: the
 * filter leads there. */
static void
write_tabs(struct hwrite *w, const struct articles *l)
{
	@ <nav class="wide" aria-label="Status"><ul class="tabs">
	for (enum browsing_status s = 0; s <= BROWSING_TRASH; s++) {
		if (s != BROWSING_CHANGED || l->browsing.status == s)
			@ <li>{!write_tab(w, l, s)}</li>
	}
	@ </ul></nav>
	@ <details class="pop thin"><summary class="button slim">
	@ {=tr(status_labels[l->browsing.status])} {!screen_icon(w, ICON_DOWN)}</summary><div>
	for (enum browsing_status s = 0; s <= BROWSING_TRASH; s++)
		write_tab(w, l, s);
	@ </div></details>
}

static void
hide(struct hwrite *w, const char *name, const char *value)
{
	if (value != NULL)
		hwrite_hidden(w, name, value);
}

/* Keeps what the other form asks for. */
static void
hide_common(struct hwrite *w, const struct articles *l)
{
	if (l->browsing.status != BROWSING_ALL)
		hide(w, "status", articles_statuses[l->browsing.status]);
	hide(w, "many", l->many ? "1" : NULL);
}

static void
write_search(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;
	const struct page *p = l->p;

	@ <form id="search" class="seek" role="search" method="get" action="/W/articles" novalidate>
	screen_icon(w, ICON_FIND);
	@ <input type="search" name="search" dir="auto" aria-label="Find in articles"
	@     placeholder="Find" value={b->search}>
	hide_common(w, l);
	hide(w, "language", b->language);
	hide(w, "tag", b->tag);
	hide(w, "author", b->author);
	if (b->order != BROWSING_NEWEST)
		hide(w, "order", articles_orders[b->order]);
	@ </form>
}

static const struct field_choice order_choices[] = {
	{ "newest", tr_mark("Newest first") },
	{ "oldest", tr_mark("Oldest first") },
	{ "changed", tr_mark("Last changed first") },
	{ NULL, NULL },
};

static const struct field filter_fields[] = {
	{ .name = "language",
	    .label = tr_mark("Language"),
	    .kind = FIELD_SELECT,
	    .required = true },
	{ .name = "language-code",
	    .label = tr_mark("Code of another language"),
	    .kind = FIELD_TEXT,
	    .dir = "ltr" },
	{ .name = "order",
	    .label = tr_mark("Order"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = order_choices },
	{ .name = NULL },
};

#define OFFERED 40 /* words of this page that a field offers */

/* Adds a word to those that a field offers, once. */
static void
offer(const char *words[OFFERED], size_t *count, const char *word)
{
	size_t i = 0;

	while (word != NULL && i < *count && strcmp(words[i], word) != 0)
		i++;
	if (word != NULL && i == *count && i < OFFERED)
		words[(*count)++] = word;
}

/* Writes a line for a tag or an author, which offers those of this page. */
static void
write_word(struct hwrite *w, const struct articles *l, const char *name, const char *label,
    const char *value)
{
	const char *id = arena_printf(l->p->c->arena, "filter-%s", name);
	const char *list = arena_printf(l->p->c->arena, "filter-%s-list", name);
	const char *words[OFFERED];
	size_t count = 0;

	for (size_t i = 0; i < l->browsing.count; i++) {
		const struct browse_shown *shown = &l->browsing.found[i].shown;
		if (strcmp(name, "author") == 0)
			offer(words, &count, shown->author);
		else
			for (const char **t = browse_tags(l->p->c, shown->tags); *t != NULL; t++)
				offer(words, &count, *t);
	}
	@ <div class="field"><label for={id}>{=label}</label>
	@ <input id={id} type="text" name={name} dir="auto" value={value} list={list}>
	@ <datalist id={list}>
	for (size_t i = 0; i < count; i++)
		@ <option value={words[i]}></option>
	@ </datalist></div>
}

/* Offers the languages of this page and the one that is asked for; every other has a code. */
static void
offer_languages(struct form *f, const struct articles *l)
{
	struct ctx *c = l->p->c;
	struct field_choice *out = arena_array(c->arena, OFFERED + 3, sizeof(*out));
	const char *tags[OFFERED];
	size_t count = 0, made = 0;

	offer(tags, &count, l->browsing.language);
	for (size_t i = 0; i < l->browsing.count; i++)
		offer(tags, &count, l->browsing.found[i].article.language);
	out[made++] = (struct field_choice) { "", tr("Any") };
	for (size_t i = 0; i < count; i++)
		out[made++] = (struct field_choice) { tags[i], choices_language_name(c, tags[i]) };
	out[made++] = (struct field_choice) { CHOICES_ANOTHER, tr("Another…") };
	out[made] = (struct field_choice) { NULL, NULL };
	form_choices(f, "language", out);
}

static void
write_filter(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;
	const struct page *p = l->p;
	struct form f;

	form_init(&f, "filter", filter_fields);
	form_fill(&f, "language", b->language != NULL ? b->language : "");
	form_fill(&f, "order", articles_orders[b->order]);
	offer_languages(&f, l);
	@ <details class="pop end"><summary class="button slim" aria-label="Filter and order">
	@ {!screen_icon(w, ICON_FILTER)}<span class="wide">Filter</span></summary><div>
	@ <a href={articles_of_status(l, BROWSING_CHANGED, true)}>Changed after publishing</a>
	@ <form id="filter" method="get" action="/W/articles" novalidate>
	hide_common(w, l);
	hide(w, "search", b->search);
	write_word(w, l, "tag", tr("Tag"), b->tag);
	write_word(w, l, "author", tr("Author"), b->author);
	choices_write_language(w, &f);
	form_write_field(w, &f, "order");
	@ <button class="button" type="submit">Show</button></form></div></details>
}

/* Says what the list leaves out, if it does. */
static void
write_asked(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;

	if (b->titles)
		@ <p>There are many articles, so only titles and slugs were searched.</p>
	if (b->search == NULL && b->tag == NULL && b->author == NULL && b->language == NULL)
		return;
	@ <p class="soft small">
	if (b->search != NULL)
		@ Search: {b->search}.
	if (b->tag != NULL)
		@ {=" "}Tag: {b->tag}.
	if (b->author != NULL)
		@ {=" "}Author: {b->author}.
	if (b->language != NULL)
		@ {=" "}Language: {choices_language_name(l->p->c, b->language)}.
	@ {=" "}<a href={articles_of_status(l, b->status, false)}>Show all</a></p>
}

void
articles_write_bar(struct hwrite *w, const struct articles *l)
{
	@ <div class="bar-of">
	write_tabs(w, l);
	write_search(w, l);
	write_filter(w, l);
	@ </div>
	write_asked(w, l);
}

/* ---- the cover of a row */

/* The title is beside it, so it says nothing itself. */
void
articles_write_cover(struct hwrite *w, const struct page *p, const char *title, const char *cover)
{
	struct ctx *c = p->c;
	const char *small = thumb_find(c, cover);

	if (small != NULL)
		@ <img class="thumb" src={pictures_address(c, p->v, small)} alt="" width="64"
		@     height="44" loading="lazy">
	else
		@ <span class="thumb none" aria-hidden="true">
		@ {arena_text_n(c->arena, title, utf8_prefix(title, 1))}</span>
}
