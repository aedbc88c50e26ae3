/* The list of a workspace's articles (docs/console.md §4.3): what is asked, the table, and the form
 * of the acts on what is chosen, which articles-many.c does. */
#include "articles-screen.h"

#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "access/pages-settings.h"
#include "action/statistics-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "console/choices.h"
#include "screen/plot.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

#define PAGE 20

/* The words of an address, by enum browsing_status and browsing_order. */
const char *const articles_statuses[] = { [BROWSING_ALL] = "all",
	[BROWSING_DRAFT] = "draft",
	[BROWSING_REVIEW] = "review",
	[BROWSING_SCHEDULED] = "scheduled",
	[BROWSING_PUBLISHED] = "published",
	[BROWSING_CHANGED] = "changed",
	[BROWSING_TRASH] = "trash" };
const char *const articles_orders[] = { [BROWSING_NEWEST] = "newest",
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
	if (b->language != NULL && strcmp(b->language, CHOICES_ANOTHER) == 0)
		b->language = trimmed(c, get(c, v, "language-code"));
	b->tag = trimmed(c, get(c, v, "tag"));
	b->author = trimmed(c, get(c, v, "author"));
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
	screen_address_add(out, "author", b->author);
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

const char *
articles_of_status(const struct articles *l, enum browsing_status status, bool filtered)
{
	const struct articles bare = { .p = l->p, .many = l->many };
	struct buf out;

	buf_init(&out, l->p->c->arena, (size_t)64 * 1024);
	buf_add_text(&out, l->address);
	add_asked(&out, filtered ? l : &bare, articles_statuses[status]);
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

void
articles_fill(struct form *f, const struct articles *l)
{
	const struct browsing *b = &l->browsing;

	form_fill(f, "search", b->search);
	form_fill(f, "status", articles_statuses[b->status]);
	form_fill(f, "language", b->language);
	form_fill(f, "tag", b->tag);
	form_fill(f, "author", b->author);
	form_fill(f, "order", articles_orders[b->order]);
	form_fill(f, "many", l->many ? "1" : NULL);
}

/* ---- the acts on many */

/* The buttons, the rights that they need, and the states of the list that have them. */
#define IN(status) (1U << (status))
#define TRASH IN(BROWSING_TRASH)

static const struct {
	struct field field;
	enum right need;
	unsigned in;
} buttons[] = {
	{ { .name = "publish", .label = tr_mark("Publish") }, RIGHT_PUBLISH, ~TRASH },
	{ { .name = "unpublish", .label = tr_mark("Unpublish") }, RIGHT_PUBLISH,
	    ~(TRASH | IN(BROWSING_DRAFT)) },
	{ { .name = "trash", .label = tr_mark("Move to trash"), .tone = FIELD_DANGER },
	    RIGHT_PUBLISH, ~TRASH },
	{ { .name = "restore", .label = tr_mark("Restore") }, RIGHT_PUBLISH, TRASH },
	{ { .name = "destroy", .label = tr_mark("Delete for good"), .tone = FIELD_DANGER },
	    RIGHT_MANAGE, TRASH },
};

struct form *
articles_form(struct ctx *c, const struct articles *l)
{
	static const struct field asked[] = { ARTICLES_ASKED };
	const size_t hidden = sizeof(asked) / sizeof(asked[0]);
	const size_t most = sizeof(buttons) / sizeof(buttons[0]);
	struct field *fields = arena_array(c->arena, hidden + most + 1, sizeof(*fields));
	struct form *f = arena_alloc(c->arena, sizeof(*f));
	size_t count = hidden;

	memcpy(fields, asked, sizeof(asked));
	for (size_t i = 0; i < most; i++) {
		if (!console_may(l->p->v, buttons[i].need) ||
		    (buttons[i].in & IN(l->browsing.status)) == 0)
			continue;
		fields[count] = buttons[i].field;
		fields[count++].kind = FIELD_SUBMIT;
	}
	if (count == hidden)
		return NULL;
	form_init(f, "acts", fields);
	articles_fill(f, l);
	return f;
}

/* ---- the table */

/* What an article is, in a word; of one that readers have, what people agreed about it, too. */
static void
write_status(struct hwrite *w, const struct browsing_one *one, const char *address)
{
	const struct article *a = &one->article;
	bool agreed = one->desk.handed_in_at != 0 || one->desk.publish_at != 0;

	if (a->status == ARTICLE_DELETED)
		@ <state bad>In the trash</state>
	else if (a->status == ARTICLE_DRAFT && !agreed)
		@ <state note>Draft</state>
	else if (a->status == ARTICLE_PUBLISHED && article_has_changes(a))
		@ <state warning>Changed</state>
	else if (a->status == ARTICLE_PUBLISHED)
		@ <state good>Published</state>
	if (one->desk.handed_in_at != 0)
		@ {=" "}<state warning>In review</state>
	if (one->desk.publish_at != 0)
		@ {=" "}<state note>Scheduled</state>
	/* The way to where readers open the article, which looks for it. */
	if (a->status == ARTICLE_PUBLISHED)
		@ {=" "}<a class="wide" href={arena_printf(w->out->arena, "%s/public", address)}
		@     aria-label="{=tr("Open it")}: {a->title}">Open it</a>
}

/* Writes author, tags and language. */
static void
write_about(struct hwrite *w, const struct articles *l, const struct browsing_one *one)
{
	const char **tags = browse_tags(l->p->c, one->shown.tags);
	bool any = one->shown.author != NULL;

	if (!any && tags[0] == NULL && !l->languages)
		return;
	@ <small>
	@ {one->shown.author}
	for (size_t i = 0; tags[i] != NULL; i++, any = true)
		@ {=i > 0 ? tr(", ") : any ? " · " : ""}{tags[i]}
	if (l->languages)
		@ {=any ? " · " : ""}{choices_language_name(l->p->c, one->article.language)}
	@ </small>
}

#define POINTS 10 /* of a line: three days each */

static void
write_views(struct hwrite *w, const struct statistics_few *few)
{
	int64_t sums[POINTS] = { 0 };

	for (size_t i = 0; i < STATISTICS_SHOWN; i++)
		sums[i * POINTS / STATISTICS_SHOWN] += few->days[i];
	if (few->views > 0)
		plot_spark(w, sums, POINTS);
	@ {=" "}{few->views}
}

/* The label around the box is the room for fingers. */
static void
write_row(struct hwrite *w, const struct articles *l, size_t i)
{
	const struct browsing_one *one = &l->browsing.found[i];
	const struct article *a = &one->article;
	const char *address = arena_printf(w->out->arena, "%s/%s", l->address, a->uuid);

	@ <tr>
	if (l->form != NULL)
		@ <td class="pick-cell"><label><input type="checkbox" name="chosen"
		@     value={a->uuid} aria-label={a->title} checked={l->ticked}></label></td>
	@ <th scope="row"><span>{!articles_write_cover(w, l->p, a->title, one->shown.cover)}
	@ <span><a href={address}>{a->title}</a>{!write_about(w, l, one)}</span>
	@ </span></th>
	@ <td class="sub">{!write_status(w, one, address)}</td>
	if (l->views != NULL) {
		@ <td class="number wide">
		if (a->status == ARTICLE_PUBLISHED)
			write_views(w, &l->views[i]);
		@ </td>
	}
	@ <td class="number">{!say_time(w, one->desk.publish_at != 0 ? one->desk.publish_at
	@     : a->updated_at)}</td></tr>
}

static void
write_table(struct hwrite *w, const struct articles *l)
{
	@ <table class="list"><caption>Articles</caption><thead><tr>
	if (l->form != NULL)
		@ <td class="pick-cell"></td>
	@ <th scope="col">Title</th><th scope="col">State</th>
	if (l->views != NULL)
		@ <th scope="col" class="number">Views, 30 days</th>
	@ <th scope="col" class="number">Changed</th></tr></thead><tbody>
	for (size_t i = 0; i < l->browsing.count; i++)
		write_row(w, l, i);
	@ </tbody></table>
}

/* Writes the links that choose all, and that show more at once. */
static void
write_choose(struct hwrite *w, const struct articles *l)
{
	struct articles other = *l;

	other.many = !l->many;
	@ <p class="more-of">
	if (l->form == NULL)
		@ <span></span>
	else if (l->ticked)
		@ <a href={address(l, NULL, NULL)}>Choose none</a>{=" "}
	else
		@ <a href={address(l, "chosen", "all")}>Choose all of this page</a>{=" "}
	if (l->many)
		@ <a href={address(&other, NULL, NULL)}>Show fewer at once</a>
	else if (l->browsing.next.uuid != NULL)
		@ <a href={address(&other, NULL, NULL)}>Show up to 200 at once</a>
	@ </p>
}

/* Writes the table inside the form of the acts on many, if there are any. The bar of the buttons is
 * there once something is chosen. */
static void
write_acts(struct hwrite *w, const struct articles *l)
{
	const struct form *f = l->form;

	if (f == NULL) {
		write_table(w, l);
		write_choose(w, l);
		return;
	}
	form_write_summary(w, f);
	@ <div class="picks">
	console_form_begin(l->p->c, l->p->v, w, f,
	    arena_printf(l->p->c->arena, "/%s/articles", l->p->v->workspace->uuid));
	write_table(w, l);
	for (size_t i = 0; f->fields[i].kind == FIELD_HIDDEN; i++)
		form_write_field(w, f, f->fields[i].name);
	@ <div class="bulk" role="group" aria-label="With the chosen articles" data-word={tr("chosen")}>
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_SUBMIT)
			form_write_field(w, f, f->fields[i].name);
	}
	@ </div>
	form_write_end(w);
	@ </div>
	write_choose(w, l);
}

/* ---- the page */

/* The first article is written, or comes from elsewhere. */
static void
write_none(struct hwrite *w, const struct page *p)
{
	bool writes = console_may(p->v, RIGHT_WRITE);
	bool orders = console_may(p->v, RIGHT_WRITE | RIGHT_PUBLISH);

	@ <section class="empty">{!screen_icon(w, ICON_ARTICLES)}<h2>Nothing written yet</h2>
	@ <p>Readers see an article once it is published. What you type is saved as you go.</p>
	if (writes) {
		@ <div class="buttons">
		@ <a class="button primary" href="/W/articles/new">Write the first article</a>
		if (orders)
			@ <a class="button" href="/W/moving">Move in from elsewhere</a>
		if (orders && p->v->account->verified)
			@ <a class="button" href="/W/orders/new">Order an article</a>
		@ </div>
	}
	@ </section>
}

/* Whether there are no articles at all. */
static bool
is_empty(const struct articles *l)
{
	const struct browsing *b = &l->browsing;

	return b->count == 0 && !b->counts.trash && b->status == BROWSING_ALL &&
	       b->language == NULL && b->tag == NULL && b->author == NULL && b->search == NULL &&
	       b->key.uuid == NULL;
}

static void
write_nothing(struct hwrite *w, const struct articles *l)
{
	const struct browsing *b = &l->browsing;

	if (b->cut)
		screen_empty(w, tr("Nothing was found yet. Not all articles were looked at."),
		    page_address(l, "next", &b->next), tr("Look further"));
	else
		screen_empty(w,
		    b->search != NULL ? tr("No article says this.") : tr("No article is here."),
		    NULL, NULL);
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
	if (is_empty(l)) {
		write_none(w, p);
		return;
	}
	articles_write_bar(w, l);
	if (l->browsing.count == 0)
		write_nothing(w, l);
	else
		write_acts(w, l);
	if (l->browsing.count > 0 || l->browsing.previous.uuid != NULL)
		write_pages(w, l);
}

/* Whether readers of this workspace are counted. */
static bool
is_counted(struct ctx *c, const struct visit *v)
{
	const struct workspace *w = v->workspace;
	bool pages;

	if (!w->analytics_enabled || w->analytics_origins[0] != '\0' || !v->account->verified)
		return w->analytics_enabled && w->analytics_origins[0] != '\0';
	db_begin_read(c, DB_CONTENT);
	pages = word_of(c, w->id)[0] != '\0';
	db_rollback(c);
	return pages;
}

/* Reads how often those were read that readers have. */
static void
read_views(struct articles *l)
{
	const struct browsing *b = &l->browsing;
	struct ctx *c = l->p->c;
	struct statistics_few *views = arena_array(c->arena, b->count + 1, sizeof(*views));

	for (size_t i = 0; i < b->count; i++)
		views[i].article = b->found[i].article.uuid;
	if (b->status != BROWSING_TRASH && is_counted(c, l->p->v) &&
	    statistics_read_few(
		c, l->p->v->workspace->uuid, say_day_of(c, clock_now()), views, b->count))
		l->views = views;
}

void
articles_page(struct articles *l, struct reply *reply)
{
	struct browsing *b = &l->browsing;

	browsing_read(l->p->c, b);
	read_views(l);
	l->address = page_path(l->p, "/W/articles");
	for (size_t i = 1; i < b->count && !l->languages; i++)
		l->languages =
		    strcmp(b->found[i].article.language, b->found[0].article.language) != 0;
	if (l->form == NULL)
		l->form = articles_form(l->p->c, l);
	if (console_may(l->p->v, RIGHT_WRITE) && !is_empty(l)) {
		struct screen_link *actions = arena_array(l->p->c->arena, 2, sizeof(*actions));
		actions[0] = (struct screen_link) { .address = page_path(l->p, "/W/articles/new"),
			.label = tr("New article"),
			.icon = ICON_NEW };
		l->p->v->actions = actions;
	}
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
