/* The list of a workspace's articles (docs/console.md §4.3). */
#include <stdlib.h>
#include <string.h>

#include "action/article/listing.h"
#include "all.h"
#include "article/browse.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "screen/tr.h"
#include "store/db.h"

#define PAGE 20
#define FOUND_MAX 100
#define ALL (1U << ARTICLE_DRAFT | 1U << ARTICLE_PUBLISHED)

/* The filters of the address. */
static const struct filter {
	const char *name, *label;
	unsigned statuses; /* 1 << of each enum article_status */
	bool changed;
} filters[] = {
	{ "all", tr_mark("All"), ALL, false },
	{ "draft", tr_mark("Drafts"), 1U << ARTICLE_DRAFT, false },
	{ "published", tr_mark("Published"), 1U << ARTICLE_PUBLISHED, false },
	{ "changed", tr_mark("Changed"), 1U << ARTICLE_PUBLISHED, true },
	{ "trash", tr_mark("Trash"), 1U << ARTICLE_DELETED, false },
};

#define FILTERS (sizeof(filters) / sizeof(filters[0]))

struct articles {
	struct ctx *c;
	const struct visit *v;
	const struct filter *filter;
	const char *search;      /* or NULL */
	struct article *found;   /* newest first */
	size_t count, room;
	bool newer, older;       /* there are more on that side */
};

/* ---- what is shown */

static void
keep(void *arg, const struct article *a)
{
	struct articles *l = arg;

	if (l->count < l->room)
		l->found[l->count++] = *a;
}

static int
newest_first(const void *x, const void *y)
{
	const struct article *a = x, *b = y;

	if (a->created_at != b->created_at)
		return a->created_at > b->created_at ? -1 : 1;
	return strcmp(b->uuid, a->uuid);
}

/* Reads the key of a page's end: "CREATED_AT-UUID". */
static bool
read_key(struct ctx *c, const struct visit *v, const char *name, struct browse *b)
{
	const char *text = console_query(c, v, name);
	char uuid[UUID_TEXT];
	char *end;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return false;
	b->at = strtoll(text, &end, 10);
	if (*end != '-' || !uuid_parse(end + 1, uuid))
		return false;
	b->uuid = arena_text(c->arena, uuid);
	return true;
}

/* Reads one page: of each status one article more than fits, then the nearest of all. */
static void
read_page(struct ctx *c, const struct visit *v, struct articles *l)
{
	struct browse b = { .workspace_id = v->workspace->id,
		.changed = l->filter->changed, .limit = PAGE + 1 };
	bool keyed = read_key(c, v, "older", &b);

	if (!keyed)
		keyed = b.newer = read_key(c, v, "newer", &b);
	l->room = (size_t)3 * (PAGE + 1);
	l->found = arena_array(c->arena, l->room, sizeof(*l->found));
	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++) {
		b.status = s;
		if ((l->filter->statuses & 1U << s) != 0)
			browse_articles(c, &b, keep, l);
	}
	qsort(l->found, l->count, sizeof(*l->found), newest_first);
	l->older = b.newer || l->count > PAGE;
	l->newer = b.newer ? l->count > PAGE : keyed;
	if (b.newer && l->count > PAGE)
		l->found += l->count - PAGE;
	if (l->count > PAGE)
		l->count = PAGE;
}

static struct err *
find(struct ctx *c, const struct visit *v, struct articles *l)
{
	struct listing listing = { .place = { .name = v->workspace->uuid },
		.statuses = l->filter->statuses, .limit = FOUND_MAX,
		.search = l->search, .ids_only = true };
	struct err *err = listing_find(c, &listing);

	if (err != NULL)
		return err;
	l->found = arena_array(c->arena, listing.count + 1, sizeof(*l->found));
	l->room = listing.count;
	for (size_t i = 0; i < listing.count; i++) {
		if (!l->filter->changed || article_has_changes(&listing.found[i]))
			keep(l, &listing.found[i]);
	}
	return NULL;
}

/* ---- the page */

static const char *
address(const struct articles *l, const struct filter *filter, const char *search,
    const char *way, const struct article *at)
{
	struct ctx *c = l->c;
	struct buf out;

	buf_init(&out, c->arena, (size_t)16 * 1024);
	buf_add_text(&out, console_path(c, l->v, "/%s/articles",
	    l->v->workspace->uuid));
	if (filter != &filters[0])
		screen_address_add(&out, "status", filter->name);
	screen_address_add(&out, "search", search);
	if (at != NULL)
		screen_address_add(&out, way, arena_printf(c->arena, "%lld-%s",
		    (long long)at->created_at, at->uuid));
	return buf_done(&out);
}

static void
write_filters(struct hwrite *w, const struct articles *l)
{
	hwrite_open(w, H_NAV);
	hwrite_attr(w, A_CLASS, "filters");
	hwrite_attr(w, A_ARIA_LABEL, tr("Status"));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < FILTERS; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, address(l, &filters[i], l->search, NULL, NULL));
		if (l->filter == &filters[i])
			hwrite_attr(w, A_ARIA_CURRENT, "true");
		hwrite_text(w, tr(filters[i].label));
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_close(w, H_NAV);
}

static void
write_search(struct hwrite *w, const struct articles *l)
{
	static const struct field fields[] = {
		{ .name = "search", .label = tr_mark("Search"), .kind = FIELD_TEXT },
		{ .name = "status", .kind = FIELD_HIDDEN },
		{ .name = "find", .label = tr_mark("Find"), .kind = FIELD_SUBMIT },
		{ .name = NULL },
	};
	struct form f;

	form_init(&f, "search", fields);
	form_fill(&f, "search", l->search);
	form_fill(&f, "status", l->filter->name);
	form_write(w, &f, &(struct form_head){ .search = true,
	    .action = console_path(l->c, l->v, "/%s/articles",
		l->v->workspace->uuid) });
}

static void
write_status(struct hwrite *w, const struct article *a)
{
	if (a->status == ARTICLE_DELETED)
		screen_state(w, SCREEN_BAD, tr("In the trash"));
	else if (a->status == ARTICLE_DRAFT)
		screen_state(w, SCREEN_NOTE, tr("Draft"));
	else if (article_has_changes(a))
		screen_state(w, SCREEN_WARNING, tr("Published, with changes"));
	else
		screen_state(w, SCREEN_GOOD, tr("Published"));
}

static void
write_time(struct hwrite *w, int64_t at)
{
	char date[CLOCK_TEXT];

	clock_format_date(date, at);
	hwrite_time(w, at, date);
}

static void
write_table(struct hwrite *w, const struct articles *l)
{
	const struct screen_column columns[] = { { .label = tr("Title") },
		{ .label = tr("Status") }, { .label = tr("Language") },
		{ .label = tr("Date") }, { .label = tr("Saved") }, { .label = NULL } };
	struct screen_table t;

	screen_table_begin(&t, w, tr("Articles"), columns);
	for (size_t i = 0; i < l->count; i++) {
		const struct article *a = &l->found[i];
		screen_row_begin(&t);
		screen_cell_link(&t, console_path(l->c, l->v, "/%s/articles/%s",
		    l->v->workspace->uuid, a->uuid), a->title);
		screen_cell_begin(&t);
		write_status(w, a);
		screen_cell_end(&t);
		screen_cell(&t, a->language);
		screen_cell_begin(&t);
		write_time(w, a->created_at);
		screen_cell_end(&t);
		screen_cell_begin(&t);
		write_time(w, a->updated_at);
		screen_cell_end(&t);
		screen_row_end(&t);
	}
	screen_table_end(&t);
}

static void
write_nothing(struct hwrite *w, const struct articles *l)
{
	bool may = console_may(l->v, RIGHT_WRITE);

	if (l->search != NULL)
		screen_empty(w, tr("No article says this."),
		    address(l, l->filter, NULL, NULL, NULL), tr("Show all"));
	else if (l->filter != &filters[0])
		screen_empty(w, tr("No article is here."),
		    address(l, &filters[0], NULL, NULL, NULL), tr("Show all"));
	else
		screen_empty(w, tr("No article is here yet. Write the first one."),
		    may ? console_path(l->c, l->v, "/%s/articles/new",
			l->v->workspace->uuid) : NULL, tr("New article"));
}

static void
write_articles(struct hwrite *w, const void *data)
{
	const struct articles *l = data;

	if (console_may(l->v, RIGHT_WRITE) && l->count > 0) {
		hwrite_open(w, H_P);
		screen_button_link(w, console_path(l->c, l->v, "/%s/articles/new",
		    l->v->workspace->uuid), tr("New article"), true);
		hwrite_close(w, H_P);
	}
	write_search(w, l);
	write_filters(w, l);
	if (l->count == 0) {
		write_nothing(w, l);
		return;
	}
	write_table(w, l);
	if (l->search != NULL && l->count == FOUND_MAX)
		hwrite_element(w, H_P, tr("There are more: say more of what you look"
					  " for."));
	screen_pages(w,
	    l->newer ? address(l, l->filter, NULL, "newer", &l->found[0]) : NULL,
	    l->older ? address(l, l->filter, NULL, "older", &l->found[l->count - 1])
		     : NULL);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct articles *l = arena_alloc(c->arena, sizeof(*l));
	const char *status = console_query(c, v, "status");
	struct err *err = NULL;

	*l = (struct articles){ .c = c, .v = v, .filter = &filters[0],
		.search = console_query(c, v, "search") };
	for (size_t i = 0; status != NULL && i < FILTERS; i++) {
		if (strcmp(filters[i].name, status) == 0)
			l->filter = &filters[i];
	}
	if (l->search != NULL && l->search[strspn(l->search, " ")] == '\0')
		l->search = NULL;
	if (l->search != NULL) {
		err = find(c, v, l);
	} else {
		db_begin_read(c, DB_CONTENT);
		read_page(c, v, l);
		db_rollback(c);
	}
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_articles, l);
	return err;
}

/* The workspace's own address leads to its articles. */
static struct err *
enter(struct ctx *c, struct visit *v, struct reply *reply)
{
	console_go(c, v, reply, arena_printf(c->arena, "/%s/articles",
	    v->workspace->uuid), NULL);
	return NULL;
}

const struct console_row articles_screens[] = {
	{ .method = "GET", .pattern = "/W", .title = tr_mark("Articles"),
	    .handler = enter },
	{ .method = "GET", .pattern = "/W/articles", .title = tr_mark("Articles"),
	    .handler = show },
	{ .method = NULL },
};
