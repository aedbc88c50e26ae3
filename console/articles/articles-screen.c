/* The list of a workspace's articles (docs/console.md §4.3): its search, its filters, the table,
 * and the form of the acts on what is chosen, which articles-many.c does. */
#include "articles-screen.h"

#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "screen/say.h"
#include "screen/tr.h"

#define PAGE 20

/* The words of an address, by enum browsing_status and browsing_order. */
static const char *const articles_statuses[] = { [BROWSING_ALL] = "all",
	[BROWSING_DRAFT] = "draft",
	[BROWSING_REVIEW] = "review",
	[BROWSING_SCHEDULED] = "scheduled",
	[BROWSING_PUBLISHED] = "published",
	[BROWSING_CHANGED] = "changed",
	[BROWSING_TRASH] = "trash" };
static const char *const articles_orders[] = { [BROWSING_NEWEST] = "newest",
	[BROWSING_OLDEST] = "oldest",
	[BROWSING_LAST_CHANGED] = "changed" };

#define STATUSES (sizeof(articles_statuses) / sizeof(articles_statuses[0]))
#define ORDERS (sizeof(articles_orders) / sizeof(articles_orders[0]))

/* ---- what is asked */

static unsigned
choice(const char *text, const char *const names[], size_t count)
{
	for (size_t i = 0; text != NULL && i < count; i++) {
		if (strcmp(names[i], text) == 0)
			return (unsigned)i;
	}
	return 0;
}

#define ASKED_MAX 1000 /* bytes of a text that is asked for */

/* Returns the text without the spaces around it; NULL if there is no other character, or if
 * it is longer than anything that an article could say in one place. */
static const char *
trimmed(struct ctx *c, const char *text)
{
	size_t len;

	if (text == NULL)
		return NULL;
	text += strspn(text, " ");
	len = strlen(text);
	while (len > 0 && text[len - 1] == ' ')
		len--;
	return len > 0 && len <= ASKED_MAX ? arena_text_n(c->arena, text, len) : NULL;
}

void
articles_asked(struct ctx *c, struct visit *v, articles_get *get, struct articles *out)
{
	struct browsing *b = &out->browsing;
	const char *many = get(c, v, "many");
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	*p = (struct page) { .c = c, .v = v };
	*out = (struct articles) { .p = p };
	b->workspace_id = v->workspace->id;
	b->status = choice(get(c, v, "status"), articles_statuses, STATUSES);
	b->order = choice(get(c, v, "order"), articles_orders, ORDERS);
	b->language = trimmed(c, get(c, v, "language"));
	b->tag = trimmed(c, get(c, v, "tag"));
	b->search = trimmed(c, get(c, v, "search"));
	out->many = many != NULL && strcmp(many, "1") == 0;
	b->limit = out->many ? BROWSING_MAX : PAGE;
}

/* Reads the key of a page's end: "TIME-UUID". */
static bool
read_key(struct ctx *c, const struct visit *v, const char *name, struct browsing_key *key)
{
	const char *text = console_query(c, v, name);
	char uuid[UUID_TEXT];
	char *end;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return false;
	key->at = strtoll(text, &end, 10);
	if (*end != '-' || !uuid_parse(end + 1, uuid))
		return false;
	key->uuid = arena_text(c->arena, uuid);
	return true;
}

/* ---- addresses */

static void
add_asked(struct buf *out, const struct articles *l, const char *status)
{
	const struct browsing *b = &l->browsing;

	if (strcmp(status, articles_statuses[0]) != 0)
		screen_address_add(out, "status", status);
	if (b->order != BROWSING_NEWEST)
		screen_address_add(out, "order", articles_orders[b->order]);
	screen_address_add(out, "language", b->language);
	screen_address_add(out, "tag", b->tag);
	screen_address_add(out, "search", b->search);
	screen_address_add(out, "many", l->many ? "1" : NULL);
}

const char *
articles_path(const struct articles *l)
{
	struct buf out;

	buf_init(&out, l->p->c->arena, (size_t)64 * 1024);
	buf_printf(&out, "/%s/articles", l->p->v->workspace->uuid);
	add_asked(&out, l, articles_statuses[l->browsing.status]);
	return buf_done(&out);
}

/* Returns the same with another status (in the terms of the address), from the root on. */
static const char *
articles_of_status(const struct articles *l, const char *status)
{
	struct buf out;

	buf_init(&out, l->p->c->arena, (size_t)64 * 1024);
	buf_add_text(&out, page_path(l->p, "/W/articles"));
	add_asked(&out, l, status);
	return buf_done(&out);
}

/* Returns the address with one more parameter; NULL: with what is asked alone. */
static const char *
address(const struct articles *l, const char *name, const char *value)
{
	struct buf out;

	buf_init(&out, l->p->c->arena, (size_t)64 * 1024);
	buf_add_text(&out, console_path(l->p->c, l->p->v, "%s", articles_path(l)));
	if (name != NULL)
		screen_address_add(&out, name, value);
	return buf_done(&out);
}

static const char *
page_address(const struct articles *l, const char *way, const struct browsing_key *key)
{
	if (key->uuid == NULL)
		return NULL;
	return address(
	    l, way, arena_printf(l->p->c->arena, "%lld-%s", (long long)key->at, key->uuid));
}

/* ---- the search and the filters */

static const struct field_choice order_choices[] = {
	{ "newest", tr_mark("Newest first") },
	{ "oldest", tr_mark("Oldest first") },
	{ "changed", tr_mark("Last changed first") },
	{ NULL, NULL },
};

static const struct field search_fields[] = {
	{ .name = "search", .label = tr_mark("Search"), .kind = FIELD_TEXT },
	{ .name = "status", .kind = FIELD_HIDDEN },
	{ .name = "many", .kind = FIELD_HIDDEN },
	{ .name = "language", .label = tr_mark("Language"), .kind = FIELD_TEXT, .dir = "ltr" },
	{ .name = "tag", .label = tr_mark("Tag"), .kind = FIELD_TEXT },
	{ .name = "order",
	    .label = tr_mark("Order"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = order_choices },
	{ .name = "find", .label = tr_mark("Find"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const char *const status_labels[] = { [BROWSING_ALL] = tr_mark("All"),
	[BROWSING_DRAFT] = tr_mark("Drafts"),
	[BROWSING_REVIEW] = tr_mark("In review"),
	[BROWSING_SCHEDULED] = tr_mark("Scheduled"),
	[BROWSING_PUBLISHED] = tr_mark("Published"),
	[BROWSING_CHANGED] = tr_mark("Changed"),
	[BROWSING_TRASH] = tr_mark("Trash") };

void
articles_fill(struct form *f, const struct articles *l)
{
	const struct browsing *b = &l->browsing;

	form_fill(f, "search", b->search);
	form_fill(f, "status", articles_statuses[b->status]);
	form_fill(f, "language", b->language);
	form_fill(f, "tag", b->tag);
	form_fill(f, "order", articles_orders[b->order]);
	form_fill(f, "many", l->many ? "1" : NULL);
}

/* Writes the search. Language, tag and order are behind "More", which is open where one of them is
 * used. */
static void
articles_write_search(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;
	struct form f;

	form_init(&f, "search", search_fields);
	articles_fill(&f, l);
	form_write_begin(w, &f,
	    &(struct form_head) { .search = true, .action = page_path(l->p, "/W/articles") });
	form_write_field(w, &f, "search");
	form_write_field(w, &f, "status");
	form_write_field(w, &f, "many");
	@ <div class="buttons">{!form_write_field(w, &f, "find")}</div>
	@ <details open={b->language != NULL || b->tag != NULL || b->order != BROWSING_NEWEST}>
	@ <summary>More</summary><div class="more">
	form_write_field(w, &f, "language");
	form_write_field(w, &f, "tag");
	form_write_field(w, &f, "order");
	@ </div></details>
	form_write_end(w);
}

static void
articles_write_filters(struct hwrite *w, const struct articles *l)
{
	@ <nav class="filters" aria-label="Status"><ul>
	for (unsigned i = 0; i <= BROWSING_TRASH; i++)
		@ <li><a href={articles_of_status(l, articles_statuses[i])}
		@     aria-current={l->browsing.status == i ? "true" : NULL}>
		@ {=tr(status_labels[i])}</a></li>
	@ </ul></nav>
}

/* ---- the acts on many */

static const struct field act_fields[] = {
	ARTICLES_ASKED,
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT },
	{ .name = "unpublish", .label = tr_mark("Unpublish"), .kind = FIELD_SUBMIT },
	{ .name = "trash",
	    .label = tr_mark("Move to trash"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field draft_fields[] = {
	ARTICLES_ASKED,
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT },
	{ .name = "trash",
	    .label = tr_mark("Move to trash"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field trash_fields[] = {
	ARTICLES_ASKED,
	{ .name = "restore", .label = tr_mark("Restore"), .kind = FIELD_SUBMIT },
	{ .name = "destroy",
	    .label = tr_mark("Delete for good"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field restore_fields[] = {
	ARTICLES_ASKED,
	{ .name = "restore", .label = tr_mark("Restore"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field destroy_fields[] = {
	ARTICLES_ASKED,
	{ .name = "destroy",
	    .label = tr_mark("Delete for good"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static const struct field *
fields_of(const struct articles *l)
{
	bool publish = console_may(l->p->v, RIGHT_PUBLISH);
	bool manage = console_may(l->p->v, RIGHT_MANAGE);

	if (l->browsing.status == BROWSING_TRASH)
		return publish && manage ? trash_fields
		       : publish	 ? restore_fields
		       : manage		 ? destroy_fields
					 : NULL;
	if (!publish)
		return NULL;
	return l->browsing.status == BROWSING_DRAFT ? draft_fields : act_fields;
}

struct form *
articles_form(struct ctx *c, const struct articles *l)
{
	const struct field *fields = fields_of(l);
	struct form *f;

	if (fields == NULL)
		return NULL;
	f = arena_alloc(c->arena, sizeof(*f));
	form_init(f, "acts", fields);
	articles_fill(f, l);
	return f;
}

/* ---- the table */

static void
write_status(struct hwrite *w, const struct page *p, const struct browsing_one *one)
{
	const struct article *a = &one->article;

	if (a->status == ARTICLE_DELETED)
		@ <state bad>In the trash</state>
	else if (a->status == ARTICLE_DRAFT)
		@ <state note>Draft</state>
	else if (article_has_changes(a))
		@ <state warning>Published, with changes</state>
	else
		@ <state good>Published</state>
	if (one->desk.handed_in_at != 0)
		@ {=" "}<state warning>In review</state>
	if (one->desk.publish_at != 0)
		@ {=" "}<state note>Scheduled</state>
	/* The way to where readers open the article, which looks for it. */
	if (a->status == ARTICLE_PUBLISHED)
		@ {=" "}<a href="/W/articles/{a->uuid}/public"
		@     aria-label="{=tr("Open it")}: {a->title}">Open it</a>
}

/* The title leads to the article; the box before it chooses the article for an act. The label is
 * the room around the box, for fingers. */
static void
write_title(struct hwrite *w, const struct articles *l, const struct article *a)
{
	const struct page *p = l->p;

	if (l->form == NULL)
		@ <a href="/W/articles/{a->uuid}">{a->title}</a>
	else
		@ <div class="tick"><label class="pick"><input type="checkbox" name="chosen"
		@     value={a->uuid} aria-label={a->title} checked={l->ticked}></label>
		@ <a href="/W/articles/{a->uuid}">{a->title}</a></div>
}

static void
write_table(struct hwrite *w, const struct articles *l)
{
	@ <list caption="Articles" columns="Title|Status|Language|Date|Saved">
	for (size_t i = 0; i < l->browsing.count; i++) {
		const struct browsing_one *one = &l->browsing.found[i];
		@ <row><cell>{!write_title(w, l, &one->article)}</cell>
		@ <cell>{!write_status(w, l->p, one)}</cell>
		@ <cell>{one->article.language}</cell>
		@ <cell>{!say_time(w, one->article.created_at)}</cell>
		@ <cell>{!say_time(w, one->article.updated_at)}</cell></row>
	}
	@ </list>
}

/* Writes the links that choose all, and that show more at once. */
static void
write_choose(struct hwrite *w, const struct articles *l)
{
	struct articles other = *l;

	other.many = !l->many;
	@ <p class="filters">
	if (l->ticked)
		@ <a href={address(l, NULL, NULL)}>Choose none</a>{=" "}
	else
		@ <a href={address(l, "chosen", "all")}>Choose all of this page</a>{=" "}
	if (l->many)
		@ <a href={address(&other, NULL, NULL)}>Show fewer at once</a>
	else if (l->browsing.next.uuid != NULL)
		@ <a href={address(&other, NULL, NULL)}>Show up to 200 at once</a>
	@ </p>
}

/* Writes the table inside the form of the acts on many, if there are any. */
static void
write_acts(struct hwrite *w, const struct articles *l)
{
	const struct form *f = l->form;

	if (f == NULL) {
		write_table(w, l);
		return;
	}
	form_write_summary(w, f);
	write_choose(w, l);
	console_form_begin(l->p->c, l->p->v, w, f,
	    arena_printf(l->p->c->arena, "/%s/articles", l->p->v->workspace->uuid));
	write_table(w, l);
	for (size_t i = 0; f->fields[i].kind == FIELD_HIDDEN; i++)
		form_write_field(w, f, f->fields[i].name);
	@ <div class="buttons">
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_SUBMIT)
			form_write_field(w, f, f->fields[i].name);
	}
	@ </div>
	form_write_end(w);
}

/* ---- the page */

/* The first article is written, or ordered. */
static void
write_none(struct hwrite *w, const struct page *p)
{
	screen_empty(w, tr("No article is here yet. Write the first one."),
	    console_may(p->v, RIGHT_WRITE) ? page_path(p, "/W/articles/new") : NULL,
	    tr("New article"));
	if (console_may(p->v, RIGHT_WRITE | RIGHT_PUBLISH) && p->v->account->verified)
		@ <div class="buttons">
		@ <a class="button" href="/W/orders/new">Order an article</a></div>
}

static void
write_nothing(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;
	const char *all = page_path(l->p, "/W/articles");

	if (b->cut)
		screen_empty(w, tr("Nothing was found yet. Not all articles were looked at."),
		    page_address(l, "next", &b->next), tr("Look further"));
	else if (b->search != NULL)
		screen_empty(w, tr("No article says this."), all, tr("Show all"));
	else if (b->status != BROWSING_ALL || b->language != NULL || b->tag != NULL ||
		 b->key.uuid != NULL)
		screen_empty(w, tr("No article is here."), all, tr("Show all"));
	else
		write_none(w, l->p);
}

static void
write_pages(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;
	const char *previous = page_address(l, "previous", &b->previous);
	const char *next = page_address(l, "next", &b->next);

	if (b->cut && b->count > 0)
		@ <p>Not all articles were looked at: the next page looks further.</p>
	if (b->order == BROWSING_OLDEST)
		screen_pages(w, next, previous);
	else
		screen_pages(w, previous, next);
}

static void
write_articles(struct hwrite *w, const void *data)
{
	const struct articles *l = data;
	const struct page *p = l->p;

	if (l->told != NULL)
		articles_write_told(w, l);
	if (console_may(p->v, RIGHT_WRITE) && l->browsing.count > 0)
		@ <p><a class="button primary" href="/W/articles/new">New article</a></p>
	articles_write_search(w, l);
	articles_write_filters(w, l);
	if (l->browsing.titles)
		@ <p>There are many articles, so only titles and slugs were searched.</p>
	if (l->browsing.count == 0)
		write_nothing(w, l);
	else
		write_acts(w, l);
	if (l->browsing.count > 0 || l->browsing.previous.uuid != NULL)
		write_pages(w, l);
}

void
articles_page(struct articles *l, struct reply *reply)
{
	browsing_read(l->p->c, &l->browsing);
	if (l->form == NULL)
		l->form = articles_form(l->p->c, l);
	console_page(l->p->c, l->p->v, reply, NULL, NULL, write_articles, l);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct articles *l = arena_alloc(c->arena, sizeof(*l));
	const char *chosen = console_query(c, v, "chosen");
	const char *told;

	articles_asked(c, v, console_query, l);
	l->done = console_query(c, v, "done");
	told = console_told(c, v, l->done);
	if (told != NULL) {
		struct bulk *before = arena_alloc(c->arena, sizeof(*before));
		l->told = bulk_recall(c, v->workspace, told, before) ? before : NULL;
	}
	l->ticked = chosen != NULL && strcmp(chosen, "all") == 0;
	if (!read_key(c, v, "next", &l->browsing.key))
		l->browsing.back = read_key(c, v, "previous", &l->browsing.key);
	articles_page(l, reply);
	return NULL;
}

SCREEN(articles) = {
	{ "GET", "/W/articles", .title = tr_mark("Articles"), .handler = show },
	{ .method = NULL },
};
